// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the estimate of an aberrating screen (Herikstad 2009).
#pragma once

#include <cstdint>

namespace echolux::aberration {

/// How a filter is found from the channels' cross spectra.
enum class Method {
    LeastSquares, ///< delays that fit the phase differences of neighbours best, weighted by
                  ///< coherence
    BeamSum,      ///< compares each channel with the sum of all others, repeatedly
    Conjugate,    ///< S <- (1 - mu) S + mu mean_n M_n / conj(S_n)
    Matlab,       ///< Herikstad's appendix E as published: M / S, plain sum
    Gpu,          ///< Herikstad's CUDA program: divides the whole relaxed value by the kernel's
                  ///< number of places
    Cpu,          ///< Herikstad's C program: plain sum, his stopping rule
};

/// True for the iterations in their published form.
constexpr bool isPublished(Method method) {
    return method == Method::Matlab || method == Method::Gpu || method == Method::Cpu;
}

/// True for methods that iterate from one filter to the next.
constexpr bool isIterated(Method method) {
    return isPublished(method) || method == Method::Conjugate;
}

/// Parameters of the comparison of focused channels.
struct SolveParams {
    Method method = Method::LeastSquares;
    std::int64_t radius = 3;     ///< neighbours on each side; for matrix arrays at most 3
    std::int64_t passes = 3;     ///< least squares: how many times the points are weighted again
    std::int64_t iterations = 8; ///< per pass; for iterated methods the most in total
    double mu = 0.9;             ///< share of the new value, 0 to 1
    double epsilon = 0.01;       ///< the iteration ends when the change is smaller
    double focusPower = 1.5;     ///< points are weighted with this power of their coherence factor
    double partPower = 1.5;      ///< and with this power; least squares uses here the coherence
                                 ///< factor of the elements close by
    double minCoherence = 0.35;  ///< least coherence of neighbours; below it nothing is corrected.
                                 ///< Noise reaches 0.33
};

/// The usual parameters of a method. Those of Herikstad's programs are from 2009, appendices E and
/// F; the conjugate iteration needs this many steps. The other methods have the defaults for a line
/// of elements.
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

/// Largest magnitude of the spectra for iterated methods. These begin with S = 1 and have fixed
/// floors, so their course depends on the data's scale. The published data had about this scale.
constexpr float kUsualMagnitude = 4.0F;

/// The region that is focused on, and the frequencies.
struct FocusParams {
    double lateralM = 0.0; ///< the region's centre
    double depthM = 0.03;
    double elevationM = 0.0;
    double widthM = 0.01;      ///< along the array
    double heightM = 0.01;     ///< in depth
    std::int64_t points = 512; ///< most points in the region
    double gateS = 2e-6;       ///< length of the time gate around each point, with a Hann taper
    double centreHz = 5e6;
    double bandwidthHz = 2.5e6;
    std::int64_t bins = 8;
    double soundSpeedMps = 1540.0;
    double t0OffsetS = 0.0;
};

} // namespace echolux::aberration
