// SPDX-License-Identifier: GPL-3.0-or-later
// Channels of a matrix array at one pixel, and their generalized coherence: spatial frequencies are
// vectors, of up to M0 cycles along the lines and across.
#pragma once

#include "gpu/stages/combine_formula.hpp"

#include <cstdint>

namespace echolux::channels {

/// A rectangle of the grid. Empty: 0 along.
struct GridBox {
    std::int64_t first = 0; ///< channel
    std::int64_t along = 0; ///< channels of each line
    std::int64_t across = 0;
};

/// Where channels are heard along the lines and across.
struct GridReach {
    int left;
    int right = -1;
    int top;
    int bottom = -1;

    /// Of nothing.
    ECHOLUX_HD explicit GridReach(std::int64_t channels)
        : left(static_cast<int>(channels)), top(static_cast<int>(channels)) {}
    ECHOLUX_HD void add(int along, int across) {
        left = along < left ? along : left;
        right = along > right ? along : right;
        top = across < top ? across : top;
        bottom = across > bottom ? across : bottom;
    }
    ECHOLUX_HD GridBox box(std::int64_t perLine) const {
        if (right < left) return {};
        return {top * perLine + left, right - left + 1, bottom - top + 1};
    }
};

/// The smallest box that holds all channels that are heard.
template <class Value>
ECHOLUX_HD GridBox boxOf(const PixelChannels<Value>& channels, std::int64_t perLine) {
    GridReach reach(channels.count);
    const auto width = static_cast<int>(perLine);
    int along = 0;
    int across = 0;
    eachChannel(channels, [&](Value value) {
        if (das::power(value) != 0.0F) reach.add(along, across);
        if (++along < width) return;
        along = 0;
        ++across;
    });
    return reach.box(perLine);
}

/// The spatial frequencies -`bins` to `bins` in cycles over `length` channels, or all where there
/// are no more.
struct FrequencyRange {
    int first;
    int count;
    float length;

    ECHOLUX_HD FrequencyRange(int bins, std::int64_t channels)
        : first(-bins), count(2 * bins + 1), length(static_cast<float>(channels)) {
        if (count < channels) return;
        first = 0;
        count = static_cast<int>(channels);
    }
    ECHOLUX_HD bool isAll() const { return static_cast<float>(count) == length; }
    /// Turned back by the frequency at `channel`.
    ECHOLUX_HD Complex phasor(int frequency, std::int64_t channel) const {
        return conj(das::unitPhasor(
            static_cast<float>(frequency * static_cast<int>(channel) % static_cast<int>(length)) /
            length));
    }
};

template <class Value> struct GridSpectrum {
    const PixelChannels<Value>& channels;
    std::int64_t perLine;
    GridBox box;
    FrequencyRange along;
    FrequencyRange across;

    static constexpr int kTogether = 5; ///< frequencies across: those of M0 = 2
    static constexpr int kTurns = 16;   ///< phasors follow from each other for so many channels

    /// The energy of all frequencies in the ranges.
    ECHOLUX_HD float energy() const {
        float sum = 0.0F;
        for (int i = 0; i < along.count; ++i)
            for (int j = 0; j < across.count; j += kTogether)
                sum += energyOf(along.first + i, across.first + j,
                                across.count - j < kTogether ? across.count - j : kTogether);
        return sum;
    }

private:
    /// Of one frequency along, and so many across.
    ECHOLUX_HD float energyOf(int frequency, int first, int count) const {
        Complex sums[kTogether] = {};
        for (std::int64_t line = 0; line < box.across; ++line) {
            const Complex value = lineSum(frequency, box.first + line * perLine);
            for (int n = 0; n < kTogether; ++n)
                if (n < count) sums[n] = sums[n] + value * across.phasor(first + n, line);
        }
        float energy = 0.0F;
        for (const Complex& sum : sums) energy += norm(sum);
        return energy;
    }
    ECHOLUX_HD Complex lineSum(int frequency, std::int64_t begin) const {
        const Complex step = along.phasor(frequency, 1);
        Complex sum;
        for (std::int64_t from = 0; from < box.along; from += kTurns) {
            const std::int64_t left = box.along - from;
            Complex turn = along.phasor(frequency, from);
            eachChannel(channels, begin + from, begin + from + (left < kTurns ? left : kTurns),
                        [&](std::int64_t, Value value) {
                            sum = sum + asComplex(value) * turn;
                            turn = turn * step;
                        });
        }
        return sum;
    }
};

template <class Value>
ECHOLUX_HD Agreement<Value> generalizedOnGrid(const PixelChannels<Value>& channels,
                                              std::int64_t perLine, const CombineNumbers& numbers) {
    Heard<Value> heard;
    eachChannel(channels, [&](Value value) { heard.add(value); });
    if (!(heard.power > 0.0F)) return {heard.sum, 0.0F};
    const GridBox box = boxOf(channels, perLine);
    const std::int64_t width = numbers.wholeArray ? perLine : box.along;
    const std::int64_t height = numbers.wholeArray ? channels.count / perLine : box.across;
    const FrequencyRange along(numbers.lowBins, width);
    const FrequencyRange across(numbers.lowBins, height);
    if (along.isAll() && across.isAll()) return {heard.sum, 1.0F};
    const float low = GridSpectrum<Value>{channels, perLine, box, along, across}.energy();
    return {heard.sum, low / (along.length * across.length * heard.power)};
}

} // namespace echolux::channels
