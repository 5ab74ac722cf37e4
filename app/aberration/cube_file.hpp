// SPDX-License-Identifier: GPL-3.0-or-later
// Reads cubes of aligned channels: Herikstad's `u_z`.
#pragma once

#include "gpu/aberration/element_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace echolux::aberration {

struct AlignedCube {
    ElementGrid grid;                 ///< rows along y, columns along x
    std::size_t samples = 0;          ///< of each channel
    std::vector<float> values;        ///< [place][sample], scaled to a maximum of 1
    double divisor = 1.0;             ///< the largest value in the file
    double samplingFrequencyHz = 0.0; ///< `fs`, 1 kHz to 1 GHz; 0: not in the file
    double centreFrequencyHz = 0.0;   ///< `fc`, up to half of `fs`; 0: not in the file
};

/// Empty where the file has no array `u_z`. Throws Error, a sentence, where `u_z` is no such cube,
/// where its frequencies are impossible, and where the file cannot be read.
std::optional<AlignedCube> loadAlignedCube(const std::filesystem::path& path);

} // namespace echolux::aberration
