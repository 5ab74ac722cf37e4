// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of USTB's beamformed data lie: uff.linear_scan, uff.sector_scan and their kin.
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
    bool depthFastest = true; ///< pixels are counted down one line, then the next
    Axis depth;
    Axis lateral;
    std::shared_ptr<const Sector> sector; ///< null where the lines stand side by side
    std::vector<std::string> warnings;
};

/// `scan` is the object that lists the pixels. Throws where they make no image of even steps.
UstbGrid readUstbGrid(const Hdf5Values& scan);

} // namespace echolux
