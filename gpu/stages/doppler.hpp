// SPDX-License-Identifier: GPL-3.0-or-later
// Between changes of phase and velocities, and the parameters that this takes, for the stages of
// flow.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

#include <numbers>

namespace echolux::flow {

struct DopplerParams {
    double frequencyHz = 5e6;
    double soundSpeedMps = 1540.0;
};

/// Defaults by what the frames know of pulse and tissue.
template <class P> void followFrames(P& values, const FrameSpec& input) {
    if (input.centreFrequencyHz > 0.0) values.frequencyHz = input.centreFrequencyHz;
    if (input.acquisition) values.soundSpeedMps = input.acquisition->soundSpeedMps;
}

/// Where sound travels one way, a movement changes its phase half as much, as if it were twice as
/// fast.
template <class P> P asHeard(P values, const FrameSpec& input) {
    if (input.isOneWay) values.soundSpeedMps *= 2.0;
    return values;
}

// Rows of the two fields of DopplerParams. `with`: the condition under which they matter.
inline ParamRow frequencyRow(const ParamCondition& with = {}) {
    return {.key = "frequency",
            .label = "Frequency",
            .unit = "Hz",
            .min = 1e4,
            .max = 1e9,
            .step = 1e4,
            .scale = ParamScale::Log,
            .help = "Centre frequency of the echoes that return. Attenuation lowers it.",
            .displayUnit = "MHz",
            .displayFactor = 1e-6,
            .onlyWith = with};
}

inline ParamRow soundSpeedRow(const ParamCondition& with = {}) {
    return {.key = "speed_of_sound",
            .label = "Speed of sound",
            .unit = "m/s",
            .min = 300,
            .max = 10000,
            .step = 1,
            .help = "Speed of sound in the blood.",
            .onlyWith = with};
}

/// Angle between beam and flow. 90 degrees, where nothing moves along the beam, is left out.
inline ParamRow angleRow() {
    constexpr double kDegreesPerRad = 180.0 / std::numbers::pi;
    return {.key = "angle",
            .label = "Angle",
            .unit = "rad",
            .min = 0.0,
            .max = 89.0 * std::numbers::pi / 180.0,
            .step = std::numbers::pi / 180.0,
            .help = "Angle between beam and flow, up to 89 degrees. Velocities are divided by its "
                    "cosine; at 0 they are those along the beam.",
            .displayUnit = "deg",
            .displayFactor = kDegreesPerRad};
}

inline ParamRow invertRow() {
    return {.key = "invert",
            .label = "Invert",
            .help = "Flow away from the probe is positive, not flow towards it."};
}

/// Time from frame to frame of an ensemble in seconds; 0 where it is unknown.
inline double frameTimeS(const FrameSpec& ensemble) {
    const Axis& frames = ensemble.axes.front();
    return frames.unit == "s" && frames.spacing > 0.0 ? frames.spacing : 0.0;
}

/// Velocity of a change of phase of one radian from frame to frame: c / (4 pi f0 T), in m/s.
/// `frameTimeS` must be known.
inline double metresPerSecondPerRadian(const DopplerParams& values, double frameTimeS) {
    return values.soundSpeedMps / (4.0 * std::numbers::pi * values.frequencyHz * frameTimeS);
}

/// What images that were recorded as IQ lack of their carrier from depth to depth, in radians:
/// 4 pi fd dz / c; 0 for images that hold it. The depth must be in metres.
inline double lackingAngle(const FrameSpec& input, const DopplerParams& values) {
    if (input.recordedForm != RecordedForm::Beamformed) return 0.0;
    return 4.0 * std::numbers::pi * input.demodulationFrequencyHz *
           input.find(AxisName::Depth)->spacing / values.soundSpeedMps;
}

} // namespace echolux::flow
