// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of some steps of a filter's iteration, side by side.
#pragma once

#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <QImage>

#include <cstddef>
#include <span>
#include <vector>

namespace echolux::aberration {

/// The steps that are shown: those of kShownIterations that exist, and the last step.
std::vector<std::size_t> shownSteps(std::size_t steps);

/// One step per place of the grid: amplitudes in dB relative to their mean, and delays in ns minus
/// their mean. NaN where there is no element.
struct StepMaps {
    std::vector<double> amplitudeDb;
    std::vector<double> delayNs;
};
StepMaps mapsOf(const ElementGrid& grid, const Step& step, double centreHz);

/// Draws amplitudes above delays, one column per shown step, all on one scale: maps for grids of
/// elements, curves for lines of elements. Throws Error where there is no step. Needs a
/// QGuiApplication for its labels.
QImage stepStrip(const ElementGrid& grid, std::span<const Step> steps, double centreHz);

} // namespace echolux::aberration
