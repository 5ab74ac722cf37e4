// SPDX-License-Identifier: GPL-3.0-or-later
// The fused ultrasound front end, step by step: the work of each thread of a block between two
// barriers. A block processes a pair of lines. The kernel runs the steps on the device; a test runs
// them on the host.
//
// First the codes are summed and become floats in shared memory, one line beside the other. The
// band-pass is a product of spectra. Both lines form one complex line; the filter is real and even,
// so the lines stay separate. Each warp transforms a piece of kFilterPoints points and keeps the
// points in its middle, which the ends of the piece do not influence. Both transforms go in the
// same direction, which reverses the piece. Then come the taps of the tail: each thread computes a
// few outputs, and the samples that these share stay in registers.
#pragma once

#include "gpu/fused/front_end_kernel.hpp"
#include "gpu/fused/warp_fft.hpp"

#include <cmath>

namespace echolux::fused {

constexpr int kFilterPerThread = kFilterPoints / kLanes;
static_assert(kFilterPerThread == 32 && kPartFloats == 32 * 36, "exchangeFloats() counts on it");

struct alignas(16) FourFloats {
    float at[4];
};
struct alignas(8) TwoFloats {
    float first;
    float second;
};
/// Sums of the codes of two lines.
struct LineSums {
    double a = 0.0;
    double b = 0.0;
};

/// The shared memory of a block, and which two lines it processes.
struct FrontBlock {
    float* lineA;
    float* lineB;
    float* exchange; ///< memory of all warps
    Complex* mixTaps;
    LineSums* sums;     ///< one per warp
    std::int64_t first; ///< number of the first line
    int count;          ///< 2, or 1 at the end

    ECHOLUX_HD FrontBlock(const FrontArguments& args, float* memory, std::int64_t pair)
        : first(2 * pair), count(args.lines.lines - first < 2 ? 1 : 2) {
        const FrontShape& shape = args.shape;
        sums = reinterpret_cast<LineSums*>(memory);
        lineA = reinterpret_cast<float*>(sums + kMostFrontWarps);
        lineB = lineA + lineFloats(shape);
        exchange = lineB + lineFloats(shape);
        mixTaps = reinterpret_cast<Complex*>(exchange + shape.warps() * exchangeFloats(shape));
    }
    ECHOLUX_HD float* line(int which) const { return which == 0 ? lineA : lineB; }
    ECHOLUX_HD float* exchangeOf(const FrontShape& shape, int warp) const {
        return exchange + warp * exchangeFloats(shape);
    }
};

/// Codes that a thread loads before it uses the first one, so that it waits only once.
template <class Codes> constexpr int kCodesAtOnce = sizeof(Codes) > 4 ? 8 : 16;

/// Writes the codes of two lines, minus the offset, to shared memory and returns their sums.
/// Integers are summed as integers. `Codes` holds the codes of one load. The number of threads is a
/// multiple of the warp size, so each thread goes through the rows of a line with a constant step.
template <class Codes, class Sum>
ECHOLUX_HD_INLINE LineSums loadCodes(const FrontShape& shape, const FrontBlock& block,
                                     const Codes* codes, int thread, int threads) {
    constexpr int kAtOnce = kCodesAtOnce<Codes>;
    constexpr int kWidth = Codes::kWidth;
    const int loads = shape.samples / kWidth;
    const int step = kWidth * threads / kLineRow * kLineStep;
    const bool both = block.count == 2;
    const float offset = shape.offset;
    int place = linePlace(shape.halo() + kWidth * thread);
    Sum sumA = 0;
    Sum sumB = 0;
    for (int first = thread; first < loads; first += kAtOnce * threads) {
        Codes a[kAtOnce] = {};
        Codes b[kAtOnce] = {};
        ECHOLUX_UNROLL
        for (int k = 0; k < kAtOnce; ++k)
            if (first + k * threads < loads) a[k] = codes[first + k * threads];
        ECHOLUX_UNROLL
        for (int k = 0; k < kAtOnce; ++k)
            if (both && first + k * threads < loads) b[k] = codes[loads + first + k * threads];
        ECHOLUX_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
            sumA += a[k].template sum<Sum>();
            sumB += b[k].template sum<Sum>();
            if (first + k * threads >= loads) continue;
            a[k].store(block.lineA + place + k * step, offset);
            b[k].store(block.lineB + place + k * step, offset);
        }
        place += kAtOnce * step;
    }
    return {static_cast<double>(sumA), static_cast<double>(sumB)};
}

