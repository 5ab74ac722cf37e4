// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a file whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace echolux {

/// Writes beside the target and renames, so that a failure leaves what was there. Throws Error.
void writeWhole(const std::filesystem::path& path, std::string_view head,
                std::string_view body = {});

} // namespace echolux
