// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the handle of a pipeline.
#pragma once

#include "app/library/calls.hpp"
#include "app/library/frame_queue.hpp"

#include <memory>
#include <mutex>
#include <vector>

struct echolux_pipeline {
    echolux_pipeline() = default;
    echolux_pipeline(const echolux_pipeline&) = delete;
    echolux_pipeline& operator=(const echolux_pipeline&) = delete;
    ~echolux_pipeline();

    /// Describes the outputs of a snapshot.
    void describe(const echolux::Snapshot& snapshot);

    std::unique_ptr<echolux::library::FrameQueue> queue;
    echolux_spec input;            ///< of a push
    mutable std::mutex describing; ///< guards `outputs`
    std::vector<std::unique_ptr<echolux_spec>> outputs;
};

namespace echolux::library {

/// Throws Misuse where the handle is none, and in a process that was forked from that of the
/// pipeline.
FrameQueue& queueOf(const echolux_pipeline* pipeline);

} // namespace echolux::library
