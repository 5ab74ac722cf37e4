// SPDX-License-Identifier: GPL-3.0-or-later
// Port checks and the registry of built-in stages.
#include "gpu/core/nearest_word.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace echolux {

namespace stages {
#define ECHOLUX_STAGE(id) const StageType& id();
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
} // namespace stages

void Stage::prepare(const Exec&, InputSpecs, const StagePlan&, const Params&) {}

void Stage::follow(const Exec&, InputSpecs) {}

void Filter::prepare(const Exec&, const FrameSpec&, const StagePlan&, const Params&) {}

void Filter::follow(const Exec&, const FrameSpec&) {}

namespace {

class FilterStage final : public Stage {
public:
    explicit FilterStage(std::unique_ptr<Filter> filter) : m_filter(std::move(filter)) {}
    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                 const Params& params) override {
        m_filter->prepare(exec, inputs[0], plan, params);
    }
    void follow(const Exec& exec, InputSpecs inputs) override { m_filter->follow(exec, inputs[0]); }
    void update(const Exec& exec, const Params& params) override { m_filter->update(exec, params); }
    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        m_filter->run(exec, inputs.front(), outputs.front(), workspace);
    }

private:
    std::unique_ptr<Filter> m_filter;
};

} // namespace

std::unique_ptr<Stage> stageOf(std::unique_ptr<Filter> filter) {
    return std::make_unique<FilterStage>(std::move(filter));
}

void checkPort(const StageType& type, const FrameSpec& input, std::size_t index) {
    const Port& port = type.inputs[index];
    const std::string owner = type.inputs.size() == 1
                                  ? fmt::format("Stage '{}'", type.id)
                                  : fmt::format("Port '{}' of stage '{}'", port.name, type.id);
    if (std::ranges::find(port.dtypes, input.dtype) == port.dtypes.end()) {
        std::vector<std::string_view> names;
        for (const DType dtype : port.dtypes) names.push_back(nameOf(dtype));
        throw Error(fmt::format(
            "{} takes {} samples, but what reaches it is {}; put a converting stage before it or "
            "take it out.",
            owner, fmt::join(names, " or "), input.describe()));
    }
    const bool stacked =
        port.stacks && !input.axes.empty() && input.axes.front().name == AxisName::Elevation;
    const bool taken = stacked || (port.ensembles && input.isEnsemble());
    if (port.axes.empty()) {
        if (taken || !input.isEnsemble()) return;
        throw Error(fmt::format("{} takes single frames, but what reaches it is {}, an ensemble "
                                "with the axis frame; put one_frame or ensemble_mean before it.",
                                owner, input.describe()));
    }
    const std::span<const Axis> axes = std::span(input.axes).subspan(taken ? 1 : 0);
    const auto fits = [&](std::span<const AxisName> wanted) {
        return std::ranges::equal(wanted, axes, {}, {}, &Axis::name);
    };
    if (fits(port.axes) || (!port.otherAxes.empty() && fits(port.otherAxes))) return;
    const auto namesOf = [](std::span<const AxisName> wanted) {
        std::vector<std::string_view> names;
        for (const AxisName axis : wanted) names.push_back(nameOf(axis));
        return fmt::format("{}", fmt::join(names, ", "));
    };
    throw Error(fmt::format("{} takes frames with the axes {}{}, but what reaches it is {}; {}.",
                            owner, namesOf(port.axes),
                            port.otherAxes.empty() ? "" : " or " + namesOf(port.otherAxes),
                            input.describe(),
                            input.isEnsemble() ? "put one_frame or ensemble_mean before it"
                                               : "move it in the pipeline or take it out"));
}

std::vector<std::string> StageType::outputNames() const {
    std::vector<std::string> names;
    for (const OutputPort& output : outputs) names.push_back(output.name);
    return names;
}

std::span<const StageType* const> builtinStages() {
    static const std::array kTypes = {
#define ECHOLUX_STAGE(id) &stages::id(),
#include "gpu/stages/stages.def"
#undef ECHOLUX_STAGE
    };
    return kTypes;
}

const StageType& stageType(std::string_view id) {
    std::vector<std::string> known;
    for (const StageType* type : builtinStages()) {
        if (type->id == id) return *type;
        known.push_back(type->id);
    }
    throw Error(fmt::format("There is no stage '{}'{}; choose one of {}.", id,
                            didYouMean(id, known), fmt::join(known, ", ")));
}

const StageType& stageTypeWith(Role role) {
    for (const StageType* type : builtinStages())
        if (type->role == role) return *type;
    throw Error("No stage has this role.");
}

} // namespace echolux
