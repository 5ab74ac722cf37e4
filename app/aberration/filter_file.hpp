// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and loads filters of aberrating screens.
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
    double centreHz = 0.0;            ///< the frequency at which `phase_rad` corresponds to the
                                      ///< delays
    std::vector<Point> elements = {}; ///< elements of the array, m; empty: unknown
    ElementGrid grid = {};            ///< which elements are neighbours
};

enum class FilterNaming {
    Plain,     ///< `delay_s`, `amplitude`, ...: each holds what its name says
    Herikstad, ///< `amplitude` and `phase` hold the real and the imaginary part
};

/// Throws Error where the name ends in neither .mat nor .npz.
void checkFilterName(const std::filesystem::path& path);

/// Writes the target, whose ending decides the file type. Does not commit it. `values` are the
/// filter S per place of the grid as the iteration left it, for Herikstad's naming; empty: S is
/// computed from delays and amplitudes.
void saveFilter(const OutputFiles& files, const FilterFile& filter, FilterNaming naming,
                const std::string& program, const std::vector<Complex>& values = {});

/// Reads a filter in either naming; the file's variables tell which. `centreHz` is used where a
/// file in Herikstad's naming lacks it; with 0 such a file is refused. Throws Error, a sentence.
FilterFile loadFilter(const std::filesystem::path& path, double centreHz = 0.0);

/// Throws Error, a sentence, where the filter was made for another array than `probe`.
void checkFilterFits(const std::filesystem::path& path, const FilterFile& filter,
                     const Probe& probe);

} // namespace echolux::aberration
