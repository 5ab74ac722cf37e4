// SPDX-License-Identifier: GPL-3.0-or-later
// The commands and their options as plain data, for completions and manual pages.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// In the help of an option, stands for the names of shipped pipelines.
inline constexpr const char* kNameOfAPipeline =
    "the name of a shipped one ('echolux pipelines' lists them)";

/// In the help of an option, stands for "beamform.f_number=" and the like.
inline constexpr const char* kSettingOfAParameter = "stage.key=value, in SI units or with a unit";

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

/// `app` with everything below it that its help lists.
CommandText textOf(const CLI::App& app);

std::string jsonOf(const CommandText& command);
/// Throws Error where `json` is not what jsonOf() wrote.
CommandText commandTextOf(const std::string& json);

} // namespace echolux
