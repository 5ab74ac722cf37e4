// SPDX-License-Identifier: GPL-3.0-or-later
// Publishes raw frames by ZeroMQ, as ZmqSource takes them.
#pragma once

#include "app/live/live_source.hpp"
#include "app/network/address_options.hpp"
#include "app/network/zmq_socket.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace echolux {

/// One thread.
class ZmqWriter {
public:
    /// Throws Error where the port is taken.
    ZmqWriter(const HostAndPort& place, const RecordingInfo& info);

    void publish(std::span<const std::byte> frame, const FrameStamp& stamp);
    std::uint64_t published() const { return m_published; }

private:
    HostAndPort m_place;
    ZmqSocket m_socket;
    FrameSpec m_frame;
    std::string m_description;
    std::chrono::steady_clock::time_point m_described; ///< when it was sent last
    std::uint64_t m_published = 0;
};

} // namespace echolux
