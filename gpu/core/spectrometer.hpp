// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the device that recorded OCT spectra: its light, its sampling in wavenumber, its
// calibration.
#pragma once

#include <cstdint>
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

/// What the inverse transform must know of the stages before it. Of k_linearize: by gridding onto
/// an oversampled grid, the depths beyond n / 2 are to be cut off and the kernel's taper is to be
/// undone. Of window: amplitudes fell to its mean.
struct SpectralGrid {
    std::int64_t rawSamples = 0;  ///< n, before oversampling; 0 = as many as the axis has
    std::int64_t kernelWidth = 0; ///< grid points; 0 = interpolated, nothing to undo
    double kernelShape = 0.0;     ///< beta of the Kaiser-Bessel kernel
    double windowMean = 1.0;      ///< mean of the window's values over the axis; follows live edits

    bool operator==(const SpectralGrid&) const = default;
};

} // namespace echolux
