// SPDX-License-Identifier: GPL-3.0-or-later
// What the fused ultrasound front end is told: sizes, tables in device memory, places of input and
// output; and how a block divides its shared memory.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/dtype.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

/// What follows the band-pass: nothing, or complex samples by one of two stages.
enum class FrontTail { None, Analytic, Demodulate };

constexpr int kFilterPoints = 1024; ///< of the band-pass's transforms, one by each warp
constexpr int kMostFrontWarps = 16;
constexpr int kMostFrontDecimation = 4;
constexpr int kHilbertGroup = 4;     ///< odd taps that are taken at once: 8 samples
constexpr int kMostHilbertTaps = 64; ///< odd ones of one side
constexpr int kAnalyticAtOnce = 256; ///< neighbouring outputs of a warp
constexpr int kMixedAtOnce = 128;    ///< the same of demodulation
constexpr int kMixedPerThread = 4;

ECHOLUX_HD constexpr int roundedUp(int value, int to) { return (value + to - 1) / to * to; }

/// Lines are [transmit][channel], each `samples` long.
struct FrontShape {
    DType type = DType::I16; ///< U8, I16, U16 or F32
    int samples = 0;
    int outputs = 0; ///< of a line: fewer where it is decimated
    int channels = 1;
    bool subtractsMean = false;
    bool filters = false;
    FrontTail tail = FrontTail::None;
    int bandReach = 0;     ///< taps of the zero-phase band-pass on each side
    int hilbertGroups = 0; ///< of kHilbertGroup odd taps
    int decimation = 1;
    int mixReach = 0;    ///< taps of the mixing low-pass on each side
    float offset = 0.0F; ///< value = (code - offset) factor
    float factor = 1.0F;

    /// Zeros before a line in shared memory, and behind it.
    ECHOLUX_HD constexpr int halo() const {
        if (tail == FrontTail::Analytic) return 2 * kHilbertGroup * hilbertGroups;
        return tail == FrontTail::Demodulate ? roundedUp(mixReach, 8) : 0;
    }
    /// Taps come in chunks of `decimation`, the first ones 0 so that lines begin aligned.
    ECHOLUX_HD constexpr int mixChunks() const {
        return (halo() + mixReach + decimation) / decimation;
    }
    ECHOLUX_HD constexpr int mixTaps() const {
        return tail == FrontTail::Demodulate ? (mixChunks() + kMixedPerThread - 1) * decimation : 0;
    }
    /// Samples that one warp's transform yields.
    ECHOLUX_HD constexpr int tile() const { return kFilterPoints - 2 * bandReach; }
    ECHOLUX_HD constexpr int warps() const {
        constexpr int kSamplesPerWarp = 512;
        constexpr int kMostWithoutFilter = 8;
        if (filters) return (samples + tile() - 1) / tile();
        const int wanted = (samples + kSamplesPerWarp - 1) / kSamplesPerWarp;
        return wanted < kMostWithoutFilter ? wanted : kMostWithoutFilter;
    }
};

/// Where place `b` of a line lies in shared memory: 4 of 36 floats are left out, so that threads
/// that begin 8 places apart read from different banks.
ECHOLUX_HD constexpr int linePlace(int b) { return b + (b >> 5) * 4; }
constexpr int kLineRow = 32;
constexpr int kLineStep = 36; ///< between places 32 apart

/// Floats of a warp's own: the exchange of its transforms, later its outputs.
ECHOLUX_HD constexpr int exchangeFloats(const FrontShape& shape) {
    constexpr int kOutputs = linePlace(kAnalyticAtOnce); // of either tail
    constexpr int kTransform = 32 * 36;
    if (shape.filters) return kTransform;
    return shape.tail == FrontTail::None ? 0 : kOutputs;
}

/// Places of a line with its zeros.
ECHOLUX_HD constexpr int linePlaces(const FrontShape& shape) {
    const int halo = shape.halo();
    if (shape.tail == FrontTail::Analytic) return halo + roundedUp(shape.samples, 8) + halo + 8;
    if (shape.tail == FrontTail::None) return roundedUp(shape.samples, 8);
    const int last = (shape.outputs - 1) / kMixedPerThread * kMixedPerThread;
    const int read = (last + kMixedPerThread - 1 + shape.mixChunks()) * shape.decimation;
    const int held = halo + shape.samples;
    return roundedUp(read > held ? read : held, 8);
}
ECHOLUX_HD constexpr int lineFloats(const FrontShape& shape) {
    return roundedUp(linePlace(linePlaces(shape)), kLineRow);
}

/// Of a block: two lines, what each warp has, the taps of mixing, sums of the lines' codes.
constexpr std::size_t frontSharedBytes(const FrontShape& shape) {
    const int floats = 2 * lineFloats(shape) + shape.warps() * exchangeFloats(shape) +
                       roundedUp(2 * shape.mixTaps(), 4);
    return static_cast<std::size_t>(floats) * sizeof(float) + 2 * kMostFrontWarps * sizeof(double);
}

struct FrontHilbert {
    float tap[kMostHilbertTaps] = {}; ///< of samples 1, 3, 5 ... away; 0 beyond those there are
};

/// In device memory.
struct FrontTables {
    const Complex* passTwiddle = nullptr;   ///< of the first transform, by passTwiddleIndex()
    const Complex* returnTwiddle = nullptr; ///< of the second, whose points lie otherwise
    const float* spectrum = nullptr;  ///< of the band-pass times the factor over kFilterPoints; by
                                      ///< spectrumIndex()
    const Complex* mixTaps = nullptr; ///< shape.mixTaps()
    const Complex* mix = nullptr;     ///< phase of each output of a line, kAnalyticAtOnce at a time
    const Complex* start = nullptr;   ///< phase of each frame's transmits; null: none has one
};

/// Where the spectrum keeps its value at the `j`th point of a lane.
ECHOLUX_HD constexpr int spectrumIndex(int j, int lane) { return (j / 4 * 32 + lane) * 4 + j % 4; }

struct FrontLines {
    const void* codes = nullptr; ///< begins at 16 bytes
    std::int64_t lines = 0;
    Complex* complex = nullptr; ///< or null, where the tail is none
    float* real = nullptr;
};

struct FrontArguments {
    FrontShape shape;
    FrontTables tables;
    FrontLines lines;
    FrontHilbert hilbert;
    double perSample = 0.0; ///< 1 / samples
};

/// Once for each device before runFrontEnd() on it. Throws Error where the driver refuses.
void allowFrontEnd(std::size_t sharedBytes);

/// Enqueues one kernel on the stream.
void runFrontEnd(const Exec& exec, const FrontArguments& arguments);

} // namespace echolux::fused
