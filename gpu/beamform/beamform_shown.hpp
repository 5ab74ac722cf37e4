// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of the stage `beamform`.
#pragma once

#include "gpu/stage/shown_stage.hpp"

#include <vector>

namespace echolux::das {

/// A length, away from zero to the next millimetre.
double roundedOut(double metres);

/// Weights of the elements for the point in the middle of the image.
std::vector<StageCurve> apodizationCurve(const ShownStage& stage);

/// The default image, with room beside it for steered waves, and the speeds of sound of tissue or
/// of metal.
std::vector<SliderSpan> imageSpans(const ShownStage& stage);

} // namespace echolux::das
