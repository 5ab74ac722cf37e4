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
    std::int64_t channels; ///< or transmits, or pairs of both
    std::int64_t pixels;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t halfRows; ///< of short lags, above and below
    std::int64_t perLine;  ///< channels along a line of a matrix array; else all

    ECHOLUX_HD std::int64_t lines() const { return channels / perLine; }
    ECHOLUX_HD bool isGrid() const { return perLine < channels; }
};

/// The channels at a pixel.
template <class Value> struct PixelChannels {
    const Value* first;
    std::int64_t count;
    std::int64_t stride;

    ECHOLUX_HD Value operator[](std::int64_t i) const { return first[i * stride]; }
};

/// Calls each(i, channel i) for first <= i < end. Four are read before the first is used, so that
/// loads overlap on the GPU.
template <class Value, class Each> ECHOLUX_HD void eachChannel(const PixelChannels<Value>& channels,
                                                               std::int64_t first, std::int64_t end,
                                                               const Each& each) {
    std::int64_t i = first;
    for (; i + 4 <= end; i += 4) {
        const Value some[4] = {channels[i], channels[i + 1], channels[i + 2], channels[i + 3]};
        for (int n = 0; n < 4; ++n) each(i + n, some[n]);
    }
    for (; i < end; ++i) each(i, channels[i]);
}
template <class Value, class Each>
ECHOLUX_HD void eachChannel(const PixelChannels<Value>& channels, const Each& each) {
    eachChannel(channels, 0, channels.count, [&](std::int64_t, Value value) { each(value); });
}

ECHOLUX_HD inline float realOf(float value) { return value; }
ECHOLUX_HD inline float realOf(Complex value) { return value.re; }
ECHOLUX_HD inline Complex asComplex(float value) { return {value, 0.0F}; }
ECHOLUX_HD inline Complex asComplex(Complex value) { return value; }
ECHOLUX_HD inline float rootOfPositive(float value) { return sqrtf(value > 0.0F ? value : 0.0F); }
ECHOLUX_HD inline float notNegative(float value) { return value > 0.0F ? value : 0.0F; }

/// What a method gives in one pass over the channels.
template <class Value> struct Agreement {
    Value sum{};
    float weight = 0.0F;
};

/// Sums over the channels that are heard.
template <class Value> struct Heard {
    Value sum{};
    float power = 0.0F;
    float count = 0.0F;

    ECHOLUX_HD void add(Value value) {
        const float own = das::power(value);
        sum = das::sumOf(sum, value);
        power += own;
        count += own > 0.0F ? 1.0F : 0.0F;
    }
};

template <class Value> ECHOLUX_HD Value sumOf(const PixelChannels<Value>& channels) {
    Value sum{};
    eachChannel(channels, [&](Value value) { sum = das::sumOf(sum, value); });
    return sum;
}

template <class Value>
ECHOLUX_HD Agreement<Value> coherenceOf(const PixelChannels<Value>& channels) {
    Heard<Value> heard;
    eachChannel(channels, [&](Value value) { heard.add(value); });
    return {heard.sum,
            heard.power > 0.0F ? das::power(heard.sum) / (heard.count * heard.power) : 0.0F};
}

/// The channels from the first to the last that are heard.
struct Aperture {
    std::int64_t first = 0;
    std::int64_t length = 0;
};

/// Searches from both ends, so that channels inside the aperture are not read.
template <class Value> ECHOLUX_HD Aperture apertureOf(const PixelChannels<Value>& channels) {
    std::int64_t first = 0;
    std::int64_t end = channels.count;
    while (first < end && das::power(channels[first]) == 0.0F) ++first;
    while (end > first && das::power(channels[end - 1]) == 0.0F) --end;
    return {first, end - first};
}