template <class Code> struct OneCode {
    static constexpr int kWidth = 1;
    Code code;
    template <class Sum> ECHOLUX_HD Sum sum() const { return static_cast<Sum>(code); }
    ECHOLUX_HD void store(float* to, float offset) const {
        *to = static_cast<float>(code) - offset;
    }
};
/// Integers stay in the loaded word until they are used.
template <class Code, class Word> struct alignas(sizeof(Word)) TwoIntegers {
    static constexpr int kWidth = 2;
    Word word;
    ECHOLUX_HD Code first() const { return static_cast<Code>(word); }
    ECHOLUX_HD Code second() const { return static_cast<Code>(word >> (4 * sizeof(Word))); }
    template <class Sum> ECHOLUX_HD Sum sum() const {
        return static_cast<Sum>(first()) + static_cast<Sum>(second());
    }
    ECHOLUX_HD void store(float* to, float offset) const {
        *reinterpret_cast<TwoFloats*>(to) = {static_cast<float>(first()) - offset,
                                             static_cast<float>(second()) - offset};
    }
};
struct TwoReals {
    static constexpr int kWidth = 2;
    TwoFloats values;
    template <class Sum> ECHOLUX_HD Sum sum() const {
        return static_cast<Sum>(values.first) + static_cast<Sum>(values.second);
    }
    ECHOLUX_HD void store(float* to, float offset) const {
        *reinterpret_cast<TwoFloats*>(to) = {values.first - offset, values.second - offset};
    }
};

template <class Code, class Two, class Sum>
ECHOLUX_HD_INLINE LineSums loadBoth(const FrontArguments& args, const FrontBlock& block, int thread,
                                    int threads) {
    const FrontShape& shape = args.shape;
    const Code* codes = static_cast<const Code*>(args.lines.codes) + block.first * shape.samples;
    if (shape.samples % 2 == 0)
        return loadCodes<Two, Sum>(shape, block, reinterpret_cast<const Two*>(codes), thread,
                                   threads);
    return loadCodes<OneCode<Code>, Sum>(
        shape, block, reinterpret_cast<const OneCode<Code>*>(codes), thread, threads);
}

/// First step. The caller sums the results over each warp and writes them to block.sums.
ECHOLUX_HD_INLINE LineSums loadLines(const FrontArguments& args, const FrontBlock& block,
                                     int thread, int threads) {
    const FrontShape& shape = args.shape;
    const int halo = shape.halo();
    const int behind = linePlaces(shape) - halo - shape.samples;
    for (int i = thread; i < halo + behind; i += threads) {
        const int place = linePlace(i < halo ? i : i + shape.samples);
        block.lineA[place] = 0.0F;
        block.lineB[place] = 0.0F;
    }
    for (int i = thread; i < shape.mixTaps(); i += threads)
        block.mixTaps[i] = args.tables.mixTaps[i];
    switch (shape.type) {
    case DType::U8:
        return loadBoth<std::uint8_t, TwoIntegers<std::uint8_t, std::uint16_t>, int>(
            args, block, thread, threads);
    case DType::I16:
        return loadBoth<std::int16_t, TwoIntegers<std::int16_t, std::uint32_t>, int>(
            args, block, thread, threads);
    case DType::U16:
        return loadBoth<std::uint16_t, TwoIntegers<std::uint16_t, std::uint32_t>, int>(
            args, block, thread, threads);
    default: return loadBoth<float, TwoReals, double>(args, block, thread, threads);
    }
}

/// What must still be subtracted from each line.
struct LineMeans {
    float a = 0.0F;
    float b = 0.0F;
};
ECHOLUX_HD_INLINE LineMeans lineMeans(const FrontArguments& args, const FrontBlock& block) {
    if (!args.shape.subtractsMean) return {};
    LineSums all;
    for (int warp = 0; warp < args.shape.warps(); ++warp) {
        all.a += block.sums[warp].a;
        all.b += block.sums[warp].b;
    }
    const auto offset = static_cast<double>(args.shape.offset);
    return {static_cast<float>(all.a * args.perSample - offset),
            block.count == 2 ? static_cast<float>(all.b * args.perSample - offset) : 0.0F};
}

