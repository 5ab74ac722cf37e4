// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of single transmits of the shown frame.
#pragma once

#include "app/desktop/workbench/probe_runner.hpp"
#include "app/tools/transmits/panel.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class TransmitImager;
struct TransmitChain;

/// What one piece of work makes.
struct TransmitBatch {
    std::string key = {};    ///< TransmitChain::key of what imaged it
    std::int64_t frame = -1; ///< in the recording
    double aspect = 1.0;     ///< width over height of what the pictures cover
    std::vector<std::pair<int, TransmitPicture>> pictures = {}; ///< with the transmits' numbers
};

/// Without `accept`. `imager` and `batch` are the worker's until the work has ended.
FrameProbe transmitsProbe(std::shared_ptr<TransmitImager> imager,
                          std::shared_ptr<const TransmitChain> chain,
                          std::vector<std::int64_t> transmits,
                          std::shared_ptr<TransmitBatch> batch);

} // namespace echolux
