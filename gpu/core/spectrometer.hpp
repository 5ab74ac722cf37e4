// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the device that recorded OCT spectra: its light, its sampling in wavenumber, its
// calibration.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

/// Facts of a spectrometer or a swept source. Immutable once shared; a calibration that is loaded,
/// estimated or captured makes a new one. Vectors are empty where nothing is known, else hold one
/// value per sample of the raw line.
struct Spectrometer {
    double centreWavelengthM = 0.0; ///< in vacuum; 0 = unknown
    double bandwidthM = 0.0;        ///< wavelengths from the first to the last sample; 0 = unknown
    double refractiveIndex = 0.0;   ///< of the sample, for its depth scale; 0 = unknown
    /// Samples count codes of a converter; else values in a unit of their own.
    bool countsCodes = true;
    /// Spectrum to subtract, in the raw samples' codes.
    std::vector<float> background;
    /// Where in the raw line (0 .. n - 1, fractional) output sample m lies so that the outputs are
    /// equally spaced in wavenumber: strictly monotonic. This is the inverse of a chirp that gives
    /// the wavenumber index of each pixel.
    std::vector<double> resampling;
    /// Phase phi of the residual dispersion at output sample m, equally spaced in wavenumber: the
    /// spectrum is multiplied by exp(+j phi).
    std::vector<double> dispersionRad;
    /// A B-scan is half a period of a mirror that swings sinusoidally, its lines equally spaced in
    /// time.
    bool sinusoidalScan = false;
};

/// What window, dispersion and the inverse transform must know of the stages before them. Of
/// k_linearize by gridding: samples stay where they were recorded, at `positions`, so that window
/// and phase act on them there, and the inverse transform brings them to an oversampled grid, cuts
/// the depths beyond n / 2 off and undoes the kernel's taper. Of window: amplitudes fell to its
/// mean. What follows live edits says so.
struct SpectralGrid {
    bool isLinear = false;        ///< k_linearize saw to equal steps in wavenumber
    std::int64_t points = 0;      ///< M, of the grid; 0 = the samples themselves have equal steps
    std::int64_t kernelWidth = 0; ///< grid points
    double kernelShape = 0.0;     ///< beta of the Kaiser-Bessel kernel
    std::int64_t mostTaps = 0;    ///< samples that a grid point may gather, whatever live edits do
    /// Where each sample lies, in steps of n samples with equal steps in wavenumber; null: at its
    /// own number. Follows live edits.
    std::shared_ptr<const std::vector<double>> positions;
    double windowMean = 1.0; ///< mean of the window over wavenumber; follows live edits

    bool operator==(const SpectralGrid& other) const {
        const bool samePositions =
            positions == other.positions ||
            (positions != nullptr && other.positions != nullptr && *positions == *other.positions);
        return samePositions && isLinear == other.isLinear && points == other.points &&
               kernelWidth == other.kernelWidth && kernelShape == other.kernelShape &&
               mostTaps == other.mostTaps && windowMean == other.windowMean;
    }
};

} // namespace echolux
