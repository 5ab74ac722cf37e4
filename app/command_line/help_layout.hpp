// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of pages that --help prints.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace echolux {

/// Breaks lines at words, so that none is longer than 100 columns where its words allow. What
/// follows a name goes on in the column of the descriptions.
std::string inHundredColumns(const std::string& help);

/// That of CLI11, in a hundred columns.
std::shared_ptr<CLI::FormatterBase> helpLayout();

} // namespace echolux
