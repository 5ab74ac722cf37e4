// SPDX-License-Identifier: GPL-3.0-or-later
// Products of an ensemble with small matrices, and sums of products of its frames in tiles of the
// Gram matrix and chunks of the pixels.
#include "gpu/flow/frame_mixing.hpp"

#include "gpu/core/unroll.hpp"
#include "gpu/exec/lane_sum.hpp"
#include "gpu/flow/several_sums.hpp"

#include <cmath>

namespace echolux::flow {
namespace {

/// Frames that one item makes, so that a sample is read once for them. Item: group of frames, then
/// kWide pixels.
template <int kWide> struct Mix {
    MixedFrames ensemble;
    const Complex* matrix;

    ECHOLUX_HD void operator()(std::int64_t group, std::int64_t item) const {
        const std::int64_t pixel = item * kWide;
        const std::int64_t after = ensemble.pixels - pixel;
        const int wide = kWide == 1 || after >= kWide ? kWide : static_cast<int>(after);
        const int first = static_cast<int>(group) * kSumsAtOnce;
        const int left = ensemble.frames - first;
        const int count = left < kSumsAtOnce ? left : kSumsAtOnce;
        SeveralSums<kWide> sums;
        for (int g = 0; g < ensemble.frames; ++g) {
            const Complex* row = matrix + static_cast<std::int64_t>(g) * ensemble.frames + first;
            const Complex* samples = ensemble.in + g * ensemble.pixels + pixel;
            ECHOLUX_UNROLL
            for (int f = 0; f < kSumsAtOnce; ++f)
                if (f < count) sums.addTo(f, samples, wide, row[f]);
        }
        ECHOLUX_UNROLL
        for (int f = 0; f < kSumsAtOnce; ++f)
            for (int i = 0; f < count && i < wide; ++i)
                ensemble.out[(first + f) * ensemble.pixels + pixel + i] = sums.at(f, i);
    }
};

/// Frames of a tile of sums of type S, which stay in registers. In double precision they are half
/// as many.
constexpr int kSide = 8; ///< rows
template <class S> struct TileOf;
template <> struct TileOf<float> {
    using Number = Complex;
    static constexpr int kColumns = kSide;
};
template <> struct TileOf<double> {
    using Number = WideComplex;
    static constexpr int kColumns = kSide / 2;
};
constexpr std::int64_t kGramChunk = 2048; ///< pixels that are summed in single precision

int tilesOf(int frames) { return (frames + kSide - 1) / kSide; }
std::int64_t chunksOf(std::int64_t pixels) { return (pixels + kGramChunk - 1) / kGramChunk; }

/// All pixels of a frame as one block.
struct WholeFrame {
    std::int64_t pixels;

