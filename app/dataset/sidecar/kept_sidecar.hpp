// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a description that this program made as a sidecar.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace echolux {

/// First line of each sidecar that the program writes, so that it recognises them.
inline constexpr const char* kOwnMark = "# Written by Echolux: ";

/// Writes `text` as the sidecar of `file` and returns its path: NAME.EXT.toml beside the file, or
/// keptSidecarPath() where that folder cannot be written. Throws Error where a sidecar exists that
/// this program has not written, and where none can be written. A failure keeps an existing file.
std::filesystem::path keepSidecar(const std::filesystem::path& file, std::uint64_t fileSize,
                                  const std::string& about, const std::string& text);

} // namespace echolux
