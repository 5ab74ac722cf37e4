// SPDX-License-Identifier: GPL-3.0-or-later
// The error of stages that pick one of several items, for an item that does not exist.
#pragma once

#include <cstdint>

namespace echolux {

/// Throws Error where `number` (from 1) is not one of the `count` items of `whole`. `key` is the
/// parameter of `stage`: "transmit" or "frame".
void checkOneOfFirst(const char* stage, const char* key, std::int64_t number, const char* whole,
                     std::int64_t count);

} // namespace echolux
