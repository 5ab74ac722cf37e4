// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of errors in the words of the window.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QString>

#include <string>

namespace echolux {

/// Names of stages and parameters that pipeline files use ("beamform: pixel_lateral ...") become
/// the labels that stand beside the controls.
QString inLabels(const std::string& sentence, const Snapshot& snapshot);

} // namespace echolux
