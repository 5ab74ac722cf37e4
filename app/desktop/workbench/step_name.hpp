// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of the list of edits is called.
#pragma once

#include <QString>

namespace echolux {

struct StepName {
    QString what;         ///< as of Edit
    QString detail = {};  ///< empty: `what`
    QString gesture = {}; ///< as of Edit
};

} // namespace echolux
