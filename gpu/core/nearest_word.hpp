// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody who mistyped a word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace echolux {

/// The one of `words` that is fewest letters away (left out, too many, another, two exchanged);
/// empty where none is near.
std::string nearestWord(std::string_view typed, std::span<const std::string> words);

/// " (did you mean 'window'?)", or nothing where none is near.
std::string didYouMean(std::string_view typed, std::span<const std::string> words);

} // namespace echolux
