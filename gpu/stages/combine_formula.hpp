// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of `combine` at one pixel; combine.cu states them.
#pragma once

#include "gpu/beamform/beamform_formula.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::channels {

constexpr int kMostOrder = 5;

/// What the functors read of the parameters.
struct CombineNumbers {
    int lowBins;
    bool wholeArray;
    int order;
    float exponent;
    float blend;
};

struct CombineShape {
    std::int64_t channels;
    std::int64_t pixels;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t halfRows; ///< of short lags, above and below
};

/// The channels at a pixel.
template <class Value> struct PixelChannels {
    const Value* first;
    std::int64_t count;
    std::int64_t stride;

    ECHOLUX_HD Value operator[](std::int64_t i) const { return first[i * stride]; }
};

ECHOLUX_HD inline float realOf(float value) { return value; }
ECHOLUX_HD inline float realOf(Complex value) { return value.re; }
ECHOLUX_HD inline Complex asComplex(float value) { return {value, 0.0F}; }
ECHOLUX_HD inline Complex asComplex(Complex value) { return value; }
ECHOLUX_HD inline float rootOfPositive(float value) { return sqrtf(value > 0.0F ? value : 0.0F); }
ECHOLUX_HD inline float notNegative(float value) { return value > 0.0F ? value : 0.0F; }

template <class Value>
ECHOLUX_HD float coherenceOf(const PixelChannels<Value>& channels, const CombineNumbers&) {
    Value sum{};
    float power = 0.0F;
    float heard = 0.0F;
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Value value = channels[i];
        const float own = das::power(value);
        sum = das::sumOf(sum, value);
        power += own;
        heard += own > 0.0F ? 1.0F : 0.0F;
    }
    return power > 0.0F ? das::power(sum) / (heard * power) : 0.0F;
}

/// Energy of the spatial frequency of `cycles` per channel, and of its opposite.
template <class Value> ECHOLUX_HD float energyAt(const PixelChannels<Value>& channels,
                                                 std::int64_t first, std::int64_t last,
                                                 float cycles) {
    Complex forward;
    Complex backward;
    for (std::int64_t i = first; i <= last; ++i) {
        const Complex turn = das::unitPhasor(static_cast<float>(i - first) * cycles);
        const Complex value = asComplex(channels[i]);
        forward = forward + value * conj(turn);
        backward = backward + value * turn;
    }
    return norm(forward) + norm(backward);
}

template <class Value> ECHOLUX_HD float generalizedOf(const PixelChannels<Value>& channels,
                                                      const CombineNumbers& numbers) {
    std::int64_t first = channels.count;
    std::int64_t last = -1;
    Value sum{};
    float power = 0.0F;
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Value value = channels[i];
        const float own = das::power(value);
        sum = das::sumOf(sum, value);
        power += own;
        if (own == 0.0F) continue;
        first = i < first ? i : first;
        last = i;
    }
    if (!(power > 0.0F)) return 0.0F;
    const std::int64_t length = numbers.wholeArray ? channels.count : last - first + 1;
    if (2 * numbers.lowBins + 1 >= length) return 1.0F; // all frequencies
    float low = das::power(sum);
    for (int bin = 1; bin <= numbers.lowBins; ++bin)
        low +=
            energyAt(channels, first, last, static_cast<float>(bin) / static_cast<float>(length));
    return low / (static_cast<float>(length) * power);
}

/// Sums of deviations from the first value, so that equal values have no variance.
struct Spread {
    float from = 0.0F;
    float sum = 0.0F;
    float squares = 0.0F;

    ECHOLUX_HD void add(float value, bool isFirst) {
        from = isFirst ? value : from;
        sum += value - from;
        squares = std::fma(value - from, value - from, squares);
    }
    ECHOLUX_HD float variance(float count) const {
        const float mean = sum / count;
        return std::fma(-mean, mean, squares / count);
    }
};

ECHOLUX_HD inline float phaseOf(const PixelChannels<Complex>& channels, const CombineNumbers&) {
    constexpr float kPerUniform = 0.551328895F; // sqrt(3) / pi: of a uniform phase it gives 1
    Spread direct;
    Spread turned;
    float heard = 0.0F;
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Complex value = channels[i];
        if (norm(value) == 0.0F) continue;
        const float phase = atan2f(value.im, value.re);
        direct.add(phase, heard == 0.0F);
        turned.add(phase - copysignf(das::kPi, phase), heard == 0.0F);
        heard += 1.0F;
    }
    if (heard == 0.0F) return 0.0F;
    const float a = direct.variance(heard);
    const float b = turned.variance(heard);
    return notNegative(1.0F - kPerUniform * rootOfPositive(a < b ? a : b));
}

