// SPDX-License-Identifier: GPL-3.0-or-later
// How a calibration changes a pipeline besides the facts, and how the change is undone.
#pragma once

#include "app/calibration/dispersion_search.hpp"
#include "app/dataset/calibration/calibration.hpp"
#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// `from`, with the stages that use the calibration's parts switched on and set to use them. A
/// dispersion in the calibration resets the sliders c1, c2 and c3 to 0.
PipelineConfig usingCalibration(const Snapshot& from, const Calibration& brought);

/// `from` with these terms as its only dispersion correction.
PipelineConfig usingTerms(const Snapshot& from, const DispersionTerms& terms);

/// c1, c2, c3 where they are the only dispersion correction of `from`. Empty where a recorded phase
/// or higher terms are used, or where the stage is missing.
std::optional<DispersionTerms> termsAlone(const Snapshot& from);

/// `now`, where each value and switch that differs between `before` and `after` is set as in
/// `before`.
PipelineConfig takenBack(const Snapshot& now, const Snapshot& before, const Snapshot& after);

/// The part of `facts` that a calibration holds.
Calibration calibrationIn(const Spectrometer& facts);

/// The calibration in force, for a file: the facts, where the sliders of k_linearize and dispersion
/// replace the recorded curves.
Calibration calibrationOf(const Snapshot& now);

} // namespace echolux
