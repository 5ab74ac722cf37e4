// SPDX-License-Identifier: GPL-3.0-or-later
// echolux stages --test: checks the stages of a plugin.
#pragma once

#include <string>

namespace echolux {

/// Loads the library, runs the checks of gpu/check on each of its stages, and prints one line per
/// check as it ends. With a GPU the backends are compared, too. Throws Error where a check fails.
void testPlugin(const std::string& library);

} // namespace echolux
