// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace echolux {

/// Writes a file beside the target and renames it. So a failure keeps an existing file. Throws
/// Error.
void writeWhole(const std::filesystem::path& path, std::string_view head,
                std::string_view body = {});

} // namespace echolux