    struct Pixels {
        std::int64_t count;
        ECHOLUX_HD std::int64_t at(std::int64_t pixel) const { return pixel; }
    };
    static constexpr std::int64_t count() { return 1; }
    std::int64_t mostPixels() const { return pixels; }
    ECHOLUX_HD Pixels of(std::int64_t) const { return {pixels}; }
};

/// Item: ((block * rows of tiles + row) * columns of tiles + column) * chunks + chunk. Tiles that
/// lie left of the diagonal are not summed. `Blocks` is WholeFrame or ImageBlocks.
template <class Blocks, class S> struct GramTile {
    using Number = typename TileOf<S>::Number;
    static constexpr int kColumns = TileOf<S>::kColumns;

    const Complex* in;
    std::int64_t pixels;
    Blocks blocks;
    Number* sums; ///< [block][chunk][frame][frame], of tilesOf(frames) * kSide frames
    int frames;
    std::int64_t chunks;
    const int* wanted; ///< [block]; null: all are

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t item, const Lanes& lanes) const {
        const std::int64_t size = sizeOfSums();
        const std::int64_t across = size / kColumns;
        const std::int64_t chunk = item % chunks;
        const std::int64_t tile = item / chunks;
        const std::int64_t block = tile / (size / kSide * across);
        const auto inBlock = tile - block * (size / kSide * across);
        const int firstRow = static_cast<int>(inBlock / across) * kSide;
        const int firstColumn = static_cast<int>(inBlock % across) * kColumns;
        if (firstRow >= firstColumn + kColumns) return;
        if (wanted != nullptr && wanted[block] == 0) return;
        const auto places = blocks.of(block);
        S re[kSide][kColumns] = {};
        S im[kSide][kColumns] = {};
        const std::int64_t begin = chunk * kGramChunk;
        const std::int64_t end =
            begin + kGramChunk < places.count ? begin + kGramChunk : places.count;
        for (std::int64_t n = begin + lanes.own; n < end; n += Lanes::step) {
            const std::int64_t p = places.at(n);
            S rowRe[kSide];
            S rowIm[kSide];
            S columnRe[kColumns];
            S columnIm[kColumns];
            ECHOLUX_UNROLL
            for (int i = 0; i < kSide; ++i) {
                const Complex a = in[frame(firstRow + i) * pixels + p];
                rowRe[i] = static_cast<S>(a.re);
                rowIm[i] = static_cast<S>(a.im);
            }
            ECHOLUX_UNROLL
            for (int k = 0; k < kColumns; ++k) {
                const Complex b = in[frame(firstColumn + k) * pixels + p];
                columnRe[k] = static_cast<S>(b.re);
                columnIm[k] = static_cast<S>(b.im);
            }
            ECHOLUX_UNROLL
            for (int i = 0; i < kSide; ++i) {
                ECHOLUX_UNROLL
                for (int k = 0; k < kColumns; ++k) {
                    re[i][k] = std::fma(rowRe[i], columnRe[k], re[i][k]);
                    re[i][k] = std::fma(rowIm[i], columnIm[k], re[i][k]);
                    im[i][k] = std::fma(rowRe[i], columnIm[k], im[i][k]);
                    im[i][k] = std::fma(-rowIm[i], columnRe[k], im[i][k]);
                }
            }
        }
        ECHOLUX_UNROLL
        for (int i = 0; i < kSide; ++i) {
            ECHOLUX_UNROLL
            for (int k = 0; k < kColumns; ++k) {
                const Number sum{laneSum(lanes, re[i][k]), laneSum(lanes, im[i][k])};
                if (lanes.own == 0)
                    sums[((block * chunks + chunk) * size + firstRow + i) * size + firstColumn +
                         k] = sum;
            }
        }
    }

private:
    ECHOLUX_HD std::int64_t sizeOfSums() const { return (frames + kSide - 1) / kSide * kSide; }
    /// Frames beyond the last repeat it; nobody reads their sums.
    ECHOLUX_HD std::int64_t frame(int f) const { return f < frames ? f : frames - 1; }
};

/// Item: (block * stride + row) * stride + column.
template <class Number> struct GramSum {
    const Number* sums;
    Number* matrices;
    int frames;
    int size; ///< of the sums
    int stride;
    std::int64_t chunks;
    const int* wanted;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        using S = decltype(Number::re);
        const std::int64_t block = i / (static_cast<std::int64_t>(stride) * stride);
        if (wanted != nullptr && wanted[block] == 0) return;
        const auto inBlock = static_cast<int>(i - block * stride * stride);
        const int f = inBlock / stride;
        const int g = inBlock % stride;
        matrices[i] = {};
        if (f >= frames || g >= frames) return;
        const int row = f < g ? f : g;
        const int column = f < g ? g : f;
        double re = 0.0;
        double im = 0.0;
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            const Number sum = sums[((block * chunks + chunk) * size + row) * size + column];
            re += static_cast<double>(sum.re);
            im += static_cast<double>(sum.im);
        }
        const auto imaginary = static_cast<S>(im);
        matrices[i] = {static_cast<S>(re), f == g ? S{} : f < g ? imaginary : -imaginary};
    }
};

