// SPDX-License-Identifier: GPL-3.0-or-later
// A linear array that sends plane waves: what the simulator is asked for, and the frames it gives.
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
    Spherical,   ///< with 1 / r
};

struct PlaneWaveSetup {
    std::int64_t elements = 128;
    double pitchM = 0.3e-3;
    double elementWidthM = 0.27e-3;
    double centreFrequencyHz = 5e6;
    double fractionalBandwidth = 0.6; ///< -6 dB, pulse-echo
    double samplingHz = 20e6;
    std::vector<double> anglesRad = {0.0};
    double startDepthM = 0.0; ///< nothing above is recorded
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

/// Throws Error, naming the command's option, for what cannot be simulated.
void checkSetup(const PlaneWaveSetup& setup);

/// Depths (m) from which every transmit's echoes reach the array's centre within the record. They
/// go beyond the asked ones, whose echoes reach the outer elements later.
struct DepthRange {
    double first = 0.0;
    double last = 0.0;
};
DepthRange recordedDepths(const PlaneWaveSetup& setup);

/// The screens themselves. Throws Error where they are too finely grained.
echoes::ScreenTables screensOf(const PlaneWaveSetup& setup);

/// What the elements hear, past the screens, of the middle of what lies behind them; null without
/// screens.
std::shared_ptr<const AberrationTruth> truthOf(const PlaneWaveSetup& setup);

/// i16 [transmit][channel][sample]: every echo from between startDepthM and depthM in front of the
/// array fits into the record. A code of full scale stands for 1.
FrameSpec frameOf(const PlaneWaveSetup& setup);

} // namespace echolux
