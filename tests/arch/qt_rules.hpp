// SPDX-License-Identifier: GPL-3.0-or-later
// CI compiles the window's rooms with Qt's headers precompiled, so no compiler reports there that
// a file forgot one of them. This rule does.
#pragma once

#include "tests/arch/rules.hpp"

#include <filesystem>

namespace echolux::arch {

/// The headers of the Qt modules beside `moduleFolder`, and `further`. Their paths are file names
/// alone ("QLabel", "qlabel.h"): Qt gives no name to two of them.
SourceTree readQtHeaders(const std::filesystem::path& moduleFolder,
                         const std::filesystem::path& further);

/// In ui/, app/desktop/, app/tools/ and app/commands/ a file that uses a class of Qt declares it or
/// includes its header, directly or through other headers.
Violations qtClassesAreIncluded(const SourceTree& tree, const SourceTree& qtHeaders);

} // namespace echolux::arch
