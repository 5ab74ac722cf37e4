// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up of the echo simulator, with any array and any transmits, and the frames that it gives.
#pragma once

#include "app/source/aberrating_screens.hpp"
#include "app/source/echo_converter.hpp"
#include "app/source/excitation.hpp"
#include "app/source/phantom.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// The region whose echoes are recorded completely. Without a sector a box: |x| <= halfWidthM, |y|
/// <= halfElevationM, startDepthM <= z <= depthM. With a sector a part of a ring; then depths count
/// from its inner radius.
struct ImagedRegion {
    double halfWidthM = 10e-3;
    double halfElevationM = 0.0;
    double startDepthM = 0.0;
    double depthM = 40e-3;
    std::optional<SectorOutline> sector; ///< apex, inner radius and half angle; depths as above
};

struct EchoSetup {
    /// Probe, transmits with their apodization, channels. frameOf() sets the times of the first
    /// samples, and repeats each transmit for each of its pulses.
    Acquisition acquisition;
    std::int64_t channels = 0;
    ImagedRegion region;
    double centreFrequencyHz = 5e6;
    double fractionalBandwidth = 0.6; ///< -6 dB, pulse-echo
    double samplingHz = 20e6;
    double frameRateHz = 25.0;
    double attenuationDbPerCmMhz = 0.3;
    ConverterSetup converter;
    ScreenSetup screens; ///< in front of the array; before a curved array they are arcs parallel to
                         ///< its own
    Excitation excitation = {};
    SpatialCode code = SpatialCode::None; ///< of the transmits, see addCoded()
    /// Of each element beyond the ideal wave's, [transmit][element]; empty: none.
    std::vector<std::vector<double>> codeDelaysS = {};

    GaussianPulse pulse() const { return {centreFrequencyHz, fractionalBandwidth}; }
    double wavelengthM() const { return acquisition.soundSpeedMps / centreFrequencyHz; }
};

/// Throws Error that names the command's option where the set-up cannot be simulated.
void checkSetup(const EchoSetup& setup);

/// Time in seconds at which each element fires, on the common clock; NaN where it is silent.
std::vector<double> firingTimes(const EchoSetup& setup, const Transmit& transmit);
/// In a transmit of the set-up, with the delays of its code.
std::vector<double> firingTimes(const EchoSetup& setup, std::size_t transmit);

/// i16 [transmit][channel][sample]. The pulses of a wave are consecutive transmits. The record
/// holds every echo of the region; for a focused wave, every echo on its beam.
FrameSpec frameOf(const EchoSetup& setup);

/// Computes the screens. Throws Error where their structure is too fine.
echoes::ScreenTables screensOf(const EchoSetup& setup);

/// The true delays and gains of the elements for a point in the middle of the region behind the
/// screens; null without screens.
std::shared_ptr<const AberrationTruth> truthOf(const EchoSetup& setup);

/// The phantom `name` within the region.
PhantomRequest phantomFor(const EchoSetup& setup, const std::string& name, double density,
                          double periodS);

} // namespace echolux
