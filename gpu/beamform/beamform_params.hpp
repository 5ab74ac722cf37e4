// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `beamform`, and the apodization they stand for, as the mini-plot draws it.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/mask.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

enum class ApodizationWindow { Rectangular, Hann, Hamming, Tukey };
enum class DelayInterpolation { Nearest, Linear, Lagrange, Sinc };
enum class Compounding {
    Coherent,   ///< sum of the transmits' images
    Incoherent, ///< sum of their magnitudes; needs IQ
};
enum class DelaySource {
    Kernel, ///< computed for each pixel and element while summing
    Table,  ///< computed once after each change of a parameter
};

/// SI units.
struct BeamformParams {
    double soundSpeedMps = 1540.0;
    double t0OffsetS = 0.0;
    double fNumber = 1.4; ///< 0 = all elements
    ApodizationWindow window = ApodizationWindow::Rectangular;
    double tukeyAlpha = 0.5;
    DelayInterpolation interpolation = DelayInterpolation::Linear;
    std::int64_t lagrangeOrder = 3;
    std::int64_t sincTaps = 8;
    bool coherenceFactor = false;
    Mask transmits; ///< that are summed

    Compounding compounding = Compounding::Coherent;
    DelaySource delays = DelaySource::Kernel;
    double lateralMinM = -0.02;
    double lateralMaxM = 0.02;
    double depthMinM = 0.001;
    double depthMaxM = 0.04;
    double pixelLateralM = 1e-4;
    double pixelDepthM = 1e-4;
};

/// Weight of each receive element at the point (lateral, depth), 0 outside the aperture.
std::vector<float> apodizationWeights(const Probe& probe, const BeamformParams& params,
                                      double lateralM, double depthM);

} // namespace echolux
