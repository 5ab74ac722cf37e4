// SPDX-License-Identifier: GPL-3.0-or-later
// The commands and their options as plain data, for completions and manual pages.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

struct OptionText {
    std::vector<std::string> names; ///< such as "-o" and "--output"; of a positional "FILE" alone
    std::string help;
    std::string fallback;             ///< the value without the option; empty where there is none
    std::vector<std::string> choices; ///< values that the help names
    bool takesOthers = true;          ///< values beside the choices, too
    bool takesValue = false;
    bool isPositional = false;
    bool isRequired = false;
    bool isRepeatable = false;
};

struct CommandText {
    std::string name;
    std::string help;
    std::vector<OptionText> options; ///< in the order of the help
    std::vector<CommandText> commands;
    std::string footer;
};

/// `app` with everything below it.
CommandText textOf(const CLI::App& app);

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
