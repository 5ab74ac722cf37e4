// SPDX-License-Identifier: GPL-3.0-or-later
// What an estimate of an aberrating screen depends on (Herikstad 2009).
#pragma once

#include <cstdint>

namespace echolux::aberration {

/// How a filter is found from the channels' cross spectra.
enum class Method {
    LeastSquares, ///< delays that fit the phase differences of neighbours best, weighed by
                  ///< coherence
    BeamSum,      ///< each channel against the sum of all others, again and again
    Conjugate,    ///< S <- (1 - mu) S + mu mean_n M_n / conj(S_n)
    Matlab,       ///< Herikstad's appendix E as published: M / S, a plain sum
    Gpu,          ///< his CUDA program: the whole relaxed value over the kernel's places
    Cpu,          ///< his C program: a plain sum, his stopping rule
};

/// The iterations as they were published.
constexpr bool isPublished(Method method) {
    return method == Method::Matlab || method == Method::Gpu || method == Method::Cpu;
}

/// From a filter to the next.
constexpr bool isIterated(Method method) {
    return isPublished(method) || method == Method::Conjugate;
}

/// What compares channels once they are focused.
struct SolveParams {
    Method method = Method::LeastSquares;
    std::int64_t radius = 3;     ///< neighbours to each side; of matrix arrays at most 3
    std::int64_t passes = 3;     ///< least squares: how often points are weighed anew
    std::int64_t iterations = 8; ///< of a pass, or at most in all
    double mu = 0.9;             ///< share of the new value, 0 to 1
    double epsilon = 0.01;       ///< the iteration ends below it
    double focusPower = 1.5;     ///< points weigh with this power of their coherence factor
    double partPower = 1.5;      ///< and this one; least squares: of that of the elements close by
    double minCoherence = 0.35;  ///< of neighbours; below it nothing is corrected. Noise: to 0.33
};

/// What a method is used with: Herikstad's programs ran with these (2009, appendices E and F), and
/// the conjugate iteration needs as many steps. Of the others, the defaults of a line of elements.
constexpr SolveParams usualFor(Method method) {
    switch (method) {
    case Method::LeastSquares:
    case Method::BeamSum: break;
    case Method::Conjugate:
        return {.method = method, .radius = 2, .iterations = 300, .epsilon = 1e-4};
    case Method::Matlab:
        return {.method = method, .radius = 2, .iterations = 30, .mu = 0.3, .epsilon = 0.0};
    case Method::Gpu:
    case Method::Cpu:
        return {.method = method, .radius = 2, .iterations = 50, .mu = 0.1, .epsilon = 0.01};
    }
    return {.method = method};
}

/// Largest magnitude of the spectra that iterations are given: they begin with S = 1 and have fixed
/// floors, so that their course depends on the data's scale; published was one near this.
constexpr float kUsualMagnitude = 4.0F;

/// Where is looked, and at which frequencies.
struct FocusParams {
    double lateralM = 0.0; ///< the region's centre
    double depthM = 0.03;
    double elevationM = 0.0;
    double widthM = 0.01;      ///< along the array
    double heightM = 0.01;     ///< in depth
    std::int64_t points = 512; ///< at most that a region is focused on
    double gateS = 2e-6;       ///< length of the time gate round each point, Hann taper
    double centreHz = 5e6;
    double bandwidthHz = 2.5e6;
    std::int64_t bins = 8;
    double soundSpeedMps = 1540.0;
    double t0OffsetS = 0.0;
};

} // namespace echolux::aberration
