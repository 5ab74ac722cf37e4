// SPDX-License-Identifier: GPL-3.0-or-later
// Names of commands and options, and error sentences about unknown ones.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// Names of the commands directly below `app`.
std::vector<std::string> commandNames(const CLI::App& app);

/// The command that the sequence `words` names; null where there is none.
const CLI::App* findCommand(const CLI::App& app, const std::vector<std::string>& words);

/// "did you mean 'view'? "; empty where no word is similar.
std::string didYouMean(const std::string& typed, const std::vector<std::string>& words);

/// Throws Error where a word before the first option is no command, and suggests the nearest one.
/// For a file, suggests to open it with `view`.
void refuseUnknownCommand(const CLI::App& app, const std::vector<std::string>& arguments);

/// A sentence about the first of `arguments` that begins with "--" and is no option of the command.
/// Empty where all are options.
std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments);

} // namespace echolux
