// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the word that a mistyped one may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace echolux {

/// The one of `words` with the fewest typing errors (a letter left out, added or replaced, or two
/// exchanged). Empty where none is near.
std::string nearestWord(std::string_view typed, std::span<const std::string> words);

/// " (did you mean 'window'?)", or nothing where none is near.
std::string didYouMean(std::string_view typed, std::span<const std::string> words);

} // namespace echolux
