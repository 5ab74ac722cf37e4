// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values by the Gram matrix, and the similarity of spatial vectors.
#include "gpu/flow/singular_parts.hpp"

#include "gpu/exec/for_each.hpp"
#include "gpu/exec/lane_sum.hpp"
#include "gpu/flow/hermitian_eigen.hpp"
#include "gpu/flow/scratch_room.hpp"

#include <cmath>

namespace echolux::flow {
namespace {

constexpr std::int64_t kSumChunk = 2048; ///< pixels that are summed in single precision

std::int64_t sumChunks(std::int64_t pixels) { return (pixels + kSumChunk - 1) / kSumChunk; }

struct SingularRoom : ScratchRoom {
    EigenRoom eigen = {};
    double* within = nullptr;       ///< [frames + 1][frames + 1]: sums of the similarity
    Complex* covariances = nullptr; ///< [frame][frame]
    void* gram = nullptr;
    float* sums = nullptr;   ///< [chunk][frame]: magnitudes of a spatial vector
    float* scores = nullptr; ///< [frame]: of the best second square behind the first
    int* ends = nullptr;     ///< [frame]: where that square ends

    SingularRoom(void* scratch, int frames, std::int64_t pixels) {
        const std::int64_t even = evenSize(frames);
        const std::int64_t count = frames;
        eigen.matrix = take<WideComplex>(scratch, even * even);
        eigen.vectors = take<WideComplex>(scratch, even * even);
        eigen.rotation = take<WideComplex>(scratch, even);
        gram = take<std::byte>(scratch, static_cast<std::int64_t>(wideGramBytes(frames, pixels)));
        within = take<double>(scratch, (count + 1) * (count + 1));
        covariances = take<Complex>(scratch, count * count);
        sums = take<float>(scratch, sumChunks(pixels) * count);
        scores = take<float>(scratch, count);
        ends = take<int>(scratch, count);
        eigen.order = take<int>(scratch, even);
    }
};

/// Item: a singular value. x[f] = sum over k of u[k] s[k] conj(v[k][f]), so the ensemble turns
/// against v.
struct ValueOfVector {
    EigenRoom room;
    SingularParts found;
    int frames;
    int stride; ///< from frame to frame in `found.vectors`

    ECHOLUX_HD void operator()(std::int64_t k) const {
        const int size = evenSize(frames);
        const int column = room.order[k];
        const double square = room.matrix[column * size + column].re;
        Complex lag;
        for (int f = 0; f < frames; ++f) {
            const Complex here = narrowed(room.vectors[f * size + column]);
            found.vectors[f * stride + k] = here;
            if (f + 1 < frames)
                lag = lag + here * conj(narrowed(room.vectors[(f + 1) * size + column]));
        }
        found.values[k] = {square > 0.0 ? static_cast<float>(sqrt(square)) : 0.0F,
                           atan2f(lag.im, lag.re)};
    }
};

/// Number and Limits. A single item.
struct ChooseByRule {
    SingularParts found;
    SingularRule rule;
    int frames;

    ECHOLUX_HD void operator()(std::int64_t) const {
        *found.range = rule.range;
        if (rule.by == ChosenBy::Number) return;
        int end = 0;
        const float least = rule.leastRatio * found.values[0].value;
        while (end < frames && found.values[end].value >= least) ++end;
        int first = 0;
        while (first < end && fabsf(found.values[first].radians) < rule.leastRadians) ++first;
        *found.range = {first, end};
    }
};

/// Item: k * chunks + chunk.
struct SumOfMagnitudes {
    const Complex* parts; ///< [k][pixel]
    float* sums;
    std::int64_t pixels;
    std::int64_t chunks;
    int frames;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t item, const Lanes& lanes) const {
        const std::int64_t k = item / chunks;
        const std::int64_t chunk = item % chunks;
        const std::int64_t begin = chunk * kSumChunk;
        const std::int64_t end = begin + kSumChunk < pixels ? begin + kSumChunk : pixels;
        float sum = 0.0F;
        for (std::int64_t p = begin + lanes.own; p < end; p += Lanes::step)
            sum += sqrtf(norm(parts[k * pixels + p]));
        const float all = laneSum(lanes, sum);
        if (lanes.own == 0) sums[chunk * frames + k] = all;
    }
};

struct MeanOfMagnitudes {
    float* sums; ///< the first chunk becomes the mean
    std::int64_t pixels;
    std::int64_t chunks;
    int frames;

