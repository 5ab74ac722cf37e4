// SPDX-License-Identifier: GPL-3.0-or-later
// The few figures that stand at a view: how wide points are, and how regions stand out.
#pragma once

#include "app/measure/measurement.hpp"
#include "gpu/core/frame_spec.hpp"

#include <QString>

#include <optional>
#include <vector>

namespace echolux {

/// What the values of an image are.
enum class ValuesOf {
    Amplitude, ///< amplitudes, or levels in dB
    Share,     ///< from 0 to 1, for example weights: no width at -6 dB, no dB
};
/// Null: velocities, differences, signals of channels, which have no key figures.
std::optional<ValuesOf> valuesOf(const FrameSpec& image);

bool hasKeyFigures(measure::Kind kind, ValuesOf values);

/// Of one of `all`: "W1 0.45 mm" of "point 1", "C1 -62.3 dB, gCNR 0.98" of "contrast 1"; of shares
/// the means inside and outside, "C1 0.02 : 0.41, gCNR 0.95". A name that the user gave stands in
/// place of "W1". Precondition: its kind has some.
QString keyFigures(const measure::MeasuredImage& image, const measure::Measurement& one,
                   const std::vector<measure::Measurement>& all, ValuesOf values);

} // namespace echolux
