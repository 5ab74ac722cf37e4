// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of aberrating screens, saved and loaded.
#pragma once

#include "app/export/output_files.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/core/acquisition.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux::aberration {

struct FilterFile {
    Filter filter;
    double centreHz = 0.0;            ///< at which `phase_rad` belongs to the delays
    std::vector<Point> elements = {}; ///< of the array, m; empty: unknown
    ElementGrid grid = {};            ///< which elements are neighbours
};

enum class FilterNaming {
    Plain,     ///< `delay_s`, `amplitude`, ...: each holds what its name says
    Herikstad, ///< `amplitude` and `phase` hold the real and the imaginary part
};

/// Throws Error where the name ends in neither .mat nor .npz.
void checkFilterName(const std::filesystem::path& path);

/// Into the target, by its ending; not yet committed. `values`: S per place of the grid for
/// Herikstad's naming as the iteration left it; empty: made of delays and amplitudes.
void saveFilter(const OutputFiles& files, const FilterFile& filter, FilterNaming naming,
                const std::string& program, const std::vector<Complex>& values = {});

/// Either naming, by the variables that there are. `centreHz`: where Herikstad's files do not say
/// it; 0: it is refused then. Throws Error, a sentence.
FilterFile loadFilter(const std::filesystem::path& path, double centreHz = 0.0);

/// Throws Error, a sentence, where the filter was made for another array than `probe`.
void checkFilterFits(const std::filesystem::path& path, const FilterFile& filter,
                     const Probe& probe);

} // namespace echolux::aberration
