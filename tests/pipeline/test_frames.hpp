// SPDX-License-Identifier: GPL-3.0-or-later
// Small frames and pipelines for tests of the runner and the session.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux::test {

/// int16 [transmit][channel][sample] of a small linear array.
inline FrameSpec codesSpec(std::int64_t transmits, std::int64_t channels, std::int64_t samples) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->probe.pitchM = 0.3e-3;
    acquisition->probe.centreFrequencyHz = 5e6;
    for (std::int64_t e = 0; e < channels; ++e) {
        acquisition->probe.elements.push_back(
            {(static_cast<double>(e) - 0.5 * static_cast<double>(channels - 1)) * 0.3e-3, 0, 0});
    }
    acquisition->transmits.resize(static_cast<std::size_t>(transmits));
    FrameSpec spec;
    spec.dtype = DType::I16;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / 20e6, 0.0, "s"}};
    spec.centreFrequencyHz = 5e6;
    spec.acquisition = acquisition;
    return spec;
}

/// f32 [depth][lateral].
inline FrameSpec imageSpec(std::int64_t depth, std::int64_t lateral) {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, depth, 1e-4, 0.0, "m"},
                 {AxisName::Lateral, lateral, 1e-4, 0.0, "m"}};
    return spec;
}

inline PipelineConfig chainOf(const std::vector<std::string>& types) {
    PipelineConfig config;
    config.name = "test";
    for (const std::string& type : types) config.stages.push_back({type, type, false, {}});
    return config;
}

inline std::vector<std::string> ids(const Snapshot& snapshot) {
    std::vector<std::string> all;
    for (const StageState& stage : snapshot.stages) all.push_back(stage.id);
    return all;
}

} // namespace echolux::test
