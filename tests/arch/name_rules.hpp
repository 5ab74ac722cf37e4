// SPDX-License-Identifier: GPL-3.0-or-later
// CI compiles several files at once and reads common headers before them, so no compiler reports
// there that a file forgot one. These rules do.
#pragma once

#include "tests/arch/rules.hpp"

namespace echolux::arch {

/// A file that uses a type of one of the project's headers includes that header, directly or
/// through others, or declares the type. Names that two headers declare are not followed.
Violations ownTypesAreIncluded(const SourceTree& tree);

/// A file that uses one of the usual names of the standard library includes its header, directly
/// or through the project's headers.
Violations standardNamesAreIncluded(const SourceTree& tree);

/// Files that may be compiled at once have no constant or type of the same name in their unnamed
/// namespaces. Which files these are depends on the version of CMake and on what is installed.
Violations neighboursShareNoName(const SourceTree& tree);

} // namespace echolux::arch
