// SPDX-License-Identifier: GPL-3.0-or-later
// Name of a step of the undo list.
#pragma once

#include <QString>

namespace echolux {

struct StepName {
    QString what;         ///< see Edit
    QString detail = {};  ///< empty: same as `what`
    QString gesture = {}; ///< see Edit
};

} // namespace echolux
