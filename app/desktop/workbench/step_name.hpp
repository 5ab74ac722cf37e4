// SPDX-License-Identifier: GPL-3.0-or-later
// Name of a step of the undo list.
#pragma once

#include <QString>

namespace echolux {

struct StepName {
    QString what;         ///< see Edit
    QString detail = {};  ///< empty: same as `what`
    QString gesture = {}; ///< see Edit

    /// "loading a plugin" is "Loading a plugin" in the list of edits.
    static StepName of(const QString& what) { return {what, what.left(1).toUpper() + what.mid(1)}; }
};

} // namespace echolux
