// SPDX-License-Identifier: GPL-3.0-or-later
// Products of an ensemble with small matrices.
#include "gpu/flow/frame_mixing.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/flow/gram.hpp"
#include "gpu/flow/hermitian_eigen.hpp"
#include "gpu/flow/several_sums.hpp"

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

struct ProjectionEntry {
    EigenRoom room;
    Complex* matrix;
    int frames;
    int first;
    int end;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const int g = static_cast<int>(i) / frames;
        const int f = static_cast<int>(i) % frames;
        const int size = evenSize(frames);
        Complex sum;
        for (int k = first; k < end; ++k) {
            const int column = room.order[k];
            sum = sum + room.vectors[g * size + column] * conj(room.vectors[f * size + column]);
        }
        matrix[i] = sum;
    }
};

EigenRoom eigenRoom(void* scratch, int frames) {
    const auto size = static_cast<std::size_t>(evenSize(frames));
    auto* start = static_cast<Complex*>(scratch);
    return {start, start + size * size, start + 2 * size * size,
            reinterpret_cast<int*>(start + 2 * size * size + size)};
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

std::size_t subspaceBytes(int frames, std::int64_t pixels) {
    const auto size = static_cast<std::size_t>(evenSize(frames));
    return gramBytes(frames, pixels) + (2 * size * size + size) * sizeof(Complex) +
           size * sizeof(int);
}

void keepSubspace(const Exec& exec, const char* name, const MixedFrames& ensemble, int first,
                  int end, void* scratch, Complex* matrix) {
    const EigenRoom room =
        eigenRoom(static_cast<std::byte*>(scratch) + gramBytes(ensemble.frames, ensemble.pixels),
                  ensemble.frames);
    gramMatrix(exec, name, ensemble, evenSize(ensemble.frames), scratch, room.matrix);
    asTeam(exec, name, HermitianEigen{room, ensemble.frames});
    const std::int64_t entries = static_cast<std::int64_t>(ensemble.frames) * ensemble.frames;
    forEach(exec, name, entries, ProjectionEntry{room, matrix, ensemble.frames, first, end});
}

} // namespace echolux::flow
