// SPDX-License-Identifier: GPL-3.0-or-later
// The option sidecar=FILE in an address.
#pragma once

#include "app/network/address_options.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

namespace echolux {

/// The text of the sidecar; empty where none is named. Throws Error where it cannot be read.
inline std::string sidecarIn(AddressOptions& options) {
    std::string path;
    options.take("sidecar", path);
    if (path.empty()) return {};
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.empty()) throw options.refusal("sidecar", fmt::format("'{}' cannot be read", path));
    return text;
}

} // namespace echolux
