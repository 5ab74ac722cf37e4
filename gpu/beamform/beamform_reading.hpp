// SPDX-License-Identifier: GPL-3.0-or-later
// From a frame and the parameters of `beamform` to what reading between samples takes. Host only.
#pragma once

#include "gpu/beamform/beamform_interpolation.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/dsp/fractional_delay.hpp"

#include <vector>

namespace echolux::das {

constexpr double kLeastBandwidth = 0.05; ///< BeamformParams::bandwidth
constexpr double kMostBandwidth = 2.0;

/// Of parameters alone: samples, table and texture are the caller's.
LineReading lineReading(const BeamformParams& params);

/// LineReading::readTable of `taps` taps for echoes in `band`.
std::vector<float> readTable(std::int64_t taps, EchoBand band);
/// The one that `params` ask for; empty where they ask for none.
std::vector<float> readTable(const FrameSpec& input, const BeamformParams& params);
constexpr std::size_t kMostReadTableBytes =
    static_cast<std::size_t>(kReadPositions + 1) * kMaxTaps * sizeof(float);

/// Throws Error where a frame is larger than the texture that `params` ask for can be.
void checkReading(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
