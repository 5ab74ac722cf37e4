// SPDX-License-Identifier: GPL-3.0-or-later
// What an installed program has beside it: completions and manual pages.
#pragma once

#include "app/command_line/command_tree.hpp"

#include <string>
#include <vector>

namespace echolux {

/// Shell code that completes the commands, options and values of `program` (bash, zsh or fish).
/// Where other values than the choices are taken, files are offered, too. Throws Error for another
/// shell.
std::string completionOf(const CommandText& program, const std::string& shell);

struct ManualPage {
    std::string name; ///< such as "echolux-view"
    std::string text; ///< troff with the macros of man(7)
};

/// A page on `program` and one on each of its commands, of section 1.
std::vector<ManualPage> manualOf(const CommandText& program, const std::string& version);

} // namespace echolux
