// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the fused ultrasound front end: sizes, tables in device memory, input and output.
// Also the layout of a block's shared memory.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/dtype.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

/// The stage after the band-pass: none, or one of two that make complex samples.
enum class FrontTail { None, Analytic, Demodulate };

constexpr int kFilterPoints = 1024; ///< points of the band-pass's transforms; each warp does one
constexpr int kMostFrontWarps = 16;
constexpr int kMostFrontDecimation = 4;
constexpr int kHilbertGroup = 4;     ///< odd taps that are applied at once; they span 8 samples
constexpr int kMostHilbertTaps = 64; ///< odd taps on one side
constexpr int kAnalyticAtOnce = 256; ///< neighbouring outputs of a warp
constexpr int kMixedAtOnce = 128;    ///< the same for demodulation
constexpr int kMixedPerThread = 4;

ECHOLUX_HD constexpr int roundedUp(int value, int to) { return (value + to - 1) / to * to; }

/// Lines are [transmit][channel], each `samples` long.
struct FrontShape {
    DType type = DType::I16; ///< U8, I16, U16 or F32
    int samples = 0;
    int outputs = 0; ///< per line; fewer than samples where lines are decimated
    int channels = 1;
    bool subtractsMean = false;
    bool filters = false;
    FrontTail tail = FrontTail::None;
    int bandReach = 0;     ///< taps of the zero-phase band-pass on each side
    int hilbertGroups = 0; ///< number of groups of kHilbertGroup odd taps
    int decimation = 1;
    int mixReach = 0;    ///< taps of the mixing low-pass on each side
    float offset = 0.0F; ///< value = (code - offset) factor
    float factor = 1.0F;

    /// Number of zeros before and behind a line in shared memory.
    ECHOLUX_HD constexpr int halo() const {
        if (tail == FrontTail::Analytic) return 2 * kHilbertGroup * hilbertGroups;
        return tail == FrontTail::Demodulate ? roundedUp(mixReach, 8) : 0;
    }
    /// Number of chunks of `decimation` taps. The first taps are 0, so that lines begin aligned.
    ECHOLUX_HD constexpr int mixChunks() const {
        return (halo() + mixReach + decimation) / decimation;
    }
    ECHOLUX_HD constexpr int mixTaps() const {
        return tail == FrontTail::Demodulate ? (mixChunks() + kMixedPerThread - 1) * decimation : 0;
    }
    /// Filtered samples that one warp's transform gives.
    ECHOLUX_HD constexpr int tile() const { return kFilterPoints - 2 * bandReach; }
    ECHOLUX_HD constexpr int warps() const {
        constexpr int kSamplesPerWarp = 512;
        constexpr int kMostWithoutFilter = 8;
        if (filters) return (samples + tile() - 1) / tile();
        const int wanted = (samples + kSamplesPerWarp - 1) / kSamplesPerWarp;
        return wanted < kMostWithoutFilter ? wanted : kMostWithoutFilter;
    }
};

/// Index in shared memory of place `b` of a line. 4 of 36 floats are not used, so that threads that
/// begin 8 places apart read from different banks.
ECHOLUX_HD constexpr int linePlace(int b) { return b + (b >> 5) * 4; }
constexpr int kLineRow = 32;
constexpr int kLineStep = 36; ///< distance of places that are 32 apart

/// Floats of a warp's own memory: the exchange of its transforms, later its outputs.
ECHOLUX_HD constexpr int exchangeFloats(const FrontShape& shape) {
    constexpr int kOutputs = linePlace(kAnalyticAtOnce); // enough for either tail
    constexpr int kTransform = 32 * 36;
    if (shape.filters) return kTransform;
    return shape.tail == FrontTail::None ? 0 : kOutputs;
}

/// Number of places of a line with its zeros.
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

/// Shared memory of a block: two lines, the memory of each warp, the taps of mixing, sums of the
/// lines' codes.
constexpr std::size_t frontSharedBytes(const FrontShape& shape) {
    const int floats = 2 * lineFloats(shape) + shape.warps() * exchangeFloats(shape) +
                       roundedUp(2 * shape.mixTaps(), 4);
    return static_cast<std::size_t>(floats) * sizeof(float) + 2 * kMostFrontWarps * sizeof(double);
}

struct FrontHilbert {
    float tap[kMostHilbertTaps] = {}; ///< taps of samples 1, 3, 5 ... away; 0 beyond the last tap
};

/// Tables in device memory.
struct FrontTables {
    const Complex* passTwiddle = nullptr;   ///< for the first transform, in the order of
                                            ///< passTwiddleIndex()
    const Complex* returnTwiddle = nullptr; ///< for the second transform, whose points are in
                                            ///< another order
    const float* spectrum = nullptr;        ///< spectrum of the band-pass times the factor /
                                            ///< kFilterPoints, in the order of spectrumIndex()
    const Complex* mixTaps = nullptr;       ///< shape.mixTaps() values
    const Complex* mix = nullptr;   ///< phase of each output of a line, padded to a multiple of
                                    ///< kAnalyticAtOnce
    const Complex* start = nullptr; ///< phase of each transmit of each frame; null: all are 0
};

/// Index in `spectrum` of the value for point `j` of a lane.
ECHOLUX_HD constexpr int spectrumIndex(int j, int lane) { return (j / 4 * 32 + lane) * 4 + j % 4; }

struct FrontLines {
    const void* codes = nullptr; ///< aligned to 16 bytes
    std::int64_t lines = 0;
    Complex* complex = nullptr; ///< null without a tail
    float* real = nullptr;
};

struct FrontArguments {
    FrontShape shape;
    FrontTables tables;
    FrontLines lines;
    FrontHilbert hilbert;
    double perSample = 0.0; ///< 1 / samples
};

/// Call it once per device before runFrontEnd(). Allows kernels this much shared memory. Throws
/// Error where the driver refuses.
void allowFrontEnd(std::size_t sharedBytes);

/// Enqueues one kernel on the stream.
void runFrontEnd(const Exec& exec, const FrontArguments& arguments);

} // namespace echolux::fused
