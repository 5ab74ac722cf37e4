// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several items are on. Only the data tell how many items there are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Index of the middle one of `count` items (at least 1); of an even number the later of the two.
constexpr std::int64_t middleOf(std::int64_t count) { return count / 2; }

/// On or off for each item, or a word that works for any number of items.
struct Mask {
    /// All items, or a single one.
    static constexpr std::array<std::string_view, 4> kWords{"all", "first", "middle", "last"};

    std::string word = "all";         ///< one of kWords; empty where `entries` are used
    std::vector<double> entries = {}; ///< 0 or 1 each; empty where a word is used

    static bool isWord(std::string_view text);
    /// True where the mask applies to `count` items; a word always does.
    bool fits(std::int64_t count) const;
    /// Precondition: fits(count), 0 <= index < count.
    bool isOn(std::int64_t index, std::int64_t count) const;
    bool operator==(const Mask&) const = default;
};

} // namespace echolux
