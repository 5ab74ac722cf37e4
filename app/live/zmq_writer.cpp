// SPDX-License-Identifier: GPL-3.0-or-later
// The description goes with some messages alone, because it holds a frame.
#include "app/live/zmq_writer.hpp"

#include "app/live/frame_description.hpp"
#include "app/network/array_header.hpp"

#include <vector>

namespace echolux {

ZmqWriter::ZmqWriter(const HostAndPort& place, const RecordingInfo& info)
    : m_place(place), m_socket(ZmqSocket::Kind::Publisher, place.text()), m_frame(info.frame) {
    if (info.frame.recordedForm == RecordedForm::Signals) m_description = descriptionOf(info);
}

void ZmqWriter::publish(std::span<const std::byte> frame, const FrameStamp& stamp) {
    constexpr std::chrono::milliseconds kBetween{500}; // a subscriber waits so long at most
    ArrayHeader header = headerOf(m_frame);
    header.number = stamp.number >= 0 ? stamp.number : static_cast<std::int64_t>(m_published);
    header.timeNs = stamp.deviceNs;
    const std::string json = toJson(header);
    std::vector parts{std::as_bytes(std::span(json)), frame};
    const auto now = std::chrono::steady_clock::now();
    if (!m_description.empty() && (m_published == 0 || now - m_described >= kBetween)) {
        parts.push_back(std::as_bytes(std::span(m_description)));
        m_described = now;
    }
    m_socket.send(parts);
    ++m_published;
}

} // namespace echolux
