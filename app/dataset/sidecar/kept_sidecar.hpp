// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a description that was made here as a sidecar.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace echolux {

/// First line of each file that the program writes, by which it knows its own.
inline constexpr const char* kOwnMark = "# Written by Echolux: ";

/// Writes `text` as the sidecar of `file`: beside it as NAME.EXT.toml, or where that folder cannot
/// be written at keptSidecarPath(); and says where. Throws Error where a sidecar stands that was
/// not written here, or none can be written. A failure leaves what was there.
std::filesystem::path keepSidecar(const std::filesystem::path& file, std::uint64_t fileSize,
                                  const std::string& about, const std::string& text);

} // namespace echolux
