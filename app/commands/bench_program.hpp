// SPDX-License-Identifier: GPL-3.0-or-later
// The program echolux-bench, which holds the benches: beside this program, or built in its tree.
#pragma once

#include "app/command_line/command_tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echolux {

constexpr const char* kBenchCommand = "bench";

/// Becomes echolux-bench with these arguments. A build tree that has no such program builds it
/// first. Throws Error where there is none, where it cannot be built, and where it does not start.
[[noreturn]] void becomeBench(const std::vector<std::string>& arguments);

/// The benches and their options, as the command `bench`; nothing where echolux-bench is not here.
std::optional<CommandText> benchText();

} // namespace echolux
