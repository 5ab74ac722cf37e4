// SPDX-License-Identifier: GPL-3.0-or-later
// The level of nothing.
#pragma once

namespace echolux {

/// Decibels of amplitude 0, of NaN, and of all that lies below. Far under what single precision
/// leaves of any sample (powers underflow at -379 dB), far above what half precision or an average
/// cannot hold: a mark, not a limit of display.
constexpr float kNothingDb = -200.0F;

} // namespace echolux
