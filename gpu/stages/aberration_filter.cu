// SPDX-License-Identifier: GPL-3.0-or-later
// aberration_filter: gives known delays and amplitudes, one per element, in place of the estimates
// of `aberration`: those of a saved filter or of a measured screen.
#include "gpu/aberration/per_element.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {
namespace {

constexpr const char* kAberrationFilterId = "aberration_filter";

struct FilterParams {
    std::vector<double> delays = {0.0};     ///< s, per element, or one for all
    std::vector<double> amplitudes = {1.0}; ///< relative to the mean, likewise
};

void checkCount(const std::vector<double>& values, std::size_t elements, const char* what) {
    if (values.size() == 1 || values.size() == elements) return;
    throw Error(fmt::format("Stage 'aberration_filter' has {} {}, but the array has {} elements; "
                            "give as many, or load a filter of this array.",
                            values.size(), what, elements));
}

class AberrationFilter final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params& params) {
        const FrameSpec& input = inputs[0];
        const std::size_t elements =
            aberration::probeOf(input, kAberrationFilterId).elements.size();
        const auto& p = params.as<FilterParams>();
        checkCount(p.delays, elements, "delays");
        checkCount(p.amplitudes, elements, "amplitudes");
        StagePlan plan;
        const auto count = static_cast<std::int64_t>(elements);
        plan.outputs = {aberration::delaysPerElement(1, count),
                        aberration::amplitudesPerElement(1, count)};
        plan.heldBytes = 2 * elements * sizeof(float);
        return plan;
    }

    void prepare(const Exec& exec, InputSpecs inputs, const StagePlan&, const Params&) override {
        m_elements = inputs[0].acquisition->probe.elements.size();
        m_delays.allocate(exec, m_elements);
        m_amplitudes.allocate(exec, m_elements);
    }

    void update(const Exec& exec, const Params& params) override {
        const auto& p = params.as<FilterParams>();
        m_delays.set(exec, ofElements(p.delays));
        m_amplitudes.set(exec, ofElements(p.amplitudes));
    }

    void run(const Exec& exec, std::span<const ConstTensorView>,
             std::span<const TensorView> outputs, const Workspace&) override {
        aberration::handOn(exec, outputs[0], m_delays);
        aberration::handOn(exec, outputs[1], m_amplitudes);
    }

private:
    std::vector<float> ofElements(const std::vector<double>& values) const {
        std::vector<float> all(m_elements, static_cast<float>(values.front()));
        if (values.size() > 1) std::ranges::copy(values, all.begin());
        return all;
    }

    std::size_t m_elements = 0;
    ComputeTable<float> m_delays;
    ComputeTable<float> m_amplitudes;
};

/// Both tables are copied, where somebody reads them.
std::vector<model::Kernel> aberrationFilterWork(const PlannedStage& stage) {
    std::vector<model::Kernel> kernels;
    for (std::size_t port = 0; port < stage.plan.outputs.size(); ++port)
        if (stage.wants(port))
            kernels.push_back(copyWork(kAberrationFilterId, stage.plan.outputs[port].bytes()));
    return kernels;
}

} // namespace

namespace stages {
const StageType& aberration_filter() {
    static const StageType kType{
        .id = kAberrationFilterId,
        .label = "Aberration filter",
        .help = "Delays and amplitudes of a saved filter, in place of an estimate.",
        .work = aberrationFilterWork,
        .table =
            ParamTable::of<FilterParams>()
                .list(&FilterParams::delays, {.key = "delays",
                                              .label = "Delays",
                                              .unit = "s",
                                              .min = -1e-5,
                                              .max = 1e-5,
                                              .step = 1e-9,
                                              .help = "How late the echoes of each element come; a "
                                                      "single number holds for all elements.",
                                              .displayUnit = "ns",
                                              .displayFactor = 1e9})
                .list(&FilterParams::amplitudes,
                      {.key = "amplitudes",
                       .label = "Amplitudes",
                       .min = 0.0,
                       .max = 100.0,
                       .step = 0.01,
                       .help = "Amplitude of each element, relative to the mean of all."})
                .build(),
        .inputs = {{{DType::F32, DType::ComplexF32},
                    {AxisName::Transmit, AxisName::Channel, AxisName::Sample}}},
        .outputs =
            {{kOutputPort},
             {"amplitude",
              "Amplitude of each element, relative to the mean of all, [lateral 1][channel]."}},
        .bypassable = false,
        .tolerance = {0.0, 0.0},
        .role = Role::LoadsFilter,
        .code = codeOf<AberrationFilter>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
