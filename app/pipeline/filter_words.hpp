// SPDX-License-Identifier: GPL-3.0-or-later
// The words of van Bavel's language (filter_text.hpp) for this program's stages and parameters.
#pragma once

#include "gpu/stage/stage.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// The framework's library name of a stage and of its parameters.
struct BuiltinFilter {
    std::string_view name;
    std::string_view type;
    bool isView = false;
    std::vector<std::pair<std::string, ParamValue>> values = {};
    std::vector<std::pair<std::string_view, std::string_view>> keys = {}; ///< theirs, ours
};
std::span<const BuiltinFilter> builtinFilters();

/// A sentence about a pipeline, without advice that the language cannot follow: it knows filters
/// and names in place of stages and ids, its own names of types and parameters, and neither
/// bypasses, ensembles nor links of the frame before.
std::string inFilterWords(std::string sentence);

} // namespace echolux
