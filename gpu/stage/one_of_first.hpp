// SPDX-License-Identifier: GPL-3.0-or-later
// What a stage says that is asked for one of several which are not there.
#pragma once

#include <cstdint>

namespace echolux {

/// Throws Error where there is no such one: `key` is the parameter of `stage`, "transmit" or
/// "frame", of which `whole` has `count`; `number` counts from 1.
void checkOneOfFirst(const char* stage, const char* key, std::int64_t number, const char* whole,
                     std::int64_t count);

} // namespace echolux
