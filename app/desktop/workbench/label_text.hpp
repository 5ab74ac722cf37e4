// SPDX-License-Identifier: GPL-3.0-or-later
// Error sentences with the labels of the window.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QString>

#include <string>

namespace echolux {

/// Replaces names of stages and parameters as in pipeline files ("beamform: pixel_lateral ...") by
/// the labels beside the controls.
QString inLabels(const std::string& sentence, const Snapshot& snapshot);

} // namespace echolux
