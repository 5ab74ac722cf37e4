// SPDX-License-Identifier: GPL-3.0-or-later
// The set-up of a simulated OCT device, its true calibration, and the frames that it gives.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// How wavenumber runs along the raw line. With q = p / (n - 1) for sample p:
enum class Sampling {
    Linear,  ///< equal steps of wavenumber, falling
    Grating, ///< wavelength L(q) = L1 + (L2 - L1) (q + 4 g q (1 - q)): linear, and a grating's bow
             ///< g
    Sweep,   ///< k rises as -cos(pi t); the middle share f of this sweep is used: t = 1/2 + f (q -
             ///< 1/2)
};

struct OctSetup {
    std::int64_t samples = 1024;       ///< n, of a raw line
    std::int64_t lines = 256;          ///< of a B-scan
    std::int64_t bscansPerVolume = 1;  ///< of all places together; 1: a cine of one place
    std::int64_t bscansPerPlace = 1;   ///< of a volume, one after the other
    double centreWavelengthM = 840e-9; ///< in vacuum
    double bandwidthM = 150e-9;        ///< wavelengths from the first to the last sample
    double sourceWidthM = 75e-9;       ///< full width at half maximum of the light
    double refractiveIndex = 1.36;     ///< of the sample
    Sampling sampling = Sampling::Grating;
    double gratingBow = 0.02; ///< g of Sampling::Grating
    double sweepShare = 0.8;  ///< f of Sampling::Sweep
    /// Residual dispersion in the terms of the stage that removes it: phi = c1 x^2 + c2 x^3 + c3
    /// x^4 with x = -m / (2 (n - 1)) at sample m of equal wavenumber steps.
    std::array<double, 3> dispersion = {0.0, 0.0, 0.0};
    double linePitchM = 6e-6;
    double bscanPitchM = 12e-6; ///< from place to place
    double beamWidthM = 15e-6;  ///< full width at half maximum of a point's image across
    bool balanced = false;      ///< two detectors: they cancel the light's spectrum except for 2 %
    double light = 0.6;         ///< share of full scale that the reference arm's light reaches
    double visibility = 0.25;   ///< amplitude of the first frame's largest fringe over the
                                ///< reference arm's light
    double fixedPattern = 0.01; ///< of the background: see OctSimulator
    double fullWellElectrons = 200e3;
    double readNoiseElectrons = 100.0;
    int bits = 12; ///< of the converter
    DType dtype = DType::Packed12;
    double frameRateHz = 25.0; ///< B-scans per second
    std::uint64_t seed = 1;
    bool writesResampling = true; ///< into the specification of the frames
    bool writesDispersion = true;
    bool writesBackground = true;

    /// Depth in the sample between neighbouring bins of an n-point transform:
    /// dz = pi / (n_r n dk), with dk the wavenumber step.
    double binM() const;
    std::int64_t places() const { return bscansPerVolume / bscansPerPlace; }
    double rangeM() const { return binM() * static_cast<double>(samples) / 2.0; }
};

/// Set-ups by name: "spectrometer", "swept_source". Throws Error for others.
OctSetup octPreset(const std::string& name);

/// Throws Error that names the command's option where the set-up cannot be simulated.
void checkSetup(const OctSetup& setup);

/// Index in equal wavenumber steps, 0 .. n - 1, of each raw sample: rises from 0 to n - 1.
std::vector<double> wavenumberIndex(const OctSetup& setup);
/// The inverse: the position in the raw line of index m.
std::vector<double> resamplingOf(const OctSetup& setup);
/// phi of setup.dispersion at index m, which need not be whole.
double dispersionPhase(const OctSetup& setup, double m);
/// Spectrum of the light at index m: Gaussian in wavenumber, 1 at its peak in the middle.
double lightAt(const OctSetup& setup, double m);

/// [lateral][sample] of one B-scan. The simulator fills the background in.
FrameSpec frameOf(const OctSetup& setup);

} // namespace echolux
