// SPDX-License-Identifier: GPL-3.0-or-later
// Takes all rights from this process that parsing a file does not need.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// From here on this process and its threads can read `readable`, which are files and folders with
/// all that lies below (where the kernel has Landlock; else any file), and can compute. It cannot
/// write a file, start a program, open a connection or signal another process, and it has the
/// memory that opening a file of `fileBytes` needs. Called once, before other threads start. Throws
/// Error where the kernel refuses.
void confine(const std::vector<std::filesystem::path>& readable, std::uint64_t fileBytes);

/// From here on it has the memory that frames need.
void allowMemoryOfFrames();

/// The present limit, "0.6 GB".
std::string memoryInWords();

} // namespace echolux
