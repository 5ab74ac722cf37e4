// SPDX-License-Identifier: GPL-3.0-or-later
// Products of the pixels with a few vectors, there and back.
#include "gpu/flow/kept_part.hpp"

#include "gpu/core/unroll.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/flow/leading_subspace.hpp"
#include "gpu/flow/several_sums.hpp"

namespace echolux::flow {
namespace {

constexpr int kKeptAtOnce = kSumsAtOnce; ///< vectors that are handled at once

/// The part along the vectors [first, end), or all but it, of up to kWide neighbouring pixels.
template <int kWide> struct AlongVectors {
    MixedFrames ensemble;
    const Complex* vectors;
    int padded;
    KeptPart part;

    /// Adds `weight(i)` times the part of pixel `first` + i to the output. The output has a value
    /// already where `begun`. Returns whether it has one now.
    template <class Weight>
    ECHOLUX_HD bool add(std::int64_t first, int wide, bool begun, const Weight& weight) const {
        for (int group = part.first / kKeptAtOnce; group * kKeptAtOnce < part.end; ++group) {
            SeveralSums<kWide> along;
            for (int f = 0; f < ensemble.frames; ++f)
                along.add(ensemble.in + f * ensemble.pixels + first, wide, row(f, group));
            ECHOLUX_UNROLL
            for (int j = 0; j < kKeptAtOnce; ++j) {
                for (int i = 0; i < wide; ++i) {
                    along.re[j][i] *= weight(i);
                    along.im[j][i] *= weight(i);
                }
            }
            for (int f = 0; f < ensemble.frames; ++f) addGroup(along, f, group, first, wide, begun);
            begun = true;
        }
        return begun;
    }
    /// Gives the output its value where no vector is kept or removed.
    ECHOLUX_HD void addNothing(std::int64_t first, int wide) const {
        for (int f = 0; f < ensemble.frames; ++f)
            for (int i = 0; i < wide; ++i)
                ensemble.out[f * ensemble.pixels + first + i] = start(f, first + i);
    }

private:
    ECHOLUX_HD const Complex* row(int f, int group) const {
        return vectors + f * padded + group * kKeptAtOnce;
    }
    /// What the parts of groups are added to.
    ECHOLUX_HD Complex start(int f, std::int64_t p) const {
        return part.weakerToo ? ensemble.in[f * ensemble.pixels + p] : Complex{};
    }
    ECHOLUX_HD void addGroup(const SeveralSums<kWide>& along, int f, int group, std::int64_t first,
                             int wide, bool begun) const {
        const float sign = part.weakerToo ? -1.0F : 1.0F;
        Complex factors[kKeptAtOnce];
        ECHOLUX_UNROLL
        for (int j = 0; j < kKeptAtOnce; ++j) {
            const int number = group * kKeptAtOnce + j;
            const bool counts = number >= part.first && number < part.end;
            factors[j] = counts ? sign * conj(row(f, group)[j]) : Complex{};
        }
        for (int i = 0; i < wide; ++i) {
            const std::int64_t at = f * ensemble.pixels + first + i;
            Complex sum = begun ? ensemble.out[at] : start(f, first + i);
            ECHOLUX_UNROLL
            for (int j = 0; j < kKeptAtOnce; ++j) sum = sum + along.at(j, i) * factors[j];
            ensemble.out[at] = sum;
        }
    }
};

/// The whole frame as one block. Item: kWide pixels.
template <int kWide> struct PartOfPixels {
    AlongVectors<kWide> along;

    ECHOLUX_HD void operator()(std::int64_t item) const {
        const std::int64_t first = item * kWide;
        const std::int64_t left = along.ensemble.pixels - first;
        const int wide = kWide == 1 || left >= kWide ? kWide : static_cast<int>(left);
        if (!along.add(first, wide, false, [](int) { return 1.0F; })) along.addNothing(first, wide);
    }
};

/// Pixels of an image of blocks.
template <int kWide> struct PartOfBlocks {
    MixedFrames ensemble;
    ImageBlocks blocks;
    BlockVectors found;
    int padded;

    /// One pixel of a row, with kWide = 1.
    ECHOLUX_HD void operator()(std::int64_t row, std::int64_t column) const {
        keep(row, column, 1, blocks.lateral.partOf(column));
    }
    /// A whole row, in pieces that lie in the same blocks.
    ECHOLUX_HD void operator()(std::int64_t row) const {
        for (std::int64_t part = 0; part < blocks.lateral.parts; ++part) {
            const std::int64_t end = blocks.lateral.cut(part + 1);
            for (std::int64_t x = blocks.lateral.cut(part); x < end; x += kWide)
                keep(row, x, end - x < kWide ? static_cast<int>(end - x) : kWide, part);
        }
    }

private:
    /// `part`: of the lateral axis.
    ECHOLUX_HD void keep(std::int64_t row, std::int64_t x, int wide, std::int64_t part) const {
        const BlockAxis& depth = blocks.depth;
        const BlockAxis& lateral = blocks.lateral;
        const std::int64_t first = row * lateral.size + x;
        const std::int64_t slice = row / depth.size;
        const std::int64_t z = row - slice * depth.size;
        const std::int64_t deep = depth.partOf(z);
        bool begun = false;
        for (std::int64_t r = depth.firstWith(deep); r <= depth.lastWith(deep); ++r) {
            const float down = depth.weight(r, deep, z);
            for (std::int64_t c = lateral.firstWith(part); c <= lateral.lastWith(part); ++c) {
                float weights[kWide];
                for (int i = 0; i < wide; ++i) weights[i] = down * lateral.weight(c, part, x + i);
                begun = of(blocks.number(slice, r, c)).add(first, wide, begun, [&](int i) {
                    return weights[i];
                });
            }
        }
        if (!begun) of(0).addNothing(first, wide);
    }
    ECHOLUX_HD AlongVectors<kWide> of(std::int64_t block) const {
        const Complex* vectors =
            found.vectors + block * static_cast<std::int64_t>(ensemble.frames) * padded;
        KeptPart part = found.part;
        if (found.ranges != nullptr)
            part = {found.ranges[block].first, found.ranges[block].end, false};
        return {ensemble, vectors, padded, part};
    }
};

} // namespace

void keepPart(const Exec& exec, const char* name, const MixedFrames& ensemble,
              const Complex* vectors, int count, const KeptPart& part) {
    const int padded = paddedVectors(count);
    if (exec.backend == Backend::Cuda)
        return forEach(exec, name, ensemble.pixels,
                       PartOfPixels<1>{{ensemble, vectors, padded, part}});
    forEach(exec, name, (ensemble.pixels + kHostWide - 1) / kHostWide,
            PartOfPixels<kHostWide>{{ensemble, vectors, padded, part}});
}

void keepParts(const Exec& exec, const char* name, const MixedFrames& ensemble,
               const ImageBlocks& blocks, const BlockVectors& found) {
    const int padded = paddedVectors(found.count);
    const std::int64_t rows = blocks.slices * blocks.depth.size;
    if (exec.backend == Backend::Cuda)
        return forEachInLines(exec, name, rows, blocks.lateral.size,
                              PartOfBlocks<1>{ensemble, blocks, found, padded});
    host::eachIndex(rows, PartOfBlocks<kHostWide>{ensemble, blocks, found, padded});
}

} // namespace echolux::flow
