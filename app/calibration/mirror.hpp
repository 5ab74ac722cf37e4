// SPDX-License-Identifier: GPL-3.0-or-later
// What spectra of a mirror tell of the device: its sampling in wavenumber and its dispersion.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

struct MirrorOptions {
    int order = 5; ///< of the polynomial through the fringe's phase, 2 to 15
};

/// The phase of a mirror's fringe along the raw line.
struct FringePhase {
    double bin = 0.0;           ///< mean fringe frequency, periods per line
    std::vector<double> phase;  ///< rad, rises; smooth: a polynomial
    std::vector<double> weight; ///< fringe amplitude over its largest, 0 at the line's ends
    double residualRad = 0.0;   ///< RMS of the measured phase about the polynomial, weighted
};

/// `lines` holds spectra of `samples` values each, background taken off; lines that differ by a
/// phase (a mirror that drifts) are turned into step with the strongest, then averaged. The fringe
/// is the strongest one beyond the light's own spectrum, made analytic by a band-pass from 0.4
/// to 1.6 of its frequency; its phase is unwrapped and fitted with the fringe's amplitude as
/// weight, which also carries the curve to the dark ends. Throws Error, one sentence, where there
/// is no fringe.
FringePhase fringePhase(std::span<const float> lines, std::int64_t samples,
                        const MirrorOptions& options = {});

/// To be told with the estimate from one mirror.
inline constexpr const char* kOneMirror =
    "One mirror cannot part dispersion from sampling, so the curve holds both and is right only "
    "where there is no dispersion; record the mirror on the other side of zero delay as well, and "
    "give both.";

struct MirrorEstimate {
    std::vector<double> resampling;           ///< see Spectrometer
    double largestDeviation = 0.0;            ///< of the resampling from linear, in samples
    double residualRad = 0.0;                 ///< see FringePhase; the larger one of two
    std::vector<double> dispersionRad;        ///< of two mirrors: see Spectrometer
    std::array<double, 3> dispersion = {0.0}; ///< c1, c2, c3 nearest to it
};

/// One mirror: all of the phase's curvature is taken for that of the wavenumber.
/// u(p) = (n - 1) (theta(p) - theta(0)) / (theta(n - 1) - theta(0)), inverted.
MirrorEstimate estimateResampling(const FringePhase& mirror);

/// Two mirrors on both sides of zero delay: theta1 = a1 u + phi and theta2 = a2 u - phi, so that
/// the sum gives u, and half the difference, freed of its straight part, gives phi. The sample is
/// meant to lie on the first one's side. Throws Error where the lines differ in length, or the
/// phases in nothing but a constant.
MirrorEstimate estimateResampling(const FringePhase& mirror, const FringePhase& other);

/// c1, c2, c3 of phi = c1 x^2 + c2 x^3 + c3 x^4, x = -m / (2 (n - 1)), that fit `phase` best but
/// for a straight line, which only moves the image.
std::array<double, 3> dispersionTerms(std::span<const double> phase,
                                      std::span<const double> weights);

} // namespace echolux
