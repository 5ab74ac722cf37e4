// SPDX-License-Identifier: GPL-3.0-or-later
// Words for parameters, as commands and the C library say them.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <string_view>

namespace echolux {

/// "flag", "integer", "real", "choice", "text", "list of reals" or "mask"
std::string_view nameOf(ParamType type);

} // namespace echolux
