// SPDX-License-Identifier: GPL-3.0-or-later
// The level that marks "no amplitude".
#pragma once

namespace echolux {

/// The level in dB that stands for amplitude 0, for NaN and for every lower level. It does not
/// limit the display. It lies far below the levels of real samples, and numbers of half precision
/// and averages can still hold it. (Powers in single precision underflow at -379 dB.)
constexpr float kNothingDb = -200.0F;

} // namespace echolux
