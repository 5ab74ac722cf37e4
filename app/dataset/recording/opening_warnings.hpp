// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about a file that are found below its reader, where no recording exists yet.
#pragma once

#include <string>
#include <vector>

namespace echolux {

/// Adds a warning to the recording that this thread is opening.
void warnOfOpening(std::string sentence);

/// The warnings since the opening began; then there are none.
std::vector<std::string> takeOpeningWarnings();

} // namespace echolux
