// SPDX-License-Identifier: GPL-3.0-or-later
// Checks an XML text before a parser makes a tree of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echolux {

/// Throws Error where elements are nested too deep, or where their tree would take more memory than
/// the current opening may keep. `what` names the text: "its Header.xml". A text that is no XML
/// passes; the parser refuses it.
void checkXml(const std::filesystem::path& path, const std::string& what, std::string_view xml);

} // namespace echolux
