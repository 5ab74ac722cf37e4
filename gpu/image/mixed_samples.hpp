// SPDX-License-Identifier: GPL-3.0-or-later
// What an image shows between its samples, by the kind of its values (ValueKind):
//   Plain: s = sum w v;  Amplitude, Power: max(s, 0)
//   Level: 20 log10(sum w 10^(v / 20)), not below the lowest neighbour
//   Cyclic: cycle / (2 pi) arg sum w exp(2 pi j v / cycle), and whole cycles as in the nearest
//   value Label: the nearest value
// w are the weights of four (bilinear) or sixteen (bicubic: Keys, Cubic convolution interpolation
// for digital image processing, IEEE Trans. ASSP 29, 1981, a = -1/2) neighbours. Some pixels have
// no value: those that are not finite, and 0 in images of velocities and of strain, whose range has
// both signs. Where the nearest sample has no value, the place has what that sample has; else the
// place is mixed linearly from the neighbours that have one.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/core/portable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace echolux::mixed {

/// Weight of the neighbour `offset` = -1 to 2 at fraction f behind neighbour 0.
ECHOLUX_HD inline float cubicWeight(int offset, float f) {
    const float d = fabsf(f - static_cast<float>(offset));
    return d <= 1.0F ? fmaf(d * d, fmaf(1.5F, d, -2.5F), 1.0F)
                     : fmaf(d, fmaf(d, fmaf(-0.5F, d, 2.5F), -4.0F), 2.0F);
}

ECHOLUX_HD inline bool hasValue(float sample) {
    return fabsf(sample) <= std::numeric_limits<float>::max();
}
ECHOLUX_HD inline bool hasValue(Complex sample) { return hasValue(sample.re); }
ECHOLUX_HD inline float noValue() { return std::numeric_limits<float>::quiet_NaN(); }

ECHOLUX_HD inline float addTo(float sum, float weight, float sample) {
    return fmaf(weight, sample, sum);
}
ECHOLUX_HD inline Complex addTo(Complex sum, float weight, Complex sample) {
    return {fmaf(weight, sample.re, sum.re), fmaf(weight, sample.im, sum.im)};
}

/// Plain values, amplitudes and powers. A rule of mixing says what is mixed in place of a value
/// (`sampleOf`), and which value a sum of samples means (`valueOf`; `least` is the least of the
/// mixed samples, `nearest` the nearest value).
struct ByValue {
    using Sample = float;
    static constexpr bool kNearest = false;
    static constexpr bool kAboveLeast = false;
    bool notNegative = false;
    bool zeroIsNone = false;

    ECHOLUX_HD bool preparesSamples() const { return zeroIsNone; }
    ECHOLUX_HD float sampleOf(float value) const {
        return zeroIsNone && value == 0.0F ? noValue() : value;
    }
    ECHOLUX_HD float valueOf(float sum, float, float) const {
        return notNegative ? fmaxf(sum, 0.0F) : sum;
    }
};

/// Levels in dB.
struct ByAmplitude {
    using Sample = float;
    static constexpr bool kNearest = false;
    static constexpr bool kAboveLeast = true;
    float lowest = 0.0F;    ///< level that comes back exactly, since views show nothing there
    float lowestOwn = 0.0F; ///< its amplitude

    ECHOLUX_HD bool preparesSamples() const { return true; }
    ECHOLUX_HD static float sampleOf(float value) {
        constexpr float kOctavesPerDb = 0.166096404744F; // log2(10) / 20
        return exp2f(kOctavesPerDb * value);
    }
    ECHOLUX_HD float valueOf(float sum, float least, float) const {
        constexpr float kDbPerOctave = 6.02059991328F;
        constexpr float kRounding = 4e-6F;
        const float amplitude = fmaxf(sum, least);
        if (fabsf(amplitude - lowestOwn) <= kRounding * lowestOwn) return lowest;
        return kDbPerOctave * log2f(amplitude);
    }
};

/// Values on a circle.
struct ByAngle {
    using Sample = Complex;
    static constexpr bool kNearest = false;
    static constexpr bool kAboveLeast = false;
    float cycle = 1.0F;
    float lowest = 0.0F; ///< limits at which values wrap
    float highest = 0.0F;

    ECHOLUX_HD bool preparesSamples() const { return true; }
    ECHOLUX_HD Complex sampleOf(float value) const {
        if (value == 0.0F || !hasValue(value)) return {noValue(), 0.0F};
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        const float turns = value / cycle;
        const float angle = kTurn * (turns - rintf(turns));
        return {cosf(angle), sinf(angle)};
    }
    ECHOLUX_HD float valueOf(Complex sum, float, float nearest) const {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        const float angled = cycle / kTurn * atan2f(sum.im, sum.re);
        const float value = fmaf(-cycle, rintf((angled - nearest) / cycle), angled);
        if (value > highest && nearest <= highest) return value - cycle;
        if (value < lowest && nearest >= lowest) return value + cycle;
        return value;
    }
};

/// Labels.
struct ByNearest {
    using Sample = float;
    static constexpr bool kNearest = true;
    static constexpr bool kAboveLeast = false;

    ECHOLUX_HD bool preparesSamples() const { return false; }
    ECHOLUX_HD static float sampleOf(float value) { return value; }
    ECHOLUX_HD static float valueOf(float, float, float nearest) { return nearest; }
};

