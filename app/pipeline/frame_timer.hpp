// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the times of finished frames.
#pragma once

#include "app/pipeline/frame_slot.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

class FrameTimer {
public:
    explicit FrameTimer(Backend backend) : m_backend(backend), m_reference(backend, true) {}
    /// Called before the first frame of a program.
    void begin(std::size_t steps);
    /// The times of the slot's frame, which must have finished. They are read once per frame.
    const FrameTiming& read(FrameSlot& slot, const Schedule& schedule);

private:
    std::chrono::steady_clock::time_point startOf(FrameSlot& slot);

    Backend m_backend;
    std::vector<double> m_stepMs; ///< of the frame timed last
    std::vector<double> m_stepStartMs;
    Event m_reference; ///< on CUDA: the begin of the frame read last
    std::optional<std::chrono::steady_clock::time_point> m_referenceAt;
};

} // namespace echolux
