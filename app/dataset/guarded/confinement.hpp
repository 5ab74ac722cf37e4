// SPDX-License-Identifier: GPL-3.0-or-later
// Takes all rights from this process that parsing a file does not need.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace echolux {

/// From here on this process and its threads can read files in `folders` (where the kernel has
/// Landlock; else any file) and can compute. It cannot write a file, start a program, open a
/// connection or signal another process, and it has a limit of memory that grows with `fileBytes`.
/// Called once, before other threads start. Throws Error where the kernel refuses.
void confine(const std::vector<std::filesystem::path>& folders, std::uint64_t fileBytes);

} // namespace echolux
