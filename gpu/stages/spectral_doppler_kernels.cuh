// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the stage spectral_doppler, one functor each. Its file has the equations.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace echolux::doppler {

/// Pulses of the output `pulses`.
inline constexpr std::int64_t kKeptPulses = 8192;

/// Pulses so far, as far as they matter. Before the first frame all are 0.
struct PulseCount {
    std::int64_t seen = 0;  ///< at most `window`
    std::int64_t phase = 0; ///< since the last spectrum
};

struct Sizes {
    std::int64_t pulses = 1; ///< per frame
    std::int64_t gate = 1;   ///< pixels
    std::int64_t window = 1;
    std::int64_t hop = 1;
    std::int64_t lines = 1;
    std::int64_t rows = 1;

    ECHOLUX_HD std::int64_t held() const { return window + pulses; }
    std::int64_t mostFresh() const { return (pulses + hop - 1) / hop; } ///< spectra per frame
};

/// Spectra that a frame of `pulses` pulses completes.
ECHOLUX_HD inline std::int64_t completed(const PulseCount& past, std::int64_t pulses,
                                         std::int64_t hop) {
    return (past.phase + pulses) / hop;
}

struct CountPulses {
    const PulseCount* past; ///< null: first frame
    PulseCount* before;     ///< a copy of *past
    PulseCount* next;
    std::int64_t pulses;
    std::int64_t window;
    std::int64_t hop;

    ECHOLUX_HD void operator()(std::int64_t) const {
        const PulseCount from = past != nullptr ? *past : PulseCount{};
        const std::int64_t seen = from.seen + pulses;
        *before = from;
        *next = {seen < window ? seen : window, (from.phase + pulses) % hop};
    }
};

/// The pulses of the past and those of this frame, one after the other. Values that are not finite
/// count as 0, so that they do not stay for a whole window.
struct AppendPulses {
    const Complex* image; ///< the gate's first pixel
    const Complex* past;  ///< null: first frame
    Complex* held;
    Complex* next;
    std::int64_t window;
    std::int64_t pulses;
    std::int64_t perPulse; ///< from pulse to pulse in `image`
    std::int64_t perDepth;

    ECHOLUX_HD void operator()(std::int64_t g, std::int64_t n) const {
        Complex value;
        if (n >= window)
            value = image[(n - window) * perPulse + g * perDepth];
        else if (past != nullptr)
            value = past[g * window + n];
        if (!std::isfinite(value.re) || !std::isfinite(value.im)) value = {};
        held[g * (window + pulses) + n] = value;
        if (n >= pulses) next[g * window + n - pulses] = value;
    }
};

/// The latest pulses, oldest first: of each the mean over the gate's pixels.
struct KeepPulses {
    const Complex* held;
    const Complex* past; ///< null: first frame
    Complex* next;       ///< [kKeptPulses]
    Complex* out;        ///< a copy; null: nobody reads it
    Sizes sizes;

    ECHOLUX_HD void operator()(std::int64_t n) const {
        const std::int64_t from = n + sizes.pulses;
        Complex value;
        if (from >= kKeptPulses) {
            const std::int64_t pulse = sizes.window + from - kKeptPulses;
            for (std::int64_t g = 0; g < sizes.gate; ++g)
                value = value + held[g * sizes.held() + pulse];
            value = (1.0F / static_cast<float>(sizes.gate)) * value;
        } else if (past != nullptr) {
            value = past[from];
        }
        next[n] = value;
        if (out != nullptr) out[n] = value;
    }
};

/// Where the pulses of fresh spectrum `j` are, counted along `held`.
struct PulseSpan {
    std::int64_t first = 0;
    std::int64_t count = 0; ///< 0: this frame does not complete the spectrum
};

ECHOLUX_HD inline PulseSpan spanOf(const PulseCount& before, std::int64_t j, const Sizes& sizes) {
    if (j >= completed(before, sizes.pulses, sizes.hop)) return {};
    const std::int64_t used = (j + 1) * sizes.hop - before.phase; // of this frame's pulses
    const std::int64_t seen = before.seen + used;
    const std::int64_t count = seen < sizes.window ? seen : sizes.window;
    return {sizes.window + used - count, count};
}

struct HannWeights {
    const PulseCount* before;
    float* weights; ///< [fresh][window]
    Sizes sizes;

    ECHOLUX_HD void operator()(std::int64_t j, std::int64_t i) const {
        const PulseSpan span = spanOf(*before, j, sizes);
        float weight = 0.0F;
        if (i < span.count) {
            const float root = sinf(std::numbers::pi_v<float> * (static_cast<float>(i) + 0.5F) /
                                    static_cast<float>(span.count));
            weight = root * root;
        }
        weights[j * sizes.window + i] = weight;
    }
};

struct GateMeans {
    const PulseCount* before;
    const Complex* held;
    const float* weights;
    Complex* means; ///< [fresh][gate]; 0 without a wall filter
    float* powers;  ///< likewise, means of |x|^2
    Sizes sizes;
    bool removesMean;

    ECHOLUX_HD void operator()(std::int64_t j, std::int64_t g) const {
        const PulseSpan span = spanOf(*before, j, sizes);
        const Complex* x = held + g * (sizes.window + sizes.pulses) + span.first;
        const float* w = weights + j * sizes.window;
        Complex sum;
        float power = 0.0F;
        float all = 0.0F;
        for (std::int64_t i = 0; i < span.count; ++i) {
            sum = sum + w[i] * x[i];
            power += w[i] * norm(x[i]);
            all += w[i];
        }
        const float scale = all > 0.0F ? 1.0F / all : 0.0F;
        means[j * sizes.gate + g] = removesMean ? scale * sum : Complex{};
        powers[j * sizes.gate + g] = scale * power;
    }
};

