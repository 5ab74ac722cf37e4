// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of the window in sentences.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QString>

#include <string>

namespace echolux {

/// Replaces names of stages and parameters as in pipeline files ("beamform: pixel_lateral ...") by
/// the labels beside the controls.
QString inLabels(const std::string& sentence, const Snapshot& snapshot);

/// A label in the middle of a sentence. Abbreviations keep their capitals.
QString inASentence(QString label);

} // namespace echolux
