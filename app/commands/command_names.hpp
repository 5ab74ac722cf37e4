// SPDX-License-Identifier: GPL-3.0-or-later
// Names of commands and options, and sentences about those that do not exist.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// Of the commands right below `app`.
std::vector<std::string> commandNames(const CLI::App& app);

/// The command that `words` name, one below the other; null where there is none.
const CLI::App* findCommand(const CLI::App& app, const std::vector<std::string>& words);

/// "did you mean 'view'? ", or nothing where no word is near.
std::string didYouMean(const std::string& typed, const std::vector<std::string>& words);

/// Throws Error where a word before the first option names no command, and names the nearest one;
/// a recording is told to be opened with `view`.
void refuseUnknownCommand(const CLI::App& app, const std::vector<std::string>& arguments);

/// A sentence on the first of `arguments` that begins with "--" and is no option of the command
/// they name; empty where all are.
std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments);

} // namespace echolux
