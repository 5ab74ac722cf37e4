// SPDX-License-Identifier: GPL-3.0-or-later
// Views of a pipeline by their names.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <cstddef>
#include <string>

namespace echolux {

/// Number of the view of that name. Throws Error, which lists the views, where there is none.
std::size_t viewNumber(const Snapshot& snapshot, const std::string& name);

} // namespace echolux
