// SPDX-License-Identifier: GPL-3.0-or-later
// What a calibration changes in a pipeline besides the facts it works with, and how that is taken
// back.
#pragma once

#include "app/calibration/dispersion_search.hpp"
#include "app/dataset/calibration/calibration.hpp"
#include "app/pipeline/snapshot.hpp"

#include <optional>

namespace echolux {

/// `from` with the stages that use what the calibration brings switched on, and set to it: a phase
/// takes the place of the sliders' terms.
PipelineConfig usingCalibration(const Snapshot& from, const Calibration& brought);

/// `from` with these terms as the only dispersion.
PipelineConfig usingTerms(const Snapshot& from, const DispersionTerms& terms);

/// c1, c2, c3 where they are the only dispersion that `from` undoes; nothing where a recorded phase
/// or higher terms take part or the stage is missing.
std::optional<DispersionTerms> termsAlone(const Snapshot& from);

/// `now` with every value and switch that differs between `before` and `after` as it was before.
PipelineConfig takenBack(const Snapshot& now, const Snapshot& before, const Snapshot& after);

/// What these facts say of it.
Calibration calibrationIn(const Spectrometer& facts);

/// What is in force, to be kept in a file: the facts, with what the sliders of k_linearize and
/// dispersion say in place of the recorded curves.
Calibration calibrationOf(const Snapshot& now);

} // namespace echolux