/// Spatial frequencies `first` to `first + kBins - 1`, in cycles over `length` channels, and their
/// opposites.
template <int kBins> struct SpatialFrequencies {
    int first;
    float length;
    Complex forward[kBins] = {};
    Complex backward[kBins] = {};

    /// Phasors follow from each other for so many channels.
    static constexpr int kTurns = 16;

    template <class Value> ECHOLUX_HD void add(const PixelChannels<Value>& channels,
                                               const Aperture& aperture, Heard<Value>& heard) {
        const Complex step = das::unitPhasor(1.0F / length);
        const Complex firstStep = das::unitPhasor(static_cast<float>(first) / length);
        for (std::int64_t from = 0; from < aperture.length; from += kTurns) {
            Complex turn = das::unitPhasor(static_cast<float>(from) / length);
            Complex own = das::unitPhasor(static_cast<float>(from * first) / length);
            const std::int64_t left = aperture.length - from;
            const std::int64_t begin = aperture.first + from;
            eachChannel(channels, begin, begin + (left < kTurns ? left : kTurns),
                        [&](std::int64_t, Value value) {
                            heard.add(value);
                            addTurned(asComplex(value), own, turn);
                            own = own * firstStep;
                            turn = turn * step;
                        });
        }
    }
    ECHOLUX_HD float energy(int bins) const {
        float sum = 0.0F;
        for (int b = 0; b < kBins; ++b)
            if (first + b <= bins) sum += norm(forward[b]) + norm(backward[b]);
        return sum;
    }

private:
    ECHOLUX_HD void addTurned(Complex value, Complex own, Complex turn) {
        for (int b = 0; b < kBins; ++b) {
            forward[b] = forward[b] + value * conj(own);
            backward[b] = backward[b] + value * own;
            own = own * turn;
        }
    }
};

/// Energy of the frequencies 1 to `bins` and of their opposites, kBins at once.
template <int kBins, class Value>
ECHOLUX_HD float energyOfBins(const PixelChannels<Value>& channels, const Aperture& aperture,
                              float length, int bins, Heard<Value>& heard) {
    float energy = 0.0F;
    for (int first = 1; first <= bins; first += kBins) {
        SpatialFrequencies<kBins> some{first, length};
        heard = {};
        some.add(channels, aperture, heard);
        energy += some.energy(bins);
    }
    return energy;
}