/// Second step without a filter.
ECHOLUX_HD_INLINE void scaleLines(const FrontArguments& args, const FrontBlock& block, int thread,
                                  int threads) {
    const FrontShape& shape = args.shape;
    const LineMeans means = lineMeans(args, block);
    for (int i = thread; i < shape.samples; i += threads) {
        const int place = linePlace(shape.halo() + i);
        block.lineA[place] = (block.lineA[place] - means.a) * shape.factor;
        block.lineB[place] = (block.lineB[place] - means.b) * shape.factor;
    }
}

/// True for the mean of a line that contains a sample which is not finite. Such a line has no
/// finite mean, and its result is not finite either. Its transform must not reach the other line.
/// All threads get the same answer.
ECHOLUX_HD_INLINE bool isLost(float mean) { return !(mean - mean == 0.0F); }
ECHOLUX_HD_INLINE bool anyLost(const LineMeans& means) {
    return isLost(means.a) || isLost(means.b);
}
/// Fills lost lines with `value`; a step of its own.
ECHOLUX_HD_INLINE void fillLost(const FrontArguments& args, const FrontBlock& block,
                                const LineMeans& means, float value, int thread, int threads) {
    for (int i = thread; i < args.shape.samples; i += threads) {
        const int place = linePlace(args.shape.halo() + i);
        if (isLost(means.a)) block.lineA[place] = value;
        if (isLost(means.b)) block.lineB[place] = value;
    }
}

/// First sample of a warp's piece of the lines: point p is sample pieceBegin() + p.
ECHOLUX_HD_INLINE int pieceBegin(const FrontArguments& args, int warp) {
    return warp * args.shape.tile() - args.shape.bandReach;
}

/// Second step: reads points 32 turn + lane of the piece, minus the means, without the factor. All
/// warps must have read before one writes.
ECHOLUX_HD_INLINE void readPiece(const FrontArguments& args, const FrontBlock& block,
                                 const LineMeans& means, int warp, int lane,
                                 Complex (&v)[kFilterPerThread]) {
    const int first = pieceBegin(args, warp) + lane;
    const int place = linePlace(args.shape.halo() + first);
    const float meanA = isLost(means.a) ? 0.0F : means.a;
    const float meanB = isLost(means.b) ? 0.0F : means.b;
    const auto samples = static_cast<unsigned>(args.shape.samples);
    ECHOLUX_UNROLL
    for (int turn = 0; turn < kFilterPerThread; ++turn) {
        Complex value{meanA, meanB};
        if (static_cast<unsigned>(first + kLineRow * turn) < samples)
            value = {block.lineA[place + kLineStep * turn], block.lineB[place + kLineStep * turn]};
        v[turn] = {value.re - meanA, value.im - meanB};
    }
}

/// Multiplies by the filter's spectrum, between the two transforms.
ECHOLUX_HD_INLINE void filterPoints(const float* spectrum, int lane,
                                    Complex (&v)[kFilterPerThread]) {
    const auto* gains = reinterpret_cast<const FourFloats*>(spectrum) + lane;
    ECHOLUX_UNROLL
    for (int j = 0; j < kFilterPerThread; j += 4) {
        const FourFloats four = gains[j / 4 * kLanes];
        ECHOLUX_UNROLL
        for (int i = 0; i < 4; ++i) v[j + i] = four.at[i] * v[j + i];
    }
}

/// Called after both transforms, when point p of the piece is the transform's point -p.
ECHOLUX_HD_INLINE void writePiece(const FrontArguments& args, const FrontBlock& block, int warp,
                                  int lane, const Complex (&v)[kFilterPerThread]) {
    const FrontShape& shape = args.shape;
    const int begin = pieceBegin(args, warp);
    const int base = firstPointOf<kFilterPerThread>(lane);
    const int left = shape.samples - begin - shape.bandReach; // of the line
    const auto kept = static_cast<unsigned>(left < shape.tile() ? left : shape.tile());
    const auto write = [&](int point, int place, Complex value) {
        if (static_cast<unsigned>(point - shape.bandReach) >= kept) return;
        block.lineA[place] = value.re;
        block.lineB[place] = value.im;
    };
    const int point0 = (kFilterPoints - base) & (kFilterPoints - 1);
    write(point0, linePlace(shape.halo() + begin + point0), v[0]);
    const int place = linePlace(shape.halo() + begin + kFilterPoints - base);
    ECHOLUX_UNROLL
    for (int j = 1; j < kFilterPerThread; ++j)
        write(kFilterPoints - base - kLineRow * j, place - kLineStep * j, v[j]);
}

