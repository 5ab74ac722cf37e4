// SPDX-License-Identifier: GPL-3.0-or-later
// Short-lag coherence at one pixel; combine.cu states the formula. On a matrix array lags are
// vectors (Hyun, Trahey, Jakovljevic and Dahl, IEEE UFFC 61(7), 2014): each of two opposite ones
// stands for both.
#pragma once

#include "gpu/stages/combine_formula.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::channels {

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
        float vectors = 0.0F;
        for (int across = 0; across <= lags && across < shape.lines(); ++across) {
            for (int along = across == 0 ? 1 : -lags; along <= lags; ++along) {
                if (!isLag(along, across)) continue;
                sum += meanAt(pixel, along, across);
                vectors += 1.0F;
            }
        }
        out[pixel] = sum / vectors;
    }
    /// Up to `lags` elements long, and between elements of the array.
    ECHOLUX_HD bool isLag(int along, int across) const {
        return along * along + across * across <= lags * lags && along < shape.perLine &&
               -along < shape.perLine;
    }

private:
    ECHOLUX_HD float meanAt(std::int64_t pixel, std::int64_t along, std::int64_t across) const {
        const std::int64_t lag = across * shape.perLine + along;
        const std::int64_t begin = along < 0 ? -along : 0;
        const std::int64_t end = shape.perLine - (along > 0 ? along : 0);
        float sum = 0.0F;
        float pairs = 0.0F;
        for (std::int64_t line = 0; line + across < shape.lines(); ++line) {
            for (std::int64_t i = line * shape.perLine + begin; i < line * shape.perLine + end;
                 ++i) {
                const std::int64_t a = i * shape.pixels + pixel;
                const std::int64_t b = a + lag * shape.pixels;
                if (inverseNorm[a] == 0.0F || inverseNorm[b] == 0.0F) continue;
                const float both = product(a, b, pixel / shape.laterals % shape.depths);
                sum = std::fma(inverseNorm[a] * both, inverseNorm[b], sum); // no overflow
                pairs += 1.0F;
            }
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

} // namespace echolux::channels
