// SPDX-License-Identifier: GPL-3.0-or-later
// Port checks, and the guard around stages of plugins.
#include "gpu/stage/stage.hpp"

#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

namespace echolux {

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

/// Calls code of a plugin. Whatever it throws but Error becomes an Error that names stage and
/// plugin.
template <class Call> auto guarded(const StageType& type, const char* what, const Call& call) {
    const auto refusal = [&](const std::string& reason) {
        return Error(fmt::format("Stage '{}' of the plugin {} failed in {}: {}; bypass the stage, "
                                 "or correct the plugin.",
                                 type.id, type.plugin, what, reason));
    };
    try {
        return call();
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        const Error failure = refusal(reasonOf(error));
        if (isExhaustedMemory(error)) throw OutOfMemory(failure.what());
        throw failure;
    } catch (...) {
        throw refusal("it threw something that is no std::exception");
    }
}

class GuardedStage final : public Stage {
public:
    GuardedStage(const StageType& type, std::unique_ptr<Stage> stage)
        : m_type(type), m_stage(std::move(stage)) {}
    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan& plan,
                 const Params& params) override {
        guarded(m_type, "prepare()", [&] { m_stage->prepare(exec, inputs, plan, params); });
    }
    void follow(const Exec& exec, InputSpecs inputs) override {
        guarded(m_type, "follow()", [&] { m_stage->follow(exec, inputs); });
    }
    void update(const Exec& exec, const Params& params) override {
        guarded(m_type, "update()", [&] { m_stage->update(exec, params); });
    }
    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& workspace) override {
        guarded(m_type, "run()", [&] { m_stage->run(exec, inputs, outputs, workspace); });
    }

private:
    const StageType& m_type;
    std::unique_ptr<Stage> m_stage;
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
    if (input.bands > 1 && !port.bands) {
        throw Error(
            fmt::format("{} takes whole spectra, but what reaches it was split into {} bands "
                        "by 'split_spectrum'; put 'angiography' or 'phase_doppler' before "
                        "it, or link it to what is before 'split_spectrum'.",
                        owner, input.bands));
    }
    const bool stacked =
        port.stacks && !input.axes.empty() && input.axes.front().name == AxisName::Elevation;
    const bool taken = stacked || (port.ensembles && input.isEnsemble());
    if (port.axes.empty()) {
        if (taken || !input.isEnsemble()) return;
        throw Error(
            fmt::format("{} takes single frames, but what reaches it is {}, an ensemble "
                        "with the axis frame; put one_frame, ensemble_mean or flow before it.",
                        owner, input.describe()));
    }
    const std::span<const Axis> axes = std::span(input.axes).subspan(taken ? 1 : 0);
    const auto fits = [&](std::span<const AxisName> wanted) {
        return std::ranges::equal(wanted, axes, {}, {}, &Axis::name);
    };
    if (fits(port.axes) || std::ranges::any_of(port.otherAxes, fits)) return;
    const auto namesOf = [](std::span<const AxisName> wanted) {
        std::vector<std::string_view> names;
        for (const AxisName axis : wanted) names.push_back(nameOf(axis));
        return fmt::format("{}", fmt::join(names, ", "));
    };
    std::string names = namesOf(port.axes);
    for (const std::vector<AxisName>& other : port.otherAxes) names += " or " + namesOf(other);
    throw Error(fmt::format("{} takes frames with the axes {}, but what reaches it is {}; {}.",
                            owner, names, input.describe(),
                            input.isEnsemble() ? "put one_frame, ensemble_mean or flow before it"
                                               : "move it in the pipeline or take it out"));
}

std::vector<std::string> StageType::outputNames() const {
    std::vector<std::string> names;
    for (const OutputPort& output : outputs) names.push_back(output.name);
    return names;
}

StagePlan StageType::plan(InputSpecs reaching, const Params& params) const {
    if (plugin.empty()) return code.plan(reaching, params);
    StagePlan plan = guarded(*this, "plan()", [&] { return code.plan(reaching, params); });
    if (plan.outputs.size() == outputs.size()) return plan;
    throw Error(fmt::format("Stage '{}' of the plugin {} has {} outputs, but planned {}; correct "
                            "the plugin.",
                            id, plugin, outputs.size(), plan.outputs.size()));
}

std::unique_ptr<Stage> StageType::create() const {
    if (plugin.empty()) return code.create();
    std::unique_ptr<Stage> stage = guarded(*this, "create()", code.create);
    return std::make_unique<GuardedStage>(*this, std::move(stage));
}

Params StageType::defaultsFor(const FrameSpec& frame) const {
    if (defaults == nullptr) return Params(table);
    if (plugin.empty()) return defaults(*this, frame);
    return guarded(*this, "defaults()", [&] { return defaults(*this, frame); });
}

} // namespace echolux
