// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the pixels in USTB's beamformed data: uff.linear_scan, uff.sector_scan and similar,
// and uff.scan where its listed positions form a grid.
#pragma once

#include "app/dataset/container/hdf5_values.hpp"
#include "gpu/core/frame_spec.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echolux {

struct UstbGrid {
    std::int64_t depths = 0;
    std::int64_t lines = 0;
    std::int64_t planes = 1; ///< in elevation
    /// Order in which pixels are stored, the slowest axis first. An image is stored line by line.
    std::vector<AxisName> order{AxisName::Lateral, AxisName::Depth};
    Axis depth;
    Axis lateral;
    Axis elevation;                       ///< volumes only
    std::shared_ptr<const Sector> sector; ///< null where the lines are parallel
    std::vector<std::string> warnings;
};

/// `scan` is the object that lists the pixels. Throws where they form no evenly spaced image or
/// volume.
UstbGrid readUstbGrid(const Hdf5Values& scan);

} // namespace echolux
