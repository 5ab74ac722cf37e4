// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of a frame's raw lines; their codes are integers.
#pragma once

#include "gpu/core/dtype.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

struct RawLines {
    const void* codes = nullptr; ///< [line][sample] of `type`, in compute memory
    DType type = DType::U16;     ///< U8, I16, U16 or Packed12
    int shift = 0;               ///< codes are first shifted right by this
    std::int64_t samples = 0;
    std::int64_t lines = 0;
};

std::size_t meanScratchBytes(std::int64_t samples);

/// Enqueues spectrum[n] = offset + strength (mean code - offset), [sample].
void enqueueMeanSpectrum(const Exec& exec, const RawLines& raw, double offset, double strength,
                         void* scratch, float* spectrum);

} // namespace echolux::fused
