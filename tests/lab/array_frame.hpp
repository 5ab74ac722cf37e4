// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of a plain linear array, without samples: what geometry is tested with.
#pragma once

#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/frame_spec.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace echolux::test {

inline Acquisition linearArray(int elements, double pitchM) {
    Acquisition acquisition;
    acquisition.probe.pitchM = pitchM;
    acquisition.probe.elementWidthM = pitchM;
    acquisition.probe.centreFrequencyHz = 5e6;
    for (int e = 0; e < elements; ++e)
        acquisition.probe.elements.push_back({(e - 0.5 * (elements - 1)) * pitchM, 0.0, 0.0});
    return acquisition;
}

inline FrameSpec channelData(Acquisition acquisition, std::int64_t samples = 2048,
                             double fs = 40e6) {
    FrameSpec spec;
    const auto channels = std::ssize(acquisition.probe.elements);
    spec.axes = {{AxisName::Transmit, std::ssize(acquisition.transmits), 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / fs, 0.0, "s"}};
    spec.centreFrequencyHz = acquisition.probe.centreFrequencyHz;
    spec.acquisition = std::make_shared<Acquisition>(std::move(acquisition));
    return spec;
}

inline Transmit planeWave(double angleRad) { return {.angleRad = angleRad, .source = {}}; }
inline Transmit sphericalWave(Wave wave, double x, double z) {
    return {.wave = wave, .source = {x, 0.0, z}};
}

} // namespace echolux::test
