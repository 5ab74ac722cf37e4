// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the data for reading between samples from a frame and the parameters of `beamform`. Host
// only.
#pragma once

#include "gpu/beamform/beamform_interpolation.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/dsp/fractional_delay.hpp"

#include <vector>

namespace echolux::das {

constexpr double kLeastBandwidth = 0.05; ///< BeamformParams::bandwidth
constexpr double kMostBandwidth = 2.0;

/// Fills in what the parameters define. The caller fills in samples, table and texture.
LineReading lineReading(const BeamformParams& params);

/// LineReading::readTable of `taps` taps for echoes in `band`.
std::vector<float> readTable(std::int64_t taps, EchoBand band);
/// The table for `params`; empty where they need none.
std::vector<float> readTable(const FrameSpec& input, const BeamformParams& params);
constexpr std::size_t kMostReadTableBytes =
    static_cast<std::size_t>(kReadPositions + 1) * kMaxTaps * sizeof(float);

/// Throws Error where `params` need a texture and a frame is too large for one.
void checkReading(const FrameSpec& input, const BeamformParams& params);

} // namespace echolux::das
