// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several items are on, whose number only the data tell.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Index of the one in the middle of so many (at least one): of an even number the later one.
constexpr std::int64_t middleOf(std::int64_t count) { return count / 2; }

/// On or off for each item, or a word that says it for any number of items.
struct Mask {
    /// Every item, or one alone.
    static constexpr std::array<std::string_view, 4> kWords{"all", "first", "middle", "last"};

    std::string word = "all";         ///< one of kWords; empty where `entries` say it
    std::vector<double> entries = {}; ///< 0 or 1 each; empty beside a word

    static bool isWord(std::string_view text);
    /// Whether it says it for so many: words always do.
    bool fits(std::int64_t count) const;
    /// Precondition: fits(count), 0 <= index < count.
    bool isOn(std::int64_t index, std::int64_t count) const;
    bool operator==(const Mask&) const = default;
};

} // namespace echolux
