// SPDX-License-Identifier: GPL-3.0-or-later
// Writes frames to shared memory, as a scanner would.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/live/client/echolux_live.h"
#include "app/live/live_source.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace echolux {

/// One thread. The name is removed when it is destroyed.
class SharedWriter {
public:
    struct Setup {
        std::string name;
        std::uint64_t slotCount = 16;
        bool blocks = false; ///< waits for the reader; else the oldest frame is overwritten
    };
    /// Throws Error where the memory cannot be made, or where the frames are images, which have no
    /// description.
    SharedWriter(const Setup& setup, const RecordingInfo& info);
    ~SharedWriter();
    SharedWriter(const SharedWriter&) = delete;
    SharedWriter& operator=(const SharedWriter&) = delete;

    /// Memory for the next frame; empty where the reader needs all slots: try again.
    std::span<std::byte> begin();
    void publish(const FrameStamp& stamp);
    std::uint64_t published() const { return m_writer.next; }
    std::uint64_t taken() const; ///< frames that a reader has taken

private:
    echolux_live_writer m_writer{};
    std::size_t m_frameBytes;
};

} // namespace echolux
