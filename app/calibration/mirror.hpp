// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates a device's sampling in wavenumber and its dispersion from spectra of a mirror.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

struct MirrorOptions {
    int order = 5; ///< order of the polynomial fitted to the fringe's phase, 2 to 15
};

/// The phase of a mirror's fringe along the raw line.
struct FringePhase {
    double bin = 0.0;           ///< mean fringe frequency, periods per line
    std::vector<double> phase;  ///< rad; rises; the fitted polynomial
    std::vector<double> weight; ///< fringe amplitude over its largest value; 0 at the line's ends
    double residualRad = 0.0;   ///< weighted RMS of the measured phase minus the polynomial
};

/// `lines` holds spectra of `samples` values each, with the background subtracted. Lines may differ
/// by a phase, where the mirror drifts: they are rotated to the phase of the strongest line and
/// averaged. The fringe is the strongest one beyond the light's own spectrum. A band-pass from 0.4
/// to 1.6 of its frequency makes it analytic. Its phase is unwrapped and fitted with the fringe's
/// amplitude as weight; the fit also extends the curve to the dark ends. Throws Error, one
/// sentence, where there is no fringe.
FringePhase fringePhase(std::span<const float> lines, std::int64_t samples,
                        const MirrorOptions& options = {});

/// Shown with an estimate from one mirror.
inline constexpr const char* kOneMirror =
    "One mirror cannot part dispersion from sampling, so the curve holds both and is right only "
    "where there is no dispersion; record the mirror on the other side of zero delay as well, and "
    "give both.";

struct MirrorEstimate {
    std::vector<double> resampling;           ///< see Spectrometer
    double largestDeviation = 0.0;            ///< largest deviation of the resampling from linear,
                                              ///< in samples
    double residualRad = 0.0;                 ///< see FringePhase; the larger one of two
    std::vector<double> dispersionRad;        ///< only of two mirrors, see Spectrometer
    std::array<double, 3> dispersion = {0.0}; ///< c1, c2, c3 the terms that fit dispersionRad best
};

/// From one mirror: the whole curvature of the phase is attributed to the wavenumber. u(p) = (n -
/// 1) (theta(p) - theta(0)) / (theta(n - 1) - theta(0)), inverted.
MirrorEstimate estimateResampling(const FringePhase& mirror);

/// From two mirrors, one on each side of zero delay: theta1 = a1 u + phi and theta2 = a2 u - phi.
/// So the sum gives u, and half the difference without its straight part gives phi. `mirror` is on
/// the side of zero delay where the sample will lie. Throws Error where the lines differ in length,
/// or where the phases differ only by a constant.
MirrorEstimate estimateResampling(const FringePhase& mirror, const FringePhase& other);

/// c1, c2, c3 of phi = c1 x^2 + c2 x^3 + c3 x^4, x = -m / (2 (n - 1)), that fit `phase` best. A
/// straight line is fitted along and dropped, because it only moves the image.
std::array<double, 3> dispersionTerms(std::span<const double> phase,
                                      std::span<const double> weights);

} // namespace echolux
