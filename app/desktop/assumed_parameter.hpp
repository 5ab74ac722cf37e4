// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the parameter that holds a value assumed by a reader.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QString>

#include <optional>

namespace echolux {

struct StageParameter {
    QString stage; ///< id of the instance
    QString key;
};

/// `sentence` is a warning of a recording. Returns the parameter whose value it calls assumed.
/// Empty where it calls none assumed, or where no stage of `snapshot` has the parameter.
std::optional<StageParameter> assumedParameter(const QString& sentence, const Snapshot& snapshot);

} // namespace echolux
