// SPDX-License-Identifier: GPL-3.0-or-later
// The option sidecar=FILE in an address.
#pragma once

#include "app/network/address_options.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace echolux {

/// The text of the sidecar; empty where none is named. Throws Error where it cannot be read.
inline std::string sidecarIn(AddressOptions& options) {
    constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;
    std::string path;
    options.take("sidecar", path);
    if (path.empty()) return {};
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) // a device may have no end
        throw options.refusal("sidecar", fmt::format("'{}' is no file", path));
    const std::uintmax_t bytes = std::filesystem::file_size(path, none);
    if (none || bytes > kMostBytes)
        throw options.refusal("sidecar",
                              fmt::format("'{}' is larger than {} MB", path, kMostBytes >> 20));
    std::string text(bytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(bytes));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty()) throw options.refusal("sidecar", fmt::format("'{}' cannot be read", path));
    return text;
}

} // namespace echolux