/// Items of the last steps: each warp computes a run of neighbouring outputs of one line.
struct FrontItems {
    int runs; ///< of a line
    int count;
    ECHOLUX_HD FrontItems(int outputs, int atOnce, const FrontBlock& block)
        : runs((outputs + atOnce - 1) / atOnce), count(runs * block.count) {}
    ECHOLUX_HD int line(int item) const { return item / runs; }
    ECHOLUX_HD int run(int item) const { return item % runs; }
};

ECHOLUX_HD_INLINE void readEight(const float* line, int block, float* to) {
    const auto* from = reinterpret_cast<const FourFloats*>(line + linePlace(8 * block));
    ECHOLUX_UNROLL
    for (int half = 0; half < 2; ++half) {
        const FourFloats four = from[half];
        ECHOLUX_UNROLL
        for (int i = 0; i < 4; ++i) to[4 * half + i] = four.at[i];
    }
}

/// Hilbert transform of eight neighbouring samples, written to the warp's exchange memory. A group
/// of taps needs 16 samples on each side; 8 of them are still in registers from the group before.
ECHOLUX_HD_INLINE void transformEight(const FrontArguments& args, const float* line, float* staged,
                                      int run, int lane) {
    const FrontShape& shape = args.shape;
    const int sample = run * kAnalyticAtOnce + 8 * lane;
    if (sample >= shape.samples) return;
    const int middle = (shape.halo() + sample) / 8;
    float before[16];
    float after[16];
    float sum[8] = {};
    readEight(line, middle, before);
    ECHOLUX_UNROLL
    for (int i = 0; i < 8; ++i) after[8 + i] = before[i];
    ECHOLUX_UNROLL_BY_2
    for (int group = 0; group < shape.hilbertGroups; ++group) {
        ECHOLUX_UNROLL
        for (int i = 0; i < 8; ++i) {
            before[8 + i] = before[i];
            after[i] = after[8 + i];
        }
        readEight(line, middle - group - 1, before);
        readEight(line, middle + group + 1, after + 8);
        ECHOLUX_UNROLL
        for (int u = 0; u < kHilbertGroup; ++u) {
            const float tap = args.hilbert.tap[kHilbertGroup * group + u];
            ECHOLUX_UNROLL
            for (int i = 0; i < 8; ++i)
                sum[i] += tap * (before[7 + i - 2 * u] - after[1 + i + 2 * u]);
        }
    }
    auto* to = reinterpret_cast<FourFloats*>(staged + linePlace(8 * lane));
    ECHOLUX_UNROLL
    for (int half = 0; half < 2; ++half)
        to[half] = {{sum[4 * half], sum[4 * half + 1], sum[4 * half + 2], sum[4 * half + 3]}};
}

/// In lines of even length two outputs are written at once. NOTE: other warps write behind the
/// line's end.
ECHOLUX_HD_INLINE void writeAnalytic(const FrontArguments& args, const float* line,
                                     const float* staged, std::int64_t lineIndex, int run,
                                     int lane) {
    const FrontShape& shape = args.shape;
    const bool pairs = shape.samples % 2 == 0;
    const int own = pairs ? 2 * lane : lane;
    const int first = run * kAnalyticAtOnce + own;
    const float* x = line + linePlace(shape.halo() + first);
    const float* h = staged + linePlace(own);
    const Complex* mix = args.tables.mix + first;
    Complex* out = args.lines.complex + lineIndex * shape.samples + first;
    const int left = shape.samples - first;
    if (pairs) {
        ECHOLUX_UNROLL
        for (int i = 0; i < kAnalyticAtOnce / (2 * kLanes); ++i) {
            if (2 * kLanes * i >= left) continue;
            const auto re = *reinterpret_cast<const TwoFloats*>(x + 2 * kLineStep * i);
            const auto im = *reinterpret_cast<const TwoFloats*>(h + 2 * kLineStep * i);
            const auto phase = *reinterpret_cast<const ComplexPair*>(mix + 2 * kLanes * i);
            *reinterpret_cast<ComplexPair*>(out + 2 * kLanes * i) = {
                Complex{re.first, im.first} * phase.first,
                Complex{re.second, im.second} * phase.second};
        }
        return;
    }
    ECHOLUX_UNROLL
    for (int i = 0; i < kAnalyticAtOnce / kLanes; ++i) {
        if (kLanes * i < left)
            out[kLanes * i] = Complex{x[kLineStep * i], h[kLineStep * i]} * mix[kLanes * i];
    }
}

