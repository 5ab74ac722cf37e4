// SPDX-License-Identifier: GPL-3.0-or-later
// How a filter came about: some steps of its iteration side by side.
#pragma once

#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/host_estimate.hpp"

#include <QImage>

#include <cstddef>
#include <span>
#include <vector>

namespace echolux::aberration {

/// kShownIterations as far as there are so many steps, and the last.
std::vector<std::size_t> shownSteps(std::size_t steps);

/// One step as amplitudes in dB against their mean and delays in ns without their mean, per place;
/// NaN where there is no element.
struct StepMaps {
    std::vector<double> amplitudeDb;
    std::vector<double> delayNs;
};
StepMaps mapsOf(const ElementGrid& grid, const Step& step, double centreHz);

/// Amplitudes above delays, a column for each shown step, one scale for all: maps of grids, curves
/// of lines. Throws Error where there is no step. Needs a QGuiApplication for its letters.
QImage stepStrip(const ElementGrid& grid, std::span<const Step> steps, double centreHz);

} // namespace echolux::aberration