template <class S, class Blocks> std::size_t gramBytesOf(int frames, const Blocks& blocks) {
    const auto size = static_cast<std::size_t>(tilesOf(frames)) * kSide;
    const std::int64_t parts = blocks.count() * chunksOf(blocks.mostPixels());
    return static_cast<std::size_t>(parts) * size * size * sizeof(typename TileOf<S>::Number);
}

/// Number: Complex or WideComplex.
template <class Blocks, class Number>
void gramMatricesOf(const Exec& exec, const char* name, const MixedFrames& ensemble,
                    const Blocks& blocks, int stride, void* scratch, Number* matrices,
                    const int* wanted) {
    using S = decltype(Number::re);
    const int rows = tilesOf(ensemble.frames);
    const int columns = rows * kSide / TileOf<S>::kColumns;
    const std::int64_t chunks = chunksOf(blocks.mostPixels());
    auto* sums = static_cast<Number*>(scratch);
    forEachByLanes(exec, name, blocks.count() * rows * columns * chunks,
                   GramTile<Blocks, S>{ensemble.in, ensemble.pixels, blocks, sums, ensemble.frames,
                                       chunks, wanted});
    forEach(exec, name, blocks.count() * stride * stride,
            GramSum<Number>{sums, matrices, ensemble.frames, rows * kSide, stride, chunks, wanted});
}

} // namespace

void mixFrames(const Exec& exec, const char* name, const MixedFrames& ensemble,
               const Complex* matrix) {
    const std::int64_t groups = (ensemble.frames + kSumsAtOnce - 1) / kSumsAtOnce;
    if (exec.backend == Backend::Cuda) {
        forEachInLines(exec, name, groups, ensemble.pixels, Mix<1>{ensemble, matrix});
        return;
    }
    // On the CPU a part of the pixels stays in the cache while all groups read it.
    const Mix<kHostWide> mix{ensemble, matrix};
    host::eachIndex((ensemble.pixels + kHostWide - 1) / kHostWide, [&](std::int64_t part) {
        for (std::int64_t group = 0; group < groups; ++group) mix(group, part);
    });
}

std::size_t gramBytes(int frames, std::int64_t pixels) {
    return gramBytesOf<float>(frames, WholeFrame{pixels});
}
std::size_t gramBytes(int frames, const ImageBlocks& blocks) {
    return gramBytesOf<float>(frames, blocks);
}
std::size_t wideGramBytes(int frames, std::int64_t pixels) {
    return gramBytesOf<double>(frames, WholeFrame{pixels});
}
std::size_t wideGramBytes(int frames, const ImageBlocks& blocks) {
    return gramBytesOf<double>(frames, blocks);
}

void gramMatrix(const Exec& exec, const char* name, const MixedFrames& ensemble, int stride,
                void* scratch, Complex* matrix) {
    gramMatricesOf(exec, name, ensemble, WholeFrame{ensemble.pixels}, stride, scratch, matrix,
                   nullptr);
}
void gramMatrices(const Exec& exec, const char* name, const MixedFrames& ensemble,
                  const ImageBlocks& blocks, int stride, void* scratch, Complex* matrices) {
    gramMatricesOf(exec, name, ensemble, blocks, stride, scratch, matrices, nullptr);
}
void gramMatrix(const Exec& exec, const char* name, const MixedFrames& ensemble, int stride,
                void* scratch, WideComplex* matrix, const int* wanted) {
    gramMatricesOf(exec, name, ensemble, WholeFrame{ensemble.pixels}, stride, scratch, matrix,
                   wanted);
}
void gramMatrices(const Exec& exec, const char* name, const MixedFrames& ensemble,
                  const ImageBlocks& blocks, int stride, void* scratch, WideComplex* matrices,
                  const int* wanted) {
    gramMatricesOf(exec, name, ensemble, blocks, stride, scratch, matrices, wanted);
}

} // namespace echolux::flow
