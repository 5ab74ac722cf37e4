// SPDX-License-Identifier: GPL-3.0-or-later
// 4xUP of Gronvold 2008, section 4.2.2: three filters of T taps, T = 7, 11 or 15, that read 1/4,
// 1/2 and 3/4 of a sample behind sample k, interleaved with it; x = 0 outside the record:
//   y[4 k + p] = sum_{j < T} sinc(j - (T - 1) / 2 - p / 4) x[k + j - (T - 1) / 2],  0 < p < 4.
// All filters are centred on k, as in the document. The stage `upsample` centres them on the
// nearest sample.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::ladder {

constexpr int kMostUpTaps = 15;

/// h[p - 1][j], 0 < p < 4, j < taps.
double upTap(int taps, int p, int j);

/// `codes` are [line][sample]; a code of kCodePeak is 1, and `samples` is even. `out` is [line][4
/// sample]. Both are in compute memory. Throws std::logic_error for other numbers of taps and for
/// odd numbers of samples.
void fourTimesUp(const Exec& exec, int taps, std::int64_t lines, std::int32_t samples,
                 const std::int16_t* codes, float* out);

} // namespace echolux::ladder
