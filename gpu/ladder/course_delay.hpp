// SPDX-License-Identifier: GPL-3.0-or-later
// The course's layered interpolation g[t][e][p] = f[t][e](i(t, e, p)), step by step.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/ladder/course.hpp"

#include <cstddef>
#include <span>

namespace echolux::ladder {

enum class DelayStep {
    ElementFirst, ///< delays from a table; neighbouring threads are elements, so stores are not
                  ///< coalesced
    PointFirst,   ///< delays from a table; neighbouring threads are points
    OnTheFly,     ///< delays are computed
    Texture,      ///< delays are computed, and texture units interpolate; CUDA only
};

/// The inputs, all in compute memory.
struct DelayInput {
    const float* samples = nullptr; ///< [transmit][element][sample]
    const float* table = nullptr;   ///< [transmit][element][point], in samples; for the table steps
    device::Texture texture = 0;    ///< device::createLineTexture over `samples`; for Texture
};

/// The course's first kernels, a thread per point: out[i] = samples at index points[i], by the
/// nearest sample or between two; 0 outside the record. `points` are in samples.
void interpolateLine(const Exec& exec, bool nearest, const float* samples, int sampleCount,
                     const float* points, std::int64_t pointCount, float* out);

/// Bytes that a warp stores per sector of 32 bytes, on average, in the course's blocks of 8 x 8 x
/// 8 threads: what Nsight Compute calls
/// smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio. Counted from the addresses of
/// the first block.
double storedBytesPerSector(DelayStep step, const Course& course);

/// table[t][e][p] = delayedIndex.
void fillDelayTable(const Exec& exec, const Course& course, float* table);

/// `out`: [transmit][element][point].
void delay(const Exec& exec, DelayStep step, const Course& course, const DelayInput& input,
           float* out);

/// Sums `delayed`, [transmit][element][point], over the elements, one after the other, to `out`
/// [transmit][point].
void sumElements(const Exec& exec, const Course& course, const float* delayed, float* out);

/// Where the single kernel reads the angles of the transmits. A CPU makes no difference.
enum class AngleMemory {
    Global,  ///< Course::angles
    Constant ///< what loadConstantAngles() copied
};
constexpr std::size_t kMostConstantAngles = 1024;

/// Copies the angles to where AngleMemory::Constant reads them. Throws std::logic_error for more
/// than kMostConstantAngles.
void loadConstantAngles(const Exec& exec, std::span<const float> angles);

/// Delay and sum as one kernel that gathers in global memory: `out` [transmit][point].
void delayAndSum(const Exec& exec, const Course& course, AngleMemory memory, const float* samples,
                 float* out);

} // namespace echolux::ladder