template <class Value> ECHOLUX_HD Agreement<Value>
generalizedOf(const PixelChannels<Value>& channels, const CombineNumbers& numbers) {
    const Aperture aperture = apertureOf(channels);
    const std::int64_t length = numbers.wholeArray ? channels.count : aperture.length;
    const int bins = 2 * numbers.lowBins + 1 >= length ? 0 : numbers.lowBins;
    const auto all = static_cast<float>(length);
    Heard<Value> heard;
    float low = 0.0F;
    if (bins == 0) {
        eachChannel(channels, aperture.first, aperture.first + aperture.length,
                    [&](std::int64_t, Value value) { heard.add(value); });
    } else if (bins <= 2) {
        low = energyOfBins<2>(channels, aperture, all, bins, heard);
    } else {
        low = energyOfBins<4>(channels, aperture, all, bins, heard);
    }
    if (!(heard.power > 0.0F)) return {heard.sum, 0.0F};
    if (bins < numbers.lowBins) return {heard.sum, 1.0F}; // all frequencies
    low += das::power(heard.sum);
    return {heard.sum, low / (all * heard.power)};
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

ECHOLUX_HD inline Agreement<Complex> phaseOf(const PixelChannels<Complex>& channels) {
    constexpr float kPerUniform = 0.551328895F; // sqrt(3) / pi: of a uniform phase it gives 1
    Spread direct;
    Spread turned;
    Complex sum;
    float heard = 0.0F;
    eachChannel(channels, [&](Complex value) {
        if (norm(value) == 0.0F) return;
        sum = sum + value;
        const float phase = atan2f(value.im, value.re);
        direct.add(phase, heard == 0.0F);
        turned.add(phase - copysignf(das::kPi, phase), heard == 0.0F);
        heard += 1.0F;
    });
    if (heard == 0.0F) return {};
    const float a = direct.variance(heard);
    const float b = turned.variance(heard);
    return {sum, notNegative(1.0F - kPerUniform * rootOfPositive(a < b ? a : b))};
}

ECHOLUX_HD inline Agreement<Complex> circularOf(const PixelChannels<Complex>& channels) {
    Spread cosine;
    Spread sine;
    Complex sum;
    float heard = 0.0F;
    eachChannel(channels, [&](Complex value) {
        const float power = norm(value);
        if (power == 0.0F) return;
        sum = sum + value;
        const float scale = 1.0F / sqrtf(power);
        cosine.add(scale * value.re, heard == 0.0F);
        sine.add(scale * value.im, heard == 0.0F);
        heard += 1.0F;
    });
    if (heard == 0.0F) return {};
    return {sum, notNegative(1.0F - rootOfPositive(cosine.variance(heard) + sine.variance(heard)))};
}

template <class Value> ECHOLUX_HD Agreement<Value> signOf(const PixelChannels<Value>& channels) {
    Value sum{};
    float signs = 0.0F;
    float heard = 0.0F;
    eachChannel(channels, [&](Value value) {
        if (das::power(value) == 0.0F) return;
        sum = das::sumOf(sum, value);
        signs += realOf(value) < 0.0F ? -1.0F : 1.0F;
        heard += 1.0F;
    });
    if (heard == 0.0F) return {};
    const float mean = signs / heard;
    return {sum, 1.0F - rootOfPositive(1.0F - mean * mean)};
}

/// `power` to the power -1/4.
ECHOLUX_HD inline float inverseFourthRoot(float power) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(sqrtf(power));
#else
    return 1.0F / sqrtf(sqrtf(power));
#endif
}

/// The products of pairs are half of what the square of the sum has besides squares.
ECHOLUX_HD inline Complex productsOfPairs(const PixelChannels<Complex>& channels,
                                          Heard<Complex>& heard) {
    Complex roots;
    Complex squares;
    eachChannel(channels, [&](Complex value) {
        heard.add(value);
        const float power = norm(value);
        if (power == 0.0F) return;
        const Complex root = inverseFourthRoot(power) * value;
        roots = roots + root;
        squares = squares + root * root;
    });
    return 0.5F * (roots * roots - squares);
}

ECHOLUX_HD inline Complex productsOfSets(const PixelChannels<Complex>& channels, int order,
                                         Heard<Complex>& heard) {
    Complex products[kMostOrder + 1] = {}; // of all sets of so many channels
    products[0] = {1.0F, 0.0F};
    const float root = 0.5F * (1.0F / static_cast<float>(order) - 1.0F); // of the power
    eachChannel(channels, [&](Complex value) {
        heard.add(value);
        const float power = norm(value);
        if (power == 0.0F) return;
        const Complex scaled = powf(power, root) * value;
        for (int q = kMostOrder; q > 0; --q)
            if (q <= order) products[q] = products[q] + scaled * products[q - 1];
    });
    Complex all;
    for (int q = 1; q <= kMostOrder; ++q)
        if (q == order) all = products[q];
    return all;
}

/// The sum, and what `multiply` makes of the channels.
struct Products {
    Complex sum;
    Complex image;
};
template <bool kPairs>
ECHOLUX_HD Products multiplied(const PixelChannels<Complex>& channels, int order) {
    Heard<Complex> heard;
    Complex all;
    if constexpr (kPairs) {
        all = productsOfPairs(channels, heard);
    } else {
        all = productsOfSets(channels, order, heard);
    }
    float sets = 1.0F;
    for (int q = 0; q < order; ++q)
        sets *= (heard.count - static_cast<float>(q)) / static_cast<float>(q + 1);
    return {heard.sum, sets > 0.0F ? (heard.count / sets) * all : Complex{}};
}

} // namespace echolux::channels
