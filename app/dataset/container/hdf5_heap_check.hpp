// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the heaps in which HDF5 keeps texts of variable length.
#pragma once

#include <filesystem>

namespace echolux {

/// NOTE: HDF5 1.10 trusts the lengths in a global heap: damaged ones make it read elsewhere or
/// never end, so that they must be found before it reads such a text. Looks at the first and the
/// last 32 MiB of larger files.
bool globalHeapsAreSound(const std::filesystem::path& path);

} // namespace echolux
