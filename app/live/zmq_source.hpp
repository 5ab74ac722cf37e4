// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that a publisher sends by ZeroMQ (echolux help live).
#pragma once

#include "app/live/live_source.hpp"
#include "app/live/received_frames.hpp"
#include "app/network/array_header.hpp"
#include "app/network/zmq_socket.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

class ZmqSource final : public LiveSource {
public:
    struct Setup {
        std::string where;       ///< "127.0.0.1:5556"
        std::string description; ///< text of a sidecar, in place of the publisher's; empty: none
        std::chrono::milliseconds patience{5000};
    };
    struct Message {
        /// Throws Error where the parts are no header and the samples that it announces.
        explicit Message(std::vector<ZmqSocket::Part> received);
        ReceivedArray array() const; ///< Throws Error where no frame has such samples.

        std::vector<ZmqSocket::Part> parts;
        ArrayHeader header;
    };
    /// Waits for the first array that says what it is and makes a frame. Throws Error where none
    /// comes.
    ZmqSource(const Setup& setup, const std::string& address);

    const RecordingInfo& info() const override { return m_frames->info(); }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }

private:
    std::optional<Message> receive();

    ZmqSocket m_socket;
    std::unique_ptr<ReceivedFrames> m_frames;
    std::optional<Message> m_first; ///< told what frames are; it is the first one
    std::size_t m_refused = 0;      ///< messages before it that have not been counted
    std::string m_reason;
};

} // namespace echolux
