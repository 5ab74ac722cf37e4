// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous iteration with a few vectors, and rotations where it does not tell them apart.
#include "gpu/flow/leading_subspace.hpp"

#include "gpu/flow/hermitian_eigen.hpp"
#include "gpu/flow/scratch_room.hpp"
#include "gpu/flow/simultaneous_iteration.hpp"

#include <algorithm>

namespace echolux::flow {
namespace {

constexpr int kRounds = 12;
constexpr int kRoundsToTell = 8; ///< where unclear vectors are found otherwise

bool isSettled(int frames) { return frames <= kMostSettled; }
/// So many vectors are iterated for `count`: one more tells how far the next one is.
int iteratedFor(int frames, int count) {
    return isSettled(frames) ? std::min(count + 1, frames) : count;
}

/// Where the buffers lie in the scratch memory.
struct LeadingRoom {
    Complex* matrix; ///< of each block, as the following
    Complex* products;
    WideComplex* inner;
    void* gram;

    LeadingRoom(void* scratch, int frames, int count, std::int64_t blocks = 1) {
        const auto size = static_cast<std::size_t>(frames);
        const auto vectors = static_cast<std::size_t>(count);
        const auto times = static_cast<std::size_t>(blocks);
        inner = static_cast<WideComplex*>(scratch);
        matrix = reinterpret_cast<Complex*>(inner + times * vectors * vectors);
        products = matrix + times * size * size;
        gram = products + times * leadingSize(frames, count);
    }
};

/// All but what LeadingRoom::gram points to.
std::size_t leadingRoomBytes(int frames, int count, std::int64_t blocks) {
    const auto size = static_cast<std::size_t>(frames);
    const auto vectors = static_cast<std::size_t>(count);
    return static_cast<std::size_t>(blocks) *
           (vectors * vectors * sizeof(WideComplex) +
            (size * size + leadingSize(frames, count)) * sizeof(Complex));
}

/// Finds blocks whose `count` vectors are not told from the next one by kRoundsToTell rounds. Item:
/// block. R of the last round has about the eigenvalues of the Gram matrix on its diagonal.
struct FindUnclear {
    const WideComplex* upper; ///< R, [block][iterated][iterated]
    int* unclear;             ///< [block]: 1, else 0
    int count;
    int iterated;

    ECHOLUX_HD void operator()(std::int64_t block) const {
        constexpr double kRatio = 10.0;    ///< kRoundsToTell rounds leave 1e-8 of the next vector
        constexpr double kResolved = 1e-4; ///< of the largest: a thousand roundings of the matrix
        const WideComplex* r = upper + block * iterated * iterated;
        const auto value = [&](int j) { return r[j * iterated + j].re; };
        const double weakest = value(count - 1);
        const double next = iterated > count ? value(count) : 0.0;
        const bool isClear = weakest >= kRatio * next && weakest - next >= kResolved * value(0);
        unclear[block] = isClear ? 0 : 1;
    }
};

/// Writes the vectors of a block, those of the rotations where it is unclear.
struct Settle {
    EigenRoom room; ///< of the first block, as the following
    const int* unclear;
    const Complex* iterated; ///< [block][frames][paddedVectors(iterated)]
    Complex* vectors;        ///< [block][frames][paddedVectors(count)]
    int frames;
    int count;
    int iteratedPadded;

    template <class Team> ECHOLUX_HD void operator()(const Team& team, std::int64_t block) const {
        const int even = evenSize(frames);
        const int padded = (count + kVectorsAtOnce - 1) / kVectorsAtOnce * kVectorsAtOnce;
        const EigenRoom eigen = room.of(block, even);
        const bool isUnclear = unclear[block] != 0;
        if (isUnclear) HermitianEigen{eigen, frames}(team);
        const Complex* from = iterated + block * frames * iteratedPadded;
        Complex* to = vectors + block * frames * padded;
        team.each(frames * padded, [&](int i) {
            const int f = i / padded;
            const int k = i % padded;
            if (k >= count)
                to[i] = {};
            else if (isUnclear)
                to[i] = narrowed(eigen.vectors[f * even + eigen.order[k]]);
            else
                to[i] = from[f * iteratedPadded + k];
        });
    }
};

/// Scratch memory where unclear vectors are settled.
struct SettlingRoom : ScratchRoom {
    EigenRoom eigen = {};
    Complex* iterated = nullptr;
    int* unclear = nullptr;
    std::byte* rest = nullptr; ///< of the iteration, then of the Gram matrices