/// Calls use(rule) with the rule for the values of an image.
template <class Use> auto withRuleOf(const FrameSpec& image, const Use& use) {
    const auto& range = image.valueRange;
    switch (image.valueKind) {
    case ValueKind::Level: {
        const auto lowest = static_cast<float>(range ? range->min : -400.0);
        return use(ByAmplitude{lowest, ByAmplitude::sampleOf(lowest)});
    }
    case ValueKind::Cyclic: {
        if (!(image.cycle > 0.0)) break;
        constexpr double kNoLimit = std::numeric_limits<float>::max();
        return use(ByAngle{static_cast<float>(image.cycle),
                           static_cast<float>(range ? range->min : -kNoLimit),
                           static_cast<float>(range ? range->max : kNoLimit)});
    }
    case ValueKind::Label: return use(ByNearest{});
    case ValueKind::Amplitude:
    case ValueKind::Power: return use(ByValue{.notNegative = true});
    case ValueKind::Plain: break;
    }
    return use(ByValue{.zeroIsNone = range && range->min < 0.0 && range->max > 0.0});
}

/// Makes the samples that are mixed: [rows][before + columns + after] of the values
/// [rows][columns]. Where `before` or `after` is not 0, the columns go round a full circle.
template <class Rule> struct PrepareSamples {
    const float* values;
    typename Rule::Sample* out;
    std::int64_t columns;
    std::int64_t before;
    std::int64_t width; ///< before + columns + after
    Rule rule;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / width;
        std::int64_t column = i - row * width - before;
        column = column < 0 ? column + columns : column < columns ? column : column - columns;
        out[i] = rule.sampleOf(values[row * columns + column]);
    }
};

/// An image, read between its samples. Beyond its edges the nearest sample counts.
template <class Rule> struct MixedSamples {
    using Sample = typename Rule::Sample;

    const Sample* in; ///< [rows][columns]
    int rows;
    int columns;
    const float* values; ///< [rows][own], what `in` was made of
    int own;             ///< columns of values
    int before;          ///< columns of `in` before that of the first value
    bool cubic;
    Rule rule;

    ECHOLUX_HD static int clamped(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

    ECHOLUX_HD Sample at(int row, int column) const {
        return in[static_cast<std::int64_t>(clamped(row, rows)) * columns +
                  clamped(column, columns)];
    }

    ECHOLUX_HD float valueAt(int row, int column) const {
        int c = clamped(column, columns) - before;
        c = c < 0 ? c + own : c < own ? c : c - own;
        return values[static_cast<std::int64_t>(clamped(row, rows)) * own + c];
    }

    ECHOLUX_HD float between(float row, float column) const {
        const float wholeRow = floorf(row);
        const float wholeColumn = floorf(column);
        const float f = row - wholeRow;
        const float g = column - wholeColumn;
        const int r = static_cast<int>(wholeRow);
        const int c = static_cast<int>(wholeColumn);
        const int nearRow = f < 0.5F ? r : r + 1;
        const int nearColumn = g < 0.5F ? c : c + 1;
        if constexpr (Rule::kNearest) {
            return valueAt(nearRow, nearColumn);
        } else {
            float least = std::numeric_limits<float>::max();
            const Sample sum = cubic ? ofSixteen(r, c, f, g, least) : ofFour(r, c, f, g, least);
            if (!hasValue(sum)) return amongSome(r, c, f, g, valueAt(nearRow, nearColumn));
            return rule.valueOf(sum, least, nearestFor(nearRow, nearColumn));
        }
    }

private:
    /// The nearest value, where the rule needs it.
    ECHOLUX_HD float nearestFor(int row, int column) const {
        if constexpr (std::is_same_v<Rule, ByAngle>) return valueAt(row, column);
        return 0.0F;
    }

    ECHOLUX_HD static void keepLeast(Sample sample, float& least) {
        if constexpr (Rule::kAboveLeast) least = fminf(least, sample);
    }

    ECHOLUX_HD Sample ofFour(int r, int c, float f, float g, float& least) const {
        Sample sum{};
        for (int m = 0; m <= 1; ++m) {
            const float down = m == 0 ? 1.0F - f : f;
            for (int n = 0; n <= 1; ++n) {
                const Sample sample = at(r + m, c + n);
                keepLeast(sample, least);
                sum = addTo(sum, down * (n == 0 ? 1.0F - g : g), sample);
            }
        }
        return sum;
    }

    ECHOLUX_HD Sample ofSixteen(int r, int c, float f, float g, float& least) const {
        float weight[4];
        for (int n = 0; n < 4; ++n) weight[n] = cubicWeight(n - 1, g);
        Sample sum{};
        for (int m = -1; m <= 2; ++m) {
            Sample across{};
            for (int n = 0; n < 4; ++n) {
                const Sample sample = at(r + m, c + n - 1);
                keepLeast(sample, least);
                across = addTo(across, weight[n], sample);
            }
            sum = addTo(sum, cubicWeight(m, f), across);
        }
        return sum;
    }

    /// Where some neighbours have no value.
    ECHOLUX_HD float amongSome(int r, int c, float f, float g, float nearest) const {
        if (!hasValue(rule.sampleOf(nearest))) return nearest;
        float least = std::numeric_limits<float>::max();
        float weights = 0.0F;
        Sample sum{};
        for (int m = 0; m <= 1; ++m) {
            for (int n = 0; n <= 1; ++n) {
                const Sample sample = at(r + m, c + n);
                if (!hasValue(sample)) continue;
                const float weight = (m == 0 ? 1.0F - f : f) * (n == 0 ? 1.0F - g : g);
                keepLeast(sample, least);
                weights += weight;
                sum = addTo(sum, weight, sample);
            }
        }
        return rule.valueOf((1.0F / weights) * sum, least, nearest);
    }
};

} // namespace echolux::mixed
