// SPDX-License-Identifier: GPL-3.0-or-later
// The level that marks "no amplitude".
#pragma once

namespace echolux {

/// Decibels of amplitude 0, of NaN, and of every level below this one. It is a mark and no limit of
/// display. It lies far below the levels of real samples, and half precision and averages can still
/// hold it. (Powers in single precision underflow at -379 dB.)
constexpr float kNothingDb = -200.0F;

} // namespace echolux
