// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on how the stages of a pipeline run, beyond their times.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "gpu/exec/exec.hpp"

#include <QHash>
#include <QString>

namespace echolux {

/// Key: instance; value: sentence.
using RunNotes = QHash<QString, QString>;
/// Plans the steps of the pipeline, which takes time: do not call it for every frame.
RunNotes runNotes(const Snapshot& snapshot, Backend backend);

} // namespace echolux
