// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up of the plane-wave simulator, a linear array that sends plane waves, and the frames
// that it gives.
#pragma once

#include "app/source/aberrating_screens.hpp"
#include "app/source/echo_converter.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

enum class Spreading {
    Cylindrical, ///< amplitude falls with 1 / sqrt(r): the array is focused in elevation
    Spherical,   ///< amplitude falls with 1 / r
};

struct PlaneWaveSetup {
    std::int64_t elements = 128;
    double pitchM = 0.3e-3;
    double elementWidthM = 0.27e-3;
    double centreFrequencyHz = 5e6;
    double fractionalBandwidth = 0.6; ///< -6 dB, pulse-echo
    double samplingHz = 20e6;
    std::vector<double> anglesRad = {0.0};
    double startDepthM = 0.0; ///< echoes from above it are not recorded
    double depthM = 40e-3;
    double soundSpeedMps = 1540.0;
    double frameRateHz = 25.0;
    double attenuationDbPerCmMhz = 0.3;
    Spreading spreading = Spreading::Cylindrical;
    ConverterSetup converter;
    ScreenSetup screens;

    double apertureM() const { return static_cast<double>(elements - 1) * pitchM; }
    double elementX(std::int64_t element) const {
        return (static_cast<double>(element) - static_cast<double>(elements - 1) / 2.0) * pitchM;
    }
    double wavelengthM() const { return soundSpeedMps / centreFrequencyHz; }
    std::vector<Point> elementPlaces() const;
};

/// Throws Error that names the command's option where the set-up cannot be simulated.
void checkSetup(const PlaneWaveSetup& setup);

/// Depths in m from which the echoes of every transmit reach the array's centre within the record.
/// They reach deeper than the requested ones, because the outer elements hear echoes later.
struct DepthRange {
    double first = 0.0;
    double last = 0.0;
};
DepthRange recordedDepths(const PlaneWaveSetup& setup);

/// Computes the screens. Throws Error where their structure is too fine.
echoes::ScreenTables screensOf(const PlaneWaveSetup& setup);

/// The true delays and gains of the elements for a point in the middle of the region behind the
/// screens; null without screens.
std::shared_ptr<const AberrationTruth> truthOf(const PlaneWaveSetup& setup);

/// i16 [transmit][channel][sample]: the record holds every echo from between startDepthM and depthM
/// in front of the array. A code of full scale stands for 1.
FrameSpec frameOf(const PlaneWaveSetup& setup);

} // namespace echolux
