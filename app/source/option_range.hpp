// SPDX-License-Identifier: GPL-3.0-or-later
// The one sentence of a simulator's option that is out of its range.
#pragma once

namespace echolux {

/// Throws Error unless least <= shown <= most. `shown` is the value in the option's unit; NaN is
/// refused.
void checkRange(const char* option, const char* unit, double shown, double least, double most);

} // namespace echolux
