// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the items that words name.
#include "gpu/core/mask.hpp"

#include <algorithm>

namespace echolux {

bool Mask::isWord(std::string_view text) { return std::ranges::find(kWords, text) != kWords.end(); }

bool Mask::fits(std::int64_t count) const { return !word.empty() || std::ssize(entries) == count; }

bool Mask::isOn(std::int64_t index, std::int64_t count) const {
    if (word.empty()) return entries[static_cast<std::size_t>(index)] != 0.0;
    if (word == "first") return index == 0;
    if (word == "middle") return index == middleOf(count);
    if (word == "last") return index == count - 1;
    return true;
}

} // namespace echolux