    ECHOLUX_HD void operator()(std::int64_t k) const {
        double sum = 0.0;
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
            sum += static_cast<double>(sums[chunk * frames + k]);
        sums[k] = static_cast<float>(sum / static_cast<double>(pixels));
    }
};

struct LessMean {
    Complex* parts;
    const float* means;
    std::int64_t pixels;

    ECHOLUX_HD void operator()(std::int64_t k, std::int64_t p) const {
        Complex& part = parts[k * pixels + p];
        part = {sqrtf(norm(part)) - means[k], 0.0F};
    }
};

/// Fits two squares to the similarity.
struct FitSquares {
    SingularRoom room;
    SingularParts found;
    int frames;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const int side = frames + 1;
        team.each(side, [&](int i) { sumRow(i, side); });
        team.each(side, [&](int k) {
            for (int i = 1; i < side; ++i)
                room.within[i * side + k] += room.within[(i - 1) * side + k];
        });
        team.each(frames, [&](int first) { fitSecond(first, side); });
        team.each(1, [&](int) { choose(); });
    }

private:
    /// Row i of `within`: sums of row i - 1 of the similarity, from the left.
    ECHOLUX_HD void sumRow(int i, int side) const {
        double sum = 0.0;
        room.within[i * side] = 0.0;
        for (int k = 1; k < side; ++k) {
            if (i > 0) sum += similarity(i - 1, k - 1);
            room.within[i * side + k] = sum;
        }
    }
    ECHOLUX_HD double similarity(int i, int k) const {
        constexpr float kLeast = 5.6e-4F; // -65 dB
        constexpr double kUneven = 1e-10; // of the mean square: more than rounding
        const float least = kLeast * found.values[0].value;
        if (!(found.values[i].value > least && found.values[k].value > least)) return 0.0;
        const auto varies = [&](int n, double variance) {
            const auto value = static_cast<double>(found.values[n].value);
            return variance > kUneven * value * value;
        };
        const auto a = static_cast<double>(room.covariances[i * frames + i].re);
        const auto b = static_cast<double>(room.covariances[k * frames + k].re);
        if (!varies(i, a) || !varies(k, b)) return 0.0;
        return static_cast<double>(room.covariances[i * frames + k].re) / sqrt(a * b);
    }
    ECHOLUX_HD double square(int first, int end, int side) const {
        return room.within[end * side + end] - room.within[first * side + end] -
               room.within[end * side + first] + room.within[first * side + first];
    }
    ECHOLUX_HD void fitSecond(int first, int side) const {
        float best = -2.0F;
        int bestEnd = first;
        const auto entries = static_cast<double>(frames) * static_cast<double>(frames);
        const double all = room.within[side * side - 1];
        for (int end = first + 1; first > 0 && end <= frames; ++end) {
            const auto one = static_cast<double>(first);
            const auto two = static_cast<double>(end - first);
            const double part = (one * one + two * two) / entries;
            const double sum = square(0, first, side) + square(first, end, side);
            const auto score =
                static_cast<float>((sum - part * all) / (sqrt(part * (1.0 - part)) * entries));
            if (!(score > best)) continue;
            best = score;
            bestEnd = end;
        }
        room.scores[first] = best;
        room.ends[first] = bestEnd;
    }
    ECHOLUX_HD void choose() const {
        int first = frames > 1 ? 1 : 0;
        for (int k = first + 1; k < frames; ++k)
            if (room.scores[k] > room.scores[first]) first = k;
        *found.range = {first, room.ends[first]};
    }
};

/// Item: entry of the matrix.
struct ProjectionEntry {
    SingularParts found;
    Complex* matrix;
    int frames;

    ECHOLUX_HD void operator()(std::int64_t g, std::int64_t f) const {
        Complex sum;
        for (int k = found.range->first; k < found.range->end; ++k)
            sum = sum + found.vectors[g * frames + k] * conj(found.vectors[f * frames + k]);
        matrix[g * frames + f] = sum;
    }
};

/// All parts of one of several blocks, as a team. `room` and `found` are those of the first block.
struct PartsOfBlock {
    EigenRoom room;
    SingularParts found;
    SingularRule rule;
    int frames;
    int stride; ///< from frame to frame in `found.vectors`

