// SPDX-License-Identifier: GPL-3.0-or-later
// Computes images of single transmits of the shown frame.
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

/// Result of one probe.
struct TransmitBatch {
    std::string key = {};    ///< TransmitChain::key of the chain that computed it
    std::int64_t frame = -1; ///< number in the recording
    double aspect = 1.0;     ///< width over height of the imaged area
    /// With the numbers of the transmits.
    std::vector<std::pair<int, TransmitPicture>> pictures = {};
};

/// A probe without `accept`. `imager` and `batch` belong to the worker until the probe has ended.
FrameProbe transmitsProbe(std::shared_ptr<TransmitImager> imager,
                          std::shared_ptr<const TransmitChain> chain,
                          std::vector<std::int64_t> transmits,
                          std::shared_ptr<TransmitBatch> batch);

} // namespace echolux
