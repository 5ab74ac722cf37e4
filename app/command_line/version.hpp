// SPDX-License-Identifier: GPL-3.0-or-later
// What `echolux --version` says.
#pragma once

#include <string>

namespace echolux {

/// Version and commit, backends, libraries: a line each.
std::string versionText();

} // namespace echolux
