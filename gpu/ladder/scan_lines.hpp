// SPDX-License-Identifier: GPL-3.0-or-later
// The beamforming kernels of Gronvold 2008, chapter 4 (TEXF, TEXF MLA, TEXF APO and their forms
// for records of four times the samples, 1/4 TEXF): lines in range,
//   out[beam][line][i] = sum_n w[n][i] in[beam][n](i' / 2 + sqrt(i'^2 / 4 + C1_n - i' C3_n C4)),
//   i' = factor i, C1 = a_n^2 f^2 / c^2, C3 = a_n f / c, C4 = sin(angle of the line),
// a_n = place of element n along the array in m, f = factor fs in Hz, c in m/s; z = c i / (2 fs).
// Records are interpolated linearly with the fraction rounded to 1/256, and beyond its ends a
// record repeats its last sample, as texture units do. Every beam has records of its own.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace echolux::ladder {

constexpr int kMostScanConstants = 12288; ///< floats, which fit into 64 KiB of constant memory
constexpr float kCodePeak = 32767.0F;     ///< the code of a sample, or weight, of 1

/// The layout of the constants that depend on the angle.
enum class ScanConstants {
    PerBeamAndChannel, ///< version 1: C1 and C3 C4, [beam][2][channel]; one line
    Separate,          ///< version 2: C1 [channel], C3 [channel], C4 [beam][line]
};

/// What a thread and a block compute. The last two are the other ways to sum of section 4.1.4.
enum class LineOrder {
    Loop,        ///< a thread computes the lines of a beam one after the other
    Parallel,    ///< threads of a block compute the same range of different lines
    Cooperative, ///< a block computes one sample of a line; its threads share the channels
    Atomic,      ///< blocks add the sums of some channels each to the output in memory
};

struct ScanProblem {
    std::int32_t channels = 128;
    std::int32_t samples = 6144; ///< samples of a record at fs, and of a line
    std::int32_t beams = 40;
    std::int32_t lines = 1;  ///< lines of one beam
    std::int32_t factor = 1; ///< 4: records are at 4 fs; 1: at fs
    device::TextureNumbers numbers = device::TextureNumbers::Int16; ///< of the records
    bool apodized = false;
    ScanConstants constants = ScanConstants::Separate;
    LineOrder order = LineOrder::Loop;
    std::int32_t block = 128; ///< threads per block, for LineOrder::Loop and LineOrder::Atomic

    std::int64_t recordSamples() const { return std::int64_t{samples} * factor; }
    std::int64_t records() const { return std::int64_t{beams} * channels; }
    std::int64_t outputs() const { return std::int64_t{beams} * lines * samples; }
    /// Samples of the records at fs, as counted in Gronvold 2008, section 4.6.
    double samplesRead() const { return static_cast<double>(records()) * samples; }
};

/// Geometry: elements in a straight line, beams that fan out evenly, lines evenly spaced around
/// each beam.
struct ScanGeometry {
    double pitchM = 0.25e-3;
    double samplingHz = 40e6;
    double soundSpeedMps = 1560.0;
    double greatestAngleRad = 0.6; ///< largest angle of a beam

    /// a_n fs / c.
    double place(const ScanProblem& problem, int channel) const;
    double sine(const ScanProblem& problem, int beam, int line) const;
};

/// The constants in the layout of ScanConstants.
std::vector<float> scanConstants(const ScanProblem& problem, const ScanGeometry& geometry);

/// All except the constants are in compute memory. Rows are multiples of 32 bytes long.
struct ScanInput {
    const void* records = nullptr;         ///< [beam][channel][sample] of ScanProblem::numbers
    const std::int16_t* weights = nullptr; ///< [channel][sample], where apodized
    device::Texture recordTexture = 0; ///< on CUDA: device::createClampedTexture() over the records
    device::Texture weightTexture = 0; ///< on CUDA: device::createClampedTexture() over the weights
    const float* constants = nullptr;  ///< in host memory; sumScanLines() reads them while it
                                       ///< enqueues
};

/// Copies `constants` to where the kernels read them. On the CPU they stay where they are.
void loadScanConstants(const Exec& exec, const std::vector<float>& constants);

/// What a kernel takes of a multiprocessor.
struct KernelUse {
    int registers = 0; ///< of a thread
    int threads = 0;   ///< that run at once on a multiprocessor, at the problem's block size
};
/// Of the kernel that sumScanLines() runs for `problem`; empty on the CPU.
std::optional<KernelUse> scanKernelUse(const Exec& exec, const ScanProblem& problem);

/// `out` is [beam][line][sample]. Throws std::logic_error for unsuitable constants or block sizes.
void sumScanLines(const Exec& exec, const ScanProblem& problem, const ScanInput& input, float* out);

} // namespace echolux::ladder
