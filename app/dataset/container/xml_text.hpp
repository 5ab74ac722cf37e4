// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at an XML text before a parser makes a tree of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echolux {

/// Throws Error where elements lie too deep within each other, or where their tree would take more
/// memory than the opening in progress may keep. `what` names the text: "its Header.xml". Texts
/// that are no XML pass, the parser says so.
void checkXml(const std::filesystem::path& path, const std::string& what, std::string_view xml);

} // namespace echolux
