// SPDX-License-Identifier: GPL-3.0-or-later
// Which parameter holds a value that a reader assumed.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QString>

#include <optional>

namespace echolux {

struct StageParameter {
    QString stage; ///< instance
    QString key;
};

/// The parameter that `sentence`, a warning of a recording, says was assumed; none where it says
/// nothing of the kind, or no running stage has such a parameter.
std::optional<StageParameter> assumedParameter(const QString& sentence, const Snapshot& snapshot);

} // namespace echolux
