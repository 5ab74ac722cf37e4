// SPDX-License-Identifier: GPL-3.0-or-later
// Any array and any transmits: what the echo simulator is asked for, and the frames it gives.
#pragma once

#include "app/source/aberrating_screens.hpp"
#include "app/source/echo_converter.hpp"
#include "app/source/phantom.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// Where the echoes come from that are recorded whole. A box, |x| <= halfWidthM, |y| <=
/// halfElevationM, startDepthM <= z <= depthM; with a sector, that part of a ring, and the depths
/// count from its inner radius.
struct ImagedRegion {
    double halfWidthM = 10e-3;
    double halfElevationM = 0.0;
    double startDepthM = 0.0;
    double depthM = 40e-3;
    std::optional<SectorOutline> sector; ///< apex, inner radius and half angle; depths as above
};

struct EchoSetup {
    /// Probe, transmits with their apodization, channels; the times of the first samples are set by
    /// frameOf().
    Acquisition acquisition;
    std::int64_t channels = 0;
    ImagedRegion region;
    double centreFrequencyHz = 5e6;
    double fractionalBandwidth = 0.6; ///< -6 dB, pulse-echo
    double samplingHz = 20e6;
    double frameRateHz = 25.0;
    double attenuationDbPerCmMhz = 0.3;
    ConverterSetup converter;
    ScreenSetup screens; ///< in front of the array; of a curved one arcs as far from its own

    double wavelengthM() const { return acquisition.soundSpeedMps / centreFrequencyHz; }
};

/// Throws Error, naming the command's option, for what cannot be simulated.
void checkSetup(const EchoSetup& setup);

/// Time at which each element fires on the common clock, NaN where it is silent. [s]
std::vector<double> firingTimes(const EchoSetup& setup, const Transmit& transmit);

/// i16 [transmit][channel][sample]. Every echo of the region fits into the record; of a focused
/// wave those on its beam.
FrameSpec frameOf(const EchoSetup& setup);

/// The screens themselves. Throws Error where they are too finely grained.
echoes::ScreenTables screensOf(const EchoSetup& setup);

/// What the elements hear, past the screens, of the middle of what lies behind them; null without
/// screens.
std::shared_ptr<const AberrationTruth> truthOf(const EchoSetup& setup);

/// The phantom `name` within the region.
PhantomRequest phantomFor(const EchoSetup& setup, const std::string& name, double density,
                          double periodS);

} // namespace echolux