    template <class Team> ECHOLUX_HD void operator()(const Team& team, std::int64_t block) const {
        const EigenRoom eigen = room.of(block, evenSize(frames));
        const SingularParts parts{found.values + block * frames,
                                  found.vectors + block * frames * stride, found.range + block};
        HermitianEigen{eigen, frames}(team);
        team.each(frames, ValueOfVector{eigen, parts, frames, stride});
        const int beyond = stride - frames;
        team.each(frames * beyond,
                  [&](int i) { parts.vectors[i / beyond * stride + frames + i % beyond] = {}; });
        team.each(1, ChooseByRule{parts, rule, frames});
    }
};

/// Scratch memory for the parts of blocks.
struct BlockRoom : ScratchRoom {
    EigenRoom eigen = {};
    void* gram = nullptr;
    SingularValue* values = nullptr;

    BlockRoom(void* scratch, int frames, const ImageBlocks& blocks) {
        const std::int64_t count = blocks.count();
        const std::int64_t even = evenSize(frames);
        eigen.matrix = take<WideComplex>(scratch, count * even * even);
        eigen.vectors = take<WideComplex>(scratch, count * even * even);
        eigen.rotation = take<WideComplex>(scratch, count * even);
        gram = take<std::byte>(scratch, static_cast<std::int64_t>(wideGramBytes(frames, blocks)));
        values = take<SingularValue>(scratch, count * frames);
        eigen.order = take<int>(scratch, count * even);
    }
};

void chooseBySimilarity(const Exec& exec, const char* name, const MixedFrames& ensemble,
                        const SingularRoom& room, const SingularParts& found) {
    const int frames = ensemble.frames;
    const std::int64_t pixels = ensemble.pixels;
    const std::int64_t chunks = sumChunks(pixels);
    mixFrames(exec, name, ensemble, found.vectors); // to the spatial vectors, times their values
    forEachByLanes(exec, name, frames * chunks,
                   SumOfMagnitudes{ensemble.out, room.sums, pixels, chunks, frames});
    forEach(exec, name, frames, MeanOfMagnitudes{room.sums, pixels, chunks, frames});
    forEachInLines(exec, name, frames, pixels, LessMean{ensemble.out, room.sums, pixels});
    gramMatrix(exec, name, {ensemble.out, nullptr, frames, pixels}, frames, room.gram,
               room.covariances);
    asTeam(exec, name, FitSquares{room, found, frames});
}

} // namespace

std::size_t singularBytes(int frames, std::int64_t pixels) {
    return SingularRoom(nullptr, frames, pixels).bytes;
}

void findSingularParts(const Exec& exec, const char* name, const MixedFrames& ensemble,
                       const SingularRule& rule, void* scratch, const SingularParts& found) {
    const int frames = ensemble.frames;
    const SingularRoom room(scratch, frames, ensemble.pixels);
    gramMatrix(exec, name, ensemble, evenSize(frames), room.gram, room.eigen.matrix);
    asTeam(exec, name, HermitianEigen{room.eigen, frames});
    forEach(exec, name, frames, ValueOfVector{room.eigen, found, frames, frames});
    if (rule.by == ChosenBy::Similarity)
        chooseBySimilarity(exec, name, ensemble, room, found);
    else
        forEach(exec, name, 1, ChooseByRule{found, rule, frames});
}

std::size_t singularBytes(int frames, const ImageBlocks& blocks) {
    return BlockRoom(nullptr, frames, blocks).bytes;
}

void findPartsOfBlocks(const Exec& exec, const char* name, const MixedFrames& ensemble,
                       const ImageBlocks& blocks, const SingularRule& rule, void* scratch,
                       Complex* vectors, SingularRange* ranges) {
    constexpr int kThreads = 512;
    const int frames = ensemble.frames;
    const BlockRoom room(scratch, frames, blocks);
    gramMatrices(exec, name, ensemble, blocks, evenSize(frames), room.gram, room.eigen.matrix);
    asTeams<kThreads>(
        exec, name, blocks.count(),
        PartsOfBlock{
            room.eigen, {room.values, vectors, ranges}, rule, frames, paddedVectors(frames)});
}

void projectOnRange(const Exec& exec, const char* name, int frames, const SingularParts& found,
                    Complex* matrix) {
    forEachInLines(exec, name, frames, frames, ProjectionEntry{found, matrix, frames});
}

} // namespace echolux::flow
