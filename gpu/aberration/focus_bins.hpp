// SPDX-License-Identifier: GPL-3.0-or-later
// Focuses channels on points, cuts them to a time gate, and computes a few frequencies, for host
// and device. With tau the arrival time of point p in element k and transmit t, and gate G:
//   Y_k(p, f) = mean_t sum_n s_tk(n) w(t_n - tau) exp(-2 pi j f (t_n - tau)),
//   w(u) = cos^2(pi u / G) for |u| < G / 2,
// The mean is over the transmits that reach the point and that the element heard; apertures may
// walk. For IQ data f - fd replaces f, and the result is multiplied by exp(+2 pi j fd (tau -
// iqPhaseZero)). A gate that reaches beyond the record counts as silent. So does an element whose
// direction to the point is outside its aperture.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/multiply_add.hpp"
#include "gpu/core/unroll.hpp"

#include <cstdint>

namespace echolux::aberration {

constexpr int kBinsAtOnce = 8; ///< bins that are kept in registers

/// Real and imaginary parts are separate, so that a vector of the host holds several bins.
struct BinSums {
    float re[kBinsAtOnce];
    float im[kBinsAtOnce];

    ECHOLUX_HD void set(int b, Complex value) {
        re[b] = value.re;
        im[b] = value.im;
    }
};

template <class Sample> struct FocusBins {
    das::Constants k;
    const Sample* samples;         ///< [transmit][channel][sample]
    const das::Place* point;       ///< [points]
    const std::int32_t* elementAt; ///< [places], -1: none
    const float* cyclesPerSample;  ///< [bins] (f - fd) / fs
    std::int32_t points;
    std::int32_t bins;
    float gate;   ///< in samples
    Complex* out; ///< [place][point][bin]

    /// Index: (place * points + point) * chunks + chunk.
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int32_t chunks = (bins + kBinsAtOnce - 1) / kBinsAtOnce;
        const auto first = static_cast<std::int32_t>(i % chunks) * kBinsAtOnce;
        const std::int64_t item = i / chunks;
        const auto place = static_cast<std::int32_t>(item / points);
        const int count = bins - first < kBinsAtOnce ? bins - first : kBinsAtOnce;
        BinSums sum{};
        float scale = 0.0F;
        const std::int32_t element = elementAt[place];
        const das::Place at = point[item % points];
        if (element >= 0 && das::apodization(k, element, at) > 0.0F) {
            float heard = 0.0F;
            for (int t = 0; t < k.transmits; ++t)
                heard += addTransmit(t, element, at, first, count, sum);
            scale = heard > 0.0F ? 1.0F / heard : 0.0F;
        }
        for (int b = 0; b < count; ++b)
            out[item * bins + first + b] = {scale * sum.re[b], scale * sum.im[b]};
    }

    /// Returns 1 where the element heard the whole gate, else 0.
    ECHOLUX_HD float addTransmit(int t, std::int32_t element, const das::Place& at,
                                 std::int32_t firstBin, int count, BinSums& sum) const {
        if (!das::reaches(k, t, at)) return 0.0F;
        const das::TransmitConstants& transmit = k.transmit[t];
        const std::int64_t record = das::recordOf(k, transmit.line, element);
        if (record < 0) return 0.0F;
        const float weight = k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
        if (weight == 0.0F) return 0.0F;
        const float arrival =
            das::transmitIndex(transmit, k.indexPerMetre, at) + das::receiveIndex(k, element, at);
        const float begin = std::ceil(arrival - 0.5F * gate);
        const float end = std::floor(arrival + 0.5F * gate);
        if (!(begin >= 0.0F) || !(end < static_cast<float>(k.samples))) return 0.0F;
        BinSums turned;
        BinSums step;
        const float phase = std::fma(arrival, k.cyclesPerSample, transmit.phaseCycles);
        for (int b = 0; b < kBinsAtOnce; ++b) {
            const float cycles = cyclesPerSample[firstBin + (b < count ? b : 0)];
            turned.set(b, das::unitPhasor(std::fma(arrival - begin, cycles, phase)));
            step.set(b, das::unitPhasor(-cycles));
        }
        const Sample* line = samples + record * k.samples;
        for (auto n = static_cast<std::int32_t>(begin); n <= static_cast<std::int32_t>(end); ++n) {
            const float aside = (static_cast<float>(n) - arrival) / gate;
            const float taper = weight * std::fma(0.5F, das::unitPhasor(aside).re, 0.5F);
            add(taper * line[n], turned, sum);
            ECHOLUX_UNROLL_KNOWN
            for (int b = 0; b < kBinsAtOnce; ++b) {
                const float re = turned.re[b] * step.re[b] - turned.im[b] * step.im[b];
                turned.im[b] = turned.re[b] * step.im[b] + turned.im[b] * step.re[b];
                turned.re[b] = re;
            }
        }
        return 1.0F;
    }

private:
    ECHOLUX_HD static void add(float sample, const BinSums& turned, BinSums& sum) {
        ECHOLUX_UNROLL_KNOWN
        for (int b = 0; b < kBinsAtOnce; ++b) {
            sum.re[b] = multiplyAdd(sample, turned.re[b], sum.re[b]);
            sum.im[b] = multiplyAdd(sample, turned.im[b], sum.im[b]);
        }
    }
    ECHOLUX_HD static void add(Complex sample, const BinSums& turned, BinSums& sum) {
        ECHOLUX_UNROLL_KNOWN
        for (int b = 0; b < kBinsAtOnce; ++b) {
            sum.re[b] = multiplyAdd(sample.re, turned.re[b],
                                    multiplyAdd(-sample.im, turned.im[b], sum.re[b]));
            sum.im[b] = multiplyAdd(sample.re, turned.im[b],
                                    multiplyAdd(sample.im, turned.re[b], sum.im[b]));
        }
    }
};

} // namespace echolux::aberration
