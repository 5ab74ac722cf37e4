// SPDX-License-Identifier: GPL-3.0-or-later
// A text file compiled into the program, so that it runs without files beside it (see echolux_embed
// in CMake).
#pragma once

#include <string_view>

namespace echolux {

struct EmbeddedFile {
    std::string_view name; ///< file name without folder
    std::string_view text;
};

} // namespace echolux
