// SPDX-License-Identifier: GPL-3.0-or-later
// The results of pairs as text: a table with a line for each row of the table, one with a line for
// each array, what is refused and why, and what is wrong.
#pragma once

#include "app/pairs/pairs.hpp"

#include <string>
#include <vector>

namespace echolux::pairs {

/// Markdown.
std::string tableOf(const std::vector<PairResult>& results);
/// Markdown: of each array and kind of pair how many are right, refused and wrong, and the worst
/// figure: how far a point is off, in wavelengths, or what comes back off, in dB.
std::string groupsOf(const std::vector<PairResult>& results);
/// The refusals: of each pipeline, measurement and ending the number, and the first sentence.
std::string refusalsOf(const std::vector<PairResult>& results);
/// A line for each pair that is wrong.
std::string wrongOf(const std::vector<PairResult>& results);

std::size_t countOf(const std::vector<PairResult>& results, Outcome outcome);

} // namespace echolux::pairs
