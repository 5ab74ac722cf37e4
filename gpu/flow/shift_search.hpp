// SPDX-License-Identifier: GPL-3.0-or-later
// The shift over depth at which frames are most alike, summed over P pairs of frames a, b:
//   C[m] = sum over p and a box of conj(a[p][z]) b[p][z + m]
//   Q[m] = |C[m]| / sqrt(sum of |a[p][z]|^2 * sum of |b[p][z + m]|^2), 0..1
// m is the shift of -most..most pixels with the largest Q; of equal ones the one nearest to 0. The
// stages `displacement` and `flow` use it. Include it only from .cu files.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::flow {

/// Rows of images that stand one below the other, as the slices of a volume do.
struct StackedRows {
    std::int64_t rows; ///< of all images
    std::int64_t depths;
    std::int64_t laterals;

    std::int64_t pixels() const { return rows * laterals; }
    /// The first row of the image to which this row belongs.
    ECHOLUX_HD std::int64_t top(std::int64_t row) const {
        return rows == depths ? 0 : row / depths * depths;
    }
};

struct MotionPairs {
    const Complex* before;
    const Complex* after;
    std::int64_t pairs; ///< the next pair lies one frame further
    StackedRows of;
};

/// Half of a box, without its middle.
struct HalfBox {
    std::int64_t depth;
    std::int64_t lateral;
};

/// The shift that is best so far.
struct BestLag {
    float* quality;
    float* phase; ///< arg C
    std::int32_t* lag;
};

/// One value per pixel each.
struct ShiftBuffers {
    Complex* products; ///< scratch; likewise the next two
    float* before;
    float* after;
    BestLag best;
};

/// The sums of C[m] and of both energies over depth, where both frames have samples.
struct LagOverDepth {
    MotionPairs motion;
    std::int64_t lag;
    std::int64_t half;
    Complex* product;
    float* before;
    float* after;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t laterals = motion.of.laterals;
        const std::int64_t top = motion.of.top(z);
        const std::int64_t bottom = top + motion.of.depths;
        if (z + lag < top || z + lag >= bottom) return;
        std::int64_t first = z - half < top ? top : z - half;
        if (first + lag < top) first = top - lag;
        std::int64_t end = z + half + 1 > bottom ? bottom : z + half + 1;
        if (end + lag > bottom) end = bottom - lag;
        Complex sum;
        float own = 0.0F;
        float other = 0.0F;
        for (std::int64_t pair = 0; pair < motion.pairs; ++pair) {
            const std::int64_t skipped = pair * motion.of.rows;
            for (std::int64_t i = skipped + first; i < skipped + end; ++i) {
                const Complex a = motion.before[i * laterals + x];
                const Complex b = motion.after[(i + lag) * laterals + x];
                sum = sum + conj(a) * b;
                own += norm(a);
                other += norm(b);
            }
        }
        const std::int64_t at = z * laterals + x;
        product[at] = sum;
        before[at] = own;
        after[at] = other;
    }
};

/// Sums over the width, and keeps the shift where it is better than those before it.
struct LagAcross {
    const Complex* product;
    const float* before;
    const float* after;
    BestLag best;
    StackedRows of;
    std::int64_t lag;
    std::int64_t half;
    Complex carrier; ///< that the images lack over this shift

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t top = of.top(z);
        if (z + lag < top || z + lag >= top + of.depths) return;
        const std::int64_t laterals = of.laterals;
        Complex sum;
        float own = 0.0F;
        float other = 0.0F;
        const std::int64_t end = x + half + 1 > laterals ? laterals : x + half + 1;
        for (std::int64_t k = x - half < 0 ? 0 : x - half; k < end; ++k) {
            const std::int64_t at = z * laterals + k;
            sum = sum + product[at];
            own += before[at];
            other += after[at];
        }
        const float energy = sqrtf(own) * sqrtf(other);
        const float found = energy > 0.0F ? fminf(1.0F, sqrtf(norm(sum)) / energy) : 0.0F;
        constexpr float kRounding = 1e-5F; // smaller differences count as none
        const std::int64_t at = z * laterals + x;
        if (lag != 0 && !(found > best.quality[at] + kRounding)) return;
        best.quality[at] = found;
        const Complex turned = sum * carrier;
        best.phase[at] = atan2f(turned.im, turned.re);
        best.lag[at] = static_cast<std::int32_t>(lag);
    }
};

/// The sum of conj(x[z]) x[z + 1] over depth and frames. There are two depths or more.
struct TurnOverDepth {
    const Complex* samples;
    Complex* turn;
    std::int64_t frames;
    StackedRows of;
    std::int64_t half;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        const std::int64_t laterals = of.laterals;
        const std::int64_t top = of.top(z);
        const std::int64_t last = top + of.depths - 1;
        const std::int64_t end = z + half + 1 > last ? last : z + half + 1;
        std::int64_t first = z - half < top ? top : z - half;
        if (first > last - 1) first = last - 1;
        Complex sum;
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            const std::int64_t skipped = frame * of.rows;
            for (std::int64_t i = skipped + first; i < skipped + end; ++i)
                sum = sum + conj(samples[i * laterals + x]) * samples[(i + 1) * laterals + x];
        }
        turn[z * laterals + x] = sum;
    }
};

struct TurnAcross {
    const Complex* turn;
    Complex* sums;
    std::int64_t laterals;
    std::int64_t half;

    ECHOLUX_HD void operator()(std::int64_t z, std::int64_t x) const {
        Complex sum;
        const std::int64_t end = x + half + 1 > laterals ? laterals : x + half + 1;
        for (std::int64_t k = x - half < 0 ? 0 : x - half; k < end; ++k)
            sum = sum + turn[z * laterals + k];
        sums[z * laterals + x] = sum;
    }
};

/// Finds `buffers.best` of all pixels. `lackingAngle`: what the images lack of their carrier from
/// depth to depth, in radians.
inline void searchShifts(const Exec& exec, const char* name, const MotionPairs& motion, HalfBox box,
                         std::int64_t most, double lackingAngle, const ShiftBuffers& buffers) {
    const StackedRows& of = motion.of;
    const auto tryLag = [&](std::int64_t lag) {
        const double angle = lackingAngle * static_cast<double>(lag);
        const Complex carrier{static_cast<float>(std::cos(angle)),
                              static_cast<float>(std::sin(angle))};
        forEachInLines(
            exec, name, of.rows, of.laterals,
            LagOverDepth{motion, lag, box.depth, buffers.products, buffers.before, buffers.after});
        forEachInLines(exec, name, of.rows, of.laterals,
                       LagAcross{buffers.products, buffers.before, buffers.after, buffers.best, of,
                                 lag, box.lateral, carrier});
    };
    tryLag(0);
    for (std::int64_t lag = 1; lag <= most && lag < of.depths; ++lag) {
        tryLag(-lag);
        tryLag(lag);
    }
}

/// Sums conj(x[z]) x[z + 1] of `frames` frames over the box; `columns` is scratch.
inline void sumTurns(const Exec& exec, const char* name, const Complex* samples,
                     std::int64_t frames, const StackedRows& of, HalfBox box, Complex* columns,
                     Complex* sums) {
    forEachInLines(exec, name, of.rows, of.laterals,
                   TurnOverDepth{samples, columns, frames, of, box.depth});
    forEachInLines(exec, name, of.rows, of.laterals,
                   TurnAcross{columns, sums, of.laterals, box.lateral});
}

} // namespace echolux::flow
