// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of the device that recorded OCT spectra: its light, its sampling in wavenumber, its
// calibration.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

/// Facts of a spectrometer or a swept source. Immutable once shared; loading, estimating or
/// capturing a calibration makes a new object. Vectors have one value per sample of the raw line,
/// or are empty where nothing is known.
struct Spectrometer {
    double centreWavelengthM = 0.0; ///< in vacuum; 0 = unknown
    double bandwidthM = 0.0;        ///< difference of the wavelengths of the first and the last
                                    ///< sample; 0 = unknown
    double refractiveIndex = 0.0;   ///< of the sample, for its depth scale; 0 = unknown
    /// True: samples are codes of a converter. False: they are values in a unit of their own.
    bool countsCodes = true;
    /// Spectrum to subtract, in codes of the raw samples.
    std::vector<float> background;
    /// Position in the raw line (0 .. n - 1, fractional) of output sample m, such that the output
    /// samples are equally spaced in wavenumber. Strictly monotonic. It is the inverse of a chirp
    /// that gives the wavenumber index of each pixel.
    std::vector<double> resampling;
    /// Phase phi of the residual dispersion at output sample m, equally spaced in wavenumber: the
    /// spectrum is multiplied by exp(+j phi).
    std::vector<double> dispersionRad;
    /// True: a B-scan is half a period of a sinusoidally swinging mirror, with lines equally spaced
    /// in time.
    bool sinusoidalScan = false;
};

/// Facts that window, dispersion and the inverse transform need of the stages before them. With
/// gridding, k_linearize leaves the samples where they were recorded, at `positions`, and window
/// and phase act on them there. The inverse transform brings them to an oversampled grid, cuts off
/// the depths beyond n / 2 and undoes the kernel's taper. After the stage window, amplitudes are
/// lower by the window's mean. Members that live edits change say so.
struct SpectralGrid {
    bool isLinear = false;        ///< k_linearize has given the lines equal steps in wavenumber
    std::int64_t points = 0;      ///< size M of the grid; 0 = the samples themselves have equal
                                  ///< steps
    std::int64_t kernelWidth = 0; ///< grid points
    double kernelShape = 0.0;     ///< beta of the Kaiser-Bessel kernel
    std::int64_t mostTaps = 0;    ///< most samples that a grid point may gather, for any live edit
    /// Position of each sample, counted in steps of a line of n samples with equal steps in
    /// wavenumber. Null: sample p is at p. Live edits change it.
    std::shared_ptr<const std::vector<double>> positions;
    double windowMean = 1.0; ///< mean of the window over wavenumber; live edits change it

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
