// SPDX-License-Identifier: GPL-3.0-or-later
// The filters along lines of van Bavel 2013, section 4.4: one sample per thread.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <span>

namespace echolux::ladder {

/// Where a thread reads the samples beside its own. The CPU makes no difference between them.
enum class LineMemory { Shared, Global };

constexpr int kMostFilterTaps = 32;
constexpr int kMostHilbertWindow = 31; ///< samples

/// Filters lines of `samples` samples forward and then backward, so that echoes stay where they
/// are: y(n) = sum over k of taps[k] x(n - k), twice. Each pass is a launch of its own and writes
/// its lines reversed. Samples outside a line are 0. All memory is compute memory,
/// [lines][samples]; `between` is scratch. Throws std::logic_error for more than kMostFilterTaps.
void filterBothWays(const Exec& exec, LineMemory memory, std::span<const float> taps,
                    std::int64_t lines, std::int64_t samples, const float* in, float* between,
                    float* out);

/// Envelope by a FIR Hilbert transform (van Bavel 2013, Eq. 2.6 and 2.7):
/// h(n) = 2 / pi sum over m = 1, 3 ... window of (x(n + m) - x(n - m)) / m; out = sqrt(x^2 + h^2).
/// Samples outside a line are 0. Throws std::logic_error for more than kMostHilbertWindow.
void hilbertEnvelope(const Exec& exec, LineMemory memory, int window, std::int64_t lines,
                     std::int64_t samples, const float* in, float* out);

} // namespace echolux::ladder