    SettlingRoom(void* scratch, int frames, int count, std::int64_t blocks, std::size_t restBytes) {
        const std::int64_t even = evenSize(frames);
        eigen.matrix = take<WideComplex>(scratch, blocks * even * even);
        eigen.vectors = take<WideComplex>(scratch, blocks * even * even);
        eigen.rotation = take<WideComplex>(scratch, blocks * even);
        rest = take<std::byte>(scratch, static_cast<std::int64_t>((restBytes + 15) / 16 * 16));
        iterated = take<Complex>(scratch, blocks * static_cast<std::int64_t>(leadingSize(
                                                       frames, iteratedFor(frames, count))));
        unclear = take<int>(scratch, blocks);
        eigen.order = take<int>(scratch, blocks * even);
    }
};

/// Of the iteration alone; `blocks`: the pixels of the whole frame, or ImageBlocks.
template <class Blocks>
std::size_t iterationBytes(int frames, const Blocks& blocks, std::int64_t number, int count) {
    return leadingRoomBytes(frames, count, number) + gramBytes(frames, blocks);
}

template <class Blocks>
std::size_t restBytes(int frames, const Blocks& blocks, std::int64_t number, int count) {
    return std::max(iterationBytes(frames, blocks, number, iteratedFor(frames, count)),
                    wideGramBytes(frames, blocks));
}

template <class Blocks>
std::size_t leadingBytesOf(int frames, const Blocks& blocks, std::int64_t number, int count) {
    if (!isSettled(frames)) return iterationBytes(frames, blocks, number, count);
    return SettlingRoom(nullptr, frames, count, number, restBytes(frames, blocks, number, count))
        .bytes;
}

void iterate(const Exec& exec, const char* name, const MixedFrames& ensemble, int count, int rounds,
             const LeadingRoom& room, Complex* vectors) {
    const int frames = ensemble.frames;
    const int padded = paddedVectors(count);
    gramMatrix(exec, name, ensemble, frames, room.gram, room.matrix);
    forEach(exec, name, static_cast<std::int64_t>(frames) * padded,
            Scatter{vectors, count, padded});
    for (int round = 0; round < rounds; ++round) {
        forEachByLanes(exec, name, static_cast<std::int64_t>(frames) * (padded / kVectorsAtOnce),
                       TimesGram{room.matrix, vectors, room.products, frames, padded});
        forEachByLanes(exec, name, static_cast<std::int64_t>(count) * count,
                       InnerProducts{room.products, room.inner, frames, count, padded});
        asTeam(exec, name, Cholesky{room.inner, count});
        forEach(exec, name, frames, Orthonormal{room.products, room.inner, vectors, count, padded});
    }
}

void iterate(const Exec& exec, const char* name, const MixedFrames& ensemble,
             const ImageBlocks& blocks, int count, int rounds, const LeadingRoom& room,
             Complex* vectors) {
    constexpr int kThreads = 256;
    const int frames = ensemble.frames;
    gramMatrices(exec, name, ensemble, blocks, frames, room.gram, room.matrix);
    asTeams<kThreads>(exec, name, blocks.count(),
                      Iteration{room.matrix, vectors, room.products, room.inner, frames, count,
                                paddedVectors(count), rounds});
}

/// What follows an iteration in `room`: `wideGrams` enqueues the matrices of unclear blocks.
template <int kThreads, class WideGrams>
void settle(const Exec& exec, const char* name, const SettlingRoom& room, int frames, int count,
            std::int64_t blocks, Complex* vectors, const WideGrams& wideGrams) {
    const int iterated = iteratedFor(frames, count);
    const LeadingRoom iteration(room.rest, frames, iterated, blocks);
    forEach(exec, name, blocks, FindUnclear{iteration.inner, room.unclear, count, iterated});
    wideGrams();
    asTeams<kThreads>(exec, name, blocks,
                      Settle{room.eigen, room.unclear, room.iterated, vectors, frames, count,
                             paddedVectors(iterated)});
}

} // namespace

std::size_t leadingSize(int frames, int count) {
    return static_cast<std::size_t>(frames) * static_cast<std::size_t>(paddedVectors(count));
}

std::size_t leadingBytes(int frames, std::int64_t pixels, int count) {
    return leadingBytesOf(frames, pixels, 1, count);
}
std::size_t leadingBytes(int frames, const ImageBlocks& blocks, int count) {
    return leadingBytesOf(frames, blocks, blocks.count(), count);
}

void leadingSubspace(const Exec& exec, const char* name, const MixedFrames& ensemble, int count,
                     void* scratch, Complex* vectors) {
    const int frames = ensemble.frames;
    if (!isSettled(frames))
        return iterate(exec, name, ensemble, count, kRounds, LeadingRoom(scratch, frames, count),
                       vectors);
    const SettlingRoom room(scratch, frames, count, 1,
                            restBytes(frames, ensemble.pixels, 1, count));
    const int iterated = iteratedFor(frames, count);
    iterate(exec, name, ensemble, iterated, kRoundsToTell, LeadingRoom(room.rest, frames, iterated),
            room.iterated);
    constexpr int kThreads = 1024;
    settle<kThreads>(exec, name, room, frames, count, 1, vectors, [&] {
        gramMatrix(exec, name, ensemble, evenSize(frames), room.rest, room.eigen.matrix,
                   room.unclear);
    });
}

void leadingSubspaces(const Exec& exec, const char* name, const MixedFrames& ensemble,
                      const ImageBlocks& blocks, int count, void* scratch, Complex* vectors) {
    const int frames = ensemble.frames;
    const std::int64_t number = blocks.count();
    if (!isSettled(frames))
        return iterate(exec, name, ensemble, blocks, count, kRounds,
                       LeadingRoom(scratch, frames, count, number), vectors);
    const SettlingRoom room(scratch, frames, count, number,
                            restBytes(frames, blocks, number, count));
    const int iterated = iteratedFor(frames, count);
    iterate(exec, name, ensemble, blocks, iterated, kRoundsToTell,
            LeadingRoom(room.rest, frames, iterated, number), room.iterated);
    constexpr int kThreads = 512;
    settle<kThreads>(exec, name, room, frames, count, number, vectors, [&] {
        gramMatrices(exec, name, ensemble, blocks, evenSize(frames), room.rest, room.eigen.matrix,
                     room.unclear);
    });
}

} // namespace echolux::flow
