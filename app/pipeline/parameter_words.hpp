// SPDX-License-Identifier: GPL-3.0-or-later
// Words for parameters, as commands and the C library say them.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <string>
#include <string_view>

namespace echolux {

struct StageType;

/// "flag", "integer", "real", "choice", "text", "list of reals" or "mask"
std::string_view nameOf(ParamType type);

/// The value that a text gives a parameter of the stage `owner`: "2.5e6", "1.5 km/s", "hann",
/// "[1, 2]". Throws Error where there is no such parameter, or where the value does not fit it.
ParamValue valueFromText(const std::string& owner, const StageType& type, const std::string& key,
                         const std::string& text);

} // namespace echolux
