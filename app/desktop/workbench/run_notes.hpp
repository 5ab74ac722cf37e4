// SPDX-License-Identifier: GPL-3.0-or-later
// How the stages of a pipeline run, where there is more to say than a time.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <QHash>
#include <QString>

namespace echolux {

/// Sentences by instance.
using RunNotes = QHash<QString, QString>;
/// Plans the steps of the pipeline.
RunNotes runNotes(const Snapshot& snapshot, Backend backend);

} // namespace echolux