ECHOLUX_HD inline float circularOf(const PixelChannels<Complex>& channels, const CombineNumbers&) {
    Spread cosine;
    Spread sine;
    float heard = 0.0F;
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Complex value = channels[i];
        const float power = norm(value);
        if (power == 0.0F) continue;
        const float scale = 1.0F / sqrtf(power);
        cosine.add(scale * value.re, heard == 0.0F);
        sine.add(scale * value.im, heard == 0.0F);
        heard += 1.0F;
    }
    if (heard == 0.0F) return 0.0F;
    return notNegative(1.0F - rootOfPositive(cosine.variance(heard) + sine.variance(heard)));
}

template <class Value>
ECHOLUX_HD float signOf(const PixelChannels<Value>& channels, const CombineNumbers&) {
    float signs = 0.0F;
    float heard = 0.0F;
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Value value = channels[i];
        if (das::power(value) == 0.0F) continue;
        signs += realOf(value) < 0.0F ? -1.0F : 1.0F;
        heard += 1.0F;
    }
    if (heard == 0.0F) return 0.0F;
    const float mean = signs / heard;
    return 1.0F - rootOfPositive(1.0F - mean * mean);
}

/// 1 / (root of the energy of a channel over the rows round a pixel); 0 where there is none.
template <class Value> struct InverseNorms {
    const Value* in;
    float* out;
    CombineShape shape;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / shape.laterals % shape.depths;
        float energy = 0.0F;
        for (std::int64_t k = -shape.halfRows; k <= shape.halfRows; ++k) {
            if (row + k < 0 || row + k >= shape.depths) continue;
            const float value = realOf(in[i + k * shape.laterals]);
            energy = std::fma(value, value, energy);
        }
        out[i] = energy > 0.0F ? 1.0F / sqrtf(energy) : 0.0F;
    }
};

template <class Value> struct ShortLags {
    const Value* in;
    const float* inverseNorm;
    float* out;
    CombineShape shape;
    int lags;

    ECHOLUX_HD void operator()(std::int64_t pixel) const {
        float sum = 0.0F;
        for (int lag = 1; lag <= lags; ++lag) sum += meanAt(pixel, lag);
        out[pixel] = sum / static_cast<float>(lags);
    }

private:
    ECHOLUX_HD float meanAt(std::int64_t pixel, std::int64_t lag) const {
        float sum = 0.0F;
        float pairs = 0.0F;
        for (std::int64_t i = 0; i + lag < shape.channels; ++i) {
            const std::int64_t a = i * shape.pixels + pixel;
            const std::int64_t b = a + lag * shape.pixels;
            const float scale = inverseNorm[a] * inverseNorm[b];
            if (scale == 0.0F) continue;
            sum = std::fma(scale, product(a, b, pixel / shape.laterals % shape.depths), sum);
            pairs += 1.0F;
        }
        return pairs > 0.0F ? sum / pairs : 0.0F;
    }
    ECHOLUX_HD float product(std::int64_t a, std::int64_t b, std::int64_t row) const {
        float sum = 0.0F;
        for (std::int64_t k = -shape.halfRows; k <= shape.halfRows; ++k) {
            if (row + k < 0 || row + k >= shape.depths) continue;
            sum = std::fma(realOf(in[a + k * shape.laterals]), realOf(in[b + k * shape.laterals]),
                           sum);
        }
        return sum;
    }
};

ECHOLUX_HD inline Complex multiplied(const PixelChannels<Complex>& channels, int order) {
    Complex products[kMostOrder + 1] = {}; // of all sets of so many channels
    products[0] = {1.0F, 0.0F};
    float heard = 0.0F;
    const float root = 0.5F * (1.0F / static_cast<float>(order) - 1.0F); // of the power
    for (std::int64_t i = 0; i < channels.count; ++i) {
        const Complex value = channels[i];
        const float power = norm(value);
        if (power == 0.0F) continue;
        const Complex scaled = powf(power, root) * value;
        for (int q = kMostOrder; q > 0; --q)
            if (q <= order) products[q] = products[q] + scaled * products[q - 1];
        heard += 1.0F;
    }
    float sets = 1.0F;
    for (int q = 0; q < order; ++q)
        sets *= (heard - static_cast<float>(q)) / static_cast<float>(q + 1);
    Complex all;
    for (int q = 1; q <= kMostOrder; ++q)
        if (q == order) all = products[q];
    return sets > 0.0F ? (heard / sets) * all : Complex{};
}

} // namespace echolux::channels
