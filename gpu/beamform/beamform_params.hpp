// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `beamform`, and the apodization that they define, for the mini-plot.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/mask.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

enum class ApodizationWindow { Rectangular, Hann, Hamming, Tukey, Gaussian };
enum class DelayInterpolation { Nearest, Linear, Lagrange, Sinc, LeastSquares, Texture };
enum class Compounding {
    Coherent,   ///< sum of the transmits' images
    Incoherent, ///< sum of the magnitudes of the transmits' images; needs IQ
};
enum class DelaySource {
    Kernel, ///< computed for each pixel and element while summing
    Table,  ///< computed once after each change of a parameter and kept in a table
    Full,   ///< likewise, in a table with an entry for each transmit, element and pixel
};

enum class TravelTime {
    Both, ///< from the transmitted wave to the pixel and back to the element
    Back, ///< twice the way back, whatever was transmitted (van Bavel 2013, Eq. 2.3 as printed)
};

enum class PixelGrid {
    Image,  ///< [depth][lateral], in the plane of a linear or curved array
    Volume, ///< [elevation][depth][lateral]
    Beams,  ///< [depth][lateral]: range along lines that fan out or are side by side
    Data,   ///< an image with a column per element and a row per sample (van Bavel 2013, 2.4)
};
enum class TransmitAperture {
    Everywhere, ///< every transmit images every pixel
    Shadow,     ///< a transmit images the region of its wave, between the edges of its aperture
    OwnLines,   ///< on a grid of beams, a transmit images its own lines only
};

/// What stays the same in a medium of another speed of sound than the device set its delays for.
enum class TransmitDelays {
    Kept,      ///< the times at which elements fire; angles and sources follow from them
    AsWritten, ///< the recording's angles and sources
};

/// SI units.
struct BeamformParams {
    double soundSpeedMps = 1540.0;
    double t0OffsetS = 0.0;
    TravelTime travelTime = TravelTime::Both;
    double fNumber = 1.4; ///< 0 = all elements
    ApodizationWindow window = ApodizationWindow::Rectangular;
    double tukeyAlpha = 0.5;
    DelayInterpolation interpolation = DelayInterpolation::Linear;
    std::int64_t lagrangeOrder = 3;
    std::int64_t sincTaps = 8;
    std::int64_t leastSquaresTaps = 8;
    double bandwidth = 0.6; ///< -6 dB width as a fraction of the centre frequency; for least
                            ///< squares
    bool coherenceFactor = false;
    Mask transmits; ///< the transmits that are summed

    bool normalized = false; ///< the sum is divided by the sum of the weights

    Compounding compounding = Compounding::Coherent;
    TransmitAperture transmitAperture = TransmitAperture::Everywhere;
    std::int64_t linesPerTransmit = 1; ///< for OwnLines: multi-line acquisition
    bool blendsBeams = false;          ///< for OwnLines: see blends()
    TransmitDelays transmitDelays = TransmitDelays::Kept;
    PixelGrid grid = PixelGrid::Image;
    DelaySource delays = DelaySource::Kernel;
    double lateralMinM = -0.02;
    double lateralMaxM = 0.02;
    double depthMinM = 0.001;
    double depthMaxM = 0.04;
    double pixelLateralM = 1e-4;
    double pixelDepthM = 1e-4;
    double elevationMinM = -0.005; ///< volumes
    double elevationMaxM = 0.005;
    double pixelElevationM = 2e-4;
    double angleMinRad = -0.7; ///< for beams that do not belong to transmits
    double angleMaxRad = 0.7;
    std::int64_t lines = 192;

    /// Whether own lines lie between beams, and take from several. A single line of each transmit
    /// lies on its beam and needs no other one.
    bool blends() const { return blendsBeams && linesPerTransmit > 1; }
};

/// Weight of each receive element at the point (lateral, depth), 0 outside the aperture.
std::vector<float> apodizationWeights(const Probe& probe, const BeamformParams& params,
                                      double lateralM, double depthM);

} // namespace echolux
