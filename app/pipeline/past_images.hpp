// SPDX-License-Identifier: GPL-3.0-or-later
// The images before the shown one that windows of `gather` hold.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstdint>

namespace echolux {

/// How many images before the shown one it depends on: those that windows of `gather` still hold.
std::int64_t imagesBefore(const Snapshot& snapshot);
/// True where these images are others in `to` than in `from`.
bool changesPast(const Snapshot& from, const Snapshot& to);

} // namespace echolux