struct GateSpectrum {
    const PulseCount* before;
    const Complex* held;
    const float* weights;
    const Complex* means;
    const float* powers;
    const Complex* turns; ///< exp(-2 pi j m / rows)
    float* fresh;         ///< [fresh][rows]
    Sizes sizes;

    ECHOLUX_HD void operator()(std::int64_t j, std::int64_t m) const {
        const PulseSpan span = spanOf(*before, j, sizes);
        const float* w = weights + j * sizes.window;
        float all = 0.0F;
        for (std::int64_t i = 0; i < span.count; ++i) all += w[i];
        float total = 0.0F;
        float raw = 0.0F;
        for (std::int64_t g = 0; g < sizes.gate; ++g) {
            const Complex* x = held + g * (sizes.window + sizes.pulses) + span.first;
            const Complex mean = means[j * sizes.gate + g];
            Complex sum;
            std::int64_t turn = 0;
            for (std::int64_t i = 0; i < span.count; ++i) {
                sum = sum + (w[i] * (x[i] - mean)) * turns[turn];
                turn += m;
                if (turn >= sizes.rows) turn -= sizes.rows;
            }
            total += norm(sum);
            raw += powers[j * sizes.gate + g];
        }
        constexpr float kRounding = 1e-11F;
        const float gate = static_cast<float>(sizes.gate);
        const float power = all > 0.0F ? total / (all * all * gate) : 0.0F;
        const bool counts = std::isfinite(power) && power > kRounding * raw / gate;
        fresh[j * sizes.rows + m] = counts ? power : 0.0F;
    }
};

struct ScrollSpectra {
    const PulseCount* before;
    const float* past; ///< null: first frame
    const float* fresh;
    float* next; ///< [lines][rows]
    Sizes sizes;

    ECHOLUX_HD void operator()(std::int64_t t, std::int64_t m) const {
        const std::int64_t from = t + completed(*before, sizes.pulses, sizes.hop);
        float power = 0.0F;
        if (from >= sizes.lines)
            power = fresh[(from - sizes.lines) * sizes.rows + m];
        else if (past != nullptr)
            power = past[from * sizes.rows + m];
        next[t * sizes.rows + m] = power;
    }
};

/// Which bin a row shows, and which are left out.
struct ShownBins {
    std::int64_t rows = 1;
    std::int64_t highest = 0; ///< bin of row 0, beyond rows / 2 where the baseline is shifted
    std::int64_t least = 0;   ///< |bin| below this is left out
    float perBin = 0.0F;      ///< cm/s, or rad per frame
    bool inverted = false;

    ECHOLUX_HD bool keeps(std::int64_t m) const { return m >= least && rows - m >= least; }
    ECHOLUX_HD std::int64_t binOf(std::int64_t row) const {
        const std::int64_t bin = inverted ? row - highest : highest - row;
        return ((bin % rows) + rows) % rows;
    }
    ECHOLUX_HD float velocityOf(std::int64_t row) const {
        return perBin * static_cast<float>(highest - row);
    }
};

struct KeptPower {
    const float* power;
    ShownBins shown;

    ECHOLUX_HD float operator()(std::int64_t i) const {
        return shown.keeps(i % shown.rows) ? power[i] : 0.0F;
    }
};

struct LargerPower {
    ECHOLUX_HD float operator()(float a, float b) const { return a < b ? b : a; }
};

struct SonogramLevels {
    const float* power; ///< [lines][rows]
    const float* largest;
    float* out; ///< [rows][lines]
    ShownBins shown;
    std::int64_t lines;
    float rangeDb;

    ECHOLUX_HD void operator()(std::int64_t row, std::int64_t t) const {
        const std::int64_t m = shown.binOf(row);
        const float ratio = *largest > 0.0F ? power[t * shown.rows + m] / *largest : 0.0F;
        float level = -rangeDb;
        if (shown.keeps(m) && ratio > 0.0F) level = fmaxf(level, 10.0F * log10f(ratio));
        out[row * lines + t] = level;
    }
};

/// Mean and largest velocity of each spectrum, over bins above the threshold; 0 where there is
/// none.
struct VelocityTraces {
    const float* power;
    const float* largest;
    float* mean;    ///< null: nobody reads it; likewise `maximum`
    float* maximum; ///< the one with the largest magnitude
    ShownBins shown;
    float threshold; ///< of the largest power

    ECHOLUX_HD void operator()(std::int64_t t) const {
        float sum = 0.0F;
        float moment = 0.0F;
        float fastest = 0.0F;
        for (std::int64_t row = 0; row < shown.rows; ++row) {
            const std::int64_t m = shown.binOf(row);
            const float each = power[t * shown.rows + m];
            if (!shown.keeps(m) || !(each > 0.0F) || each < threshold * *largest) continue;
            const float velocity = shown.velocityOf(row);
            sum += each;
            moment += each * velocity;
            if (fabsf(velocity) > fabsf(fastest)) fastest = velocity;
        }
        if (mean != nullptr) mean[t] = sum > 0.0F ? moment / sum : 0.0F;
        if (maximum != nullptr) maximum[t] = fastest;
    }
};

} // namespace echolux::doppler
