// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the steps of a filter's iteration: some side by side, or all as a film.
#pragma once

#include "app/export/output_files.hpp"
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

/// Writes the target, .gif, .mp4 or .webm: one picture per step, as stepStrip() draws it, ten a
/// second as in Herikstad's script (2009, appendix E). Does not commit it. Throws Error where there
/// is no step, and where the film cannot be written.
void writeStepFilm(OutputFiles& files, const ElementGrid& grid, std::span<const Step> steps,
                   double centreHz);

} // namespace echolux::aberration
