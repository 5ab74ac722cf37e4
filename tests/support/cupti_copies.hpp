// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of what CUDA copied, from CUPTI's activity records: the driver's word, not our counters'.
#pragma once

#include <cstdint>

namespace echolux::testing_support {

struct CopyCounts {
    std::uint64_t toHost = 0;   ///< from device memory or arrays
    std::uint64_t fromHost = 0; ///< to device memory or arrays
    std::uint64_t onDevice = 0; ///< between device memory and arrays
};

void startCountingCopies();
CopyCounts stopCountingCopies(); ///< waits for the device first

} // namespace echolux::testing_support
