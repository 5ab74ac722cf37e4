// SPDX-License-Identifier: GPL-3.0-or-later
// Text of a file as it may stand in a sentence or on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace echolux {

/// `text` (UTF-8) without what moves the cursor, commands a terminal or turns the direction of
/// writing: a tab or a new line becomes a space, any other control character a '?'.
std::string printable(std::string_view text);

} // namespace echolux
