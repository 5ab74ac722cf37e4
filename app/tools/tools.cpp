// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tools.
#include "app/desktop/workbench/tool_type.hpp"

#include <array>

namespace echolux {

namespace tools {
#define ECHOLUX_TOOL(id) ToolType id();
#include "app/tools/tools.def"
#undef ECHOLUX_TOOL
} // namespace tools

std::span<const ToolType> toolTypes() {
    static const std::array kTypes = {
#define ECHOLUX_TOOL(id) tools::id(),
#include "app/tools/tools.def"
#undef ECHOLUX_TOOL
    };
    return kTypes;
}

LookTypes toolLooks() {
    LookTypes looks;
    for (const ToolType& type : toolTypes())
        looks.insert(looks.end(), type.looks.begin(), type.looks.end());
    return looks;
}

} // namespace echolux
