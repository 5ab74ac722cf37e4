// SPDX-License-Identifier: GPL-3.0-or-later
// How much a command says besides its output: --quiet, --verbose.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

enum class Voice {
    Quiet,  ///< errors alone
    Usual,  ///< warnings and progress, too
    Verbose ///< and the log in all its detail
};

Voice voice(); ///< of this call
inline bool isQuiet() { return voice() == Voice::Quiet; }

void addVoiceTo(CLI::App& app); ///< for the page of help
/// Takes --quiet, -q and --verbose out of the arguments, wherever they stand before "--", and
/// follows the last of them.
void takeVoice(std::vector<std::string>& arguments);

} // namespace echolux
