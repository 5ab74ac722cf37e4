// SPDX-License-Identifier: GPL-3.0-or-later
// Optimal string alignment: the restricted distance of Damerau (1964) and Levenshtein (1966).
#include "gpu/core/nearest_word.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace echolux {

namespace {

std::size_t distanceOf(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + other});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

} // namespace

std::string nearestWord(std::string_view typed, std::span<const std::string> words) {
    constexpr std::size_t kLongestTyped = 64;
    if (typed.size() > kLongestTyped) return {};
    std::string nearest;
    std::size_t least = std::max<std::size_t>(2, typed.size() / 3) + 1;
    for (const std::string& word : words) {
        // The beginning of a word stands for the whole word, however short it is.
        const bool begins = typed.size() > 1 && word.starts_with(typed);
        const std::size_t distance = begins ? 1 : distanceOf(typed, word);
        if (distance < least && distance < std::max(typed.size(), word.size())) {
            least = distance;
            nearest = word;
        }
    }
    return nearest;
}

std::string didYouMean(std::string_view typed, std::span<const std::string> words) {
    const std::string nearest = nearestWord(typed, words);
    return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

} // namespace echolux