/// Computes four neighbouring outputs of demodulation. Each chunk of samples is multiplied with the
/// chunks of taps of all four outputs; three of these chunks are in registers already.
template <int kDecimation>
ECHOLUX_HD_INLINE void mixFour(const FrontArguments& args, const FrontBlock& block,
                               const float* line, float* staged, int run, int lane) {
    const FrontShape& shape = args.shape;
    const int output = run * kMixedAtOnce + kMixedPerThread * lane;
    if (output >= shape.outputs) return;
    Complex taps[kMixedPerThread][kDecimation] = {};
    Complex sum[kMixedPerThread] = {};
    int at = output * kDecimation;
    const Complex* next = block.mixTaps;
    const int chunks = shape.mixChunks() + kMixedPerThread - 1;
    ECHOLUX_UNROLL_BY_4
    for (int chunk = 0; chunk < chunks; ++chunk) {
        float x[kDecimation];
        if constexpr (kDecimation == 4) {
            const auto four = *reinterpret_cast<const FourFloats*>(line + linePlace(at));
            ECHOLUX_UNROLL
            for (int d = 0; d < kDecimation; ++d) x[d] = four.at[d];
        } else {
            ECHOLUX_UNROLL
            for (int d = 0; d < kDecimation; ++d) x[d] = line[linePlace(at + d)];
        }
        ECHOLUX_UNROLL
        for (int i = kMixedPerThread - 1; i > 0; --i) {
            ECHOLUX_UNROLL
            for (int d = 0; d < kDecimation; ++d) taps[i][d] = taps[i - 1][d];
        }
        ECHOLUX_UNROLL
        for (int d = 0; d < kDecimation; ++d) taps[0][d] = next[d];
        ECHOLUX_UNROLL
        for (int i = 0; i < kMixedPerThread; ++i) {
            ECHOLUX_UNROLL
            for (int d = 0; d < kDecimation; ++d) sum[i] = sum[i] + x[d] * taps[i][d];
        }
        at += kDecimation;
        next += kDecimation;
    }
    auto* to = reinterpret_cast<ComplexPair*>(staged + linePlace(8 * lane));
    to[0] = {sum[0], sum[1]};
    to[1] = {sum[2], sum[3]};
}

ECHOLUX_HD_INLINE void writeMixed(const FrontArguments& args, const float* staged,
                                  std::int64_t lineIndex, int run, int lane) {
    const FrontShape& shape = args.shape;
    const Complex start = args.tables.start[lineIndex / shape.channels];
    const int first = run * kMixedAtOnce + lane;
    const Complex* mix = args.tables.mix + first;
    const float* y = staged + linePlace(2 * lane);
    Complex* out = args.lines.complex + lineIndex * shape.outputs + first;
    const int left = shape.outputs - first;
    ECHOLUX_UNROLL
    for (int i = 0; i < kMixedAtOnce / kLanes; ++i) {
        const auto mixed = *reinterpret_cast<const Complex*>(y + 2 * kLineStep * i);
        const Complex turned = mixed * (mix[kLanes * i] * start);
        if (kLanes * i < left) out[kLanes * i] = turned;
    }
}

/// The last step without a tail.
ECHOLUX_HD_INLINE void writeReal(const FrontArguments& args, const FrontBlock& block, int thread,
                                 int threads) {
    for (int which = 0; which < block.count; ++which) {
        float* out = args.lines.real + (block.first + which) * args.shape.samples;
        for (int i = thread; i < args.shape.samples; i += threads)
            out[i] = block.line(which)[linePlace(i)];
    }
}

} // namespace echolux::fused
