// SPDX-License-Identifier: GPL-3.0-or-later
// echolux_parameter_..., echolux_set_..., echolux_get_... and the times of steps.
#include "app/library/pipeline.hpp"

#include "app/pipeline/parameter_words.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

namespace {

/// "stage.key", taken apart.
struct Name {
    std::string stage;
    std::string key;
};

Name apart(const char* name) {
    const std::string_view text = given(name, "name");
    const auto dot = text.find('.');
    if (dot != std::string_view::npos)
        return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
    throw Misuse{
        fmt::format("'{}' names no parameter; write stage.key, as in beamform.f_number.", text)};
}

const StageState& stageNamed(const Snapshot& snapshot, const std::string& id) {
    try {
        return snapshot.stage(id);
    } catch (const Error& error) {
        throw Misuse{error.what()};
    }
}

struct Found {
    SnapshotPtr snapshot;
    const StageState* stage = nullptr;
    const ParamRow* row = nullptr;
};

Found find(const echolux_pipeline* pipeline, const char* name) {
    const SnapshotPtr snapshot = queueOf(pipeline).snapshot();
    const Name parts = apart(name);
    const StageState& stage = stageNamed(*snapshot, parts.stage);
    const ParamRow* row = stage.type->table.find(parts.key);
    if (row != nullptr) return {snapshot, &stage, row};
    std::vector<std::string> keys;
    for (const ParamRow& each : stage.type->table.rows()) keys.push_back(each.key);
    throw Misuse{fmt::format("Stage '{}' has no parameter '{}'; choose one of {}.", parts.stage,
                             parts.key, fmt::join(keys, ", "))};
}

void set(echolux_pipeline* pipeline, const char* name, const ParamValue& value) {
    const Name parts = apart(name);
    queueOf(pipeline).edit(
        [&](const Snapshot& from) { return withValue(from, parts.stage, parts.key, value); });
}

/// Calls `tell` with a parameter; NULL after an error.
template <class Tell>
const char* told(const echolux_pipeline* pipeline, const char* name, const Tell& tell) {
    return value<const char*>(nullptr, [&] { return kept(tell(find(pipeline, name))); });
}

template <class List> const auto& at(const List& list, int index, const char* what) {
    if (index >= 0 && static_cast<std::size_t>(index) < list.size())
        return list[static_cast<std::size_t>(index)];
    throw Misuse{fmt::format("There is no {} {}; there are {}.", what, index, list.size())};
}

std::vector<std::string> namesOf(const Snapshot& snapshot) {
    std::vector<std::string> names;
    for (const StageState& stage : snapshot.stages)
        for (const ParamRow& row : stage.type->table.rows())
            names.push_back(stage.id + "." + row.key);
    return names;
}

} // namespace

int echolux_parameters(const echolux_pipeline* pipeline) {
    return value(-1,
                 [&] { return static_cast<int>(namesOf(*queueOf(pipeline).snapshot()).size()); });
}

const char* echolux_parameter_name(const echolux_pipeline* pipeline, int parameter) {
    return value<const char*>(nullptr, [&] {
        return kept(at(namesOf(*queueOf(pipeline).snapshot()), parameter, "parameter"));
    });
}

const char* echolux_parameter_label(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name, [](const Found& found) { return found.row->label; });
}

const char* echolux_parameter_help(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name, [](const Found& found) { return found.row->help; });
}

const char* echolux_parameter_unit(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name, [](const Found& found) { return found.row->unit; });
}

const char* echolux_parameter_type(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name,
                [](const Found& found) { return std::string(nameOf(found.row->type)); });
}

const char* echolux_parameter_choices(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name, [](const Found& found) {
        std::vector<std::string> ids;
        for (const ParamChoice& choice : found.row->choices) ids.push_back(choice.id);
        return fmt::format("{}", fmt::join(ids, "\n"));
    });
}

int echolux_parameter_range(const echolux_pipeline* pipeline, const char* name, double* minimum,
                            double* maximum, double* step) {
    return status([&] {
        const Found found = find(pipeline, name);
        *given(minimum, "minimum") = found.row->min;
        *given(maximum, "maximum") = found.row->max;
        *given(step, "step") = found.row->step;
    });
}

int echolux_set_number(echolux_pipeline* pipeline, const char* name, double number) {
    return status([&] {
        const bool isFlag = find(pipeline, name).row->type == ParamType::Flag;
        set(pipeline, name, isFlag ? ParamValue(number != 0.0) : ParamValue(number));
    });
}

int echolux_get_number(const echolux_pipeline* pipeline, const char* name, double* number) {
    return status([&] {
        const Found found = find(pipeline, name);
        const ParamValue held = found.stage->params.get(found.row->key);
        given(number, "value");
        if (const auto* real = std::get_if<double>(&held)) {
            *number = *real;
        } else if (const auto* whole = std::get_if<std::int64_t>(&held)) {
            *number = static_cast<double>(*whole);
        } else if (const auto* flag = std::get_if<bool>(&held)) {
            *number = *flag ? 1.0 : 0.0;
        } else {
            throw Misuse{fmt::format("'{}' is no number; use echolux_get_text().", name)};
        }
    });
}

int echolux_set_text(echolux_pipeline* pipeline, const char* name, const char* text) {
    return status([&] {
        const Found found = find(pipeline, name);
        set(pipeline, name, ParamTable::parse(found.stage->id, *found.row, given(text, "value")));
    });
}

const char* echolux_get_text(const echolux_pipeline* pipeline, const char* name) {
    return told(pipeline, name, [](const Found& found) {
        return ParamTable::format(found.stage->params.get(found.row->key));
    });
}

int echolux_set_bypass(echolux_pipeline* pipeline, const char* stage, int bypass) {
    return status([&] {
        queueOf(pipeline).edit([&](const Snapshot& from) {
            return withBypass(from, given(stage, "stage"), bypass != 0);
        });
    });
}

int echolux_steps(const echolux_pipeline* pipeline) {
    return value(-1, [&] { return static_cast<int>(queueOf(pipeline).steps().size()); });
}

const char* echolux_step_name(const echolux_pipeline* pipeline, int step) {
    return value<const char*>(nullptr, [&] {
        const FrameQueue& queue = queueOf(pipeline);
        const std::vector<Step> steps = queue.steps();
        return kept(at(steps, step, "step").label(*queue.snapshot()));
    });
}

double echolux_step_seconds(const echolux_pipeline* pipeline, int step) {
    return value(-1.0, [&] {
        const std::vector<double> ms = queueOf(pipeline).timing().stepMs;
        return at(ms, step, "step") * 1e-3;
    });
}

double echolux_total_seconds(const echolux_pipeline* pipeline) {
    return value(-1.0, [&] { return queueOf(pipeline).timing().totalMs * 1e-3; });
}
