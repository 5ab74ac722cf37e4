// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of USTB's beamformed data lie: uff.linear_scan, uff.sector_scan and their kin,
// and uff.scan where its listed places make a grid.
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
    std::int64_t planes = 1; ///< of elevation
    /// How pixels are counted, the slowest axis first: of an image down one line, then the next.
    std::vector<AxisName> order{AxisName::Lateral, AxisName::Depth};
    Axis depth;
    Axis lateral;
    Axis elevation;                       ///< of volumes
    std::shared_ptr<const Sector> sector; ///< null where the lines stand side by side
    std::vector<std::string> warnings;
};

/// `scan` is the object that lists the pixels. Throws where they make no image or volume of even
/// steps.
UstbGrid readUstbGrid(const Hdf5Values& scan);

} // namespace echolux
