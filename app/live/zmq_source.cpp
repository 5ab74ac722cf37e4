// SPDX-License-Identifier: GPL-3.0-or-later
// A message has two parts, or three: the header, the samples, what they are.
#include "app/live/zmq_source.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {
namespace {

constexpr std::chrono::milliseconds kReceivePatience{100};

std::optional<PictureAxis::Role> roleOf(AxisName name) {
    switch (name) {
    case AxisName::Lateral: return PictureAxis::Role::Lateral;
    case AxisName::Depth: return PictureAxis::Role::Depth;
    case AxisName::Elevation: return PictureAxis::Role::Elevation;
    default: return std::nullopt;
    }
}

/// Empty where they are no axes of an image.
std::vector<PictureAxis> pictureAxesOf(const std::vector<Axis>& axes) {
    std::vector<PictureAxis> found;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        const auto role = roleOf(axis->name);
        if (!role) return {};
        const double metres = axis->unit == "m" ? axis->spacing : 0.0;
        found.push_back({*role, axis->size, metres, metres > 0.0 ? axis->origin : 0.0});
    }
    return found;
}

} // namespace

ZmqSource::ZmqSource(const Setup& setup, const std::string& address)
    : m_socket(ZmqSocket::Kind::Subscriber, setup.where) {
    const auto until = std::chrono::steady_clock::now() + setup.patience;
    bool undescribed = false;
    while (!m_frames && std::chrono::steady_clock::now() < until) {
        try {
            m_first = receive();
            if (!m_first) continue;
            const ReceivedArray array = m_first->array();
            undescribed =
                array.description.empty() && array.axes.empty() && setup.description.empty();
            if (!undescribed)
                m_frames = std::make_unique<ReceivedFrames>(address, array, setup.description);
        } catch (const Error& error) {
            m_reason = error.what();
            ++m_refused;
        }
    }
    if (m_frames) return;
    if (undescribed)
        throw Error(fmt::format("'{}': arrays come, but nothing says what they are; name a sidecar "
                                "behind the address, '?sidecar=FILE' (echolux help live).",
                                address));
    throw Error(fmt::format("'{}': {} within {:.3g} s; start what publishes there, then open it "
                            "again.",
                            address,
                            m_refused > 0
                                ? fmt::format("{} came without a frame ({})", m_refused, m_reason)
                                : "nothing came",
                            std::chrono::duration<double>(setup.patience).count()));
}

/// Null where no message comes. Throws Error where it is malformed.
std::optional<ZmqSource::Message> ZmqSource::receive() {
    auto received = m_socket.receive(kReceivePatience);
    if (!received) return std::nullopt;
    return Message(std::move(*received));
}

ZmqSource::Message::Message(std::vector<ZmqSocket::Part> received) : parts(std::move(received)) {
    if (parts.size() < 2) throw Error("A message has fewer than two parts.");
    header = headerFrom(parts.front());
    if (parts[1].size() != header.bytes())
        throw Error(fmt::format("A message has {} bytes of samples, and its header says {}.",
                                parts[1].size(), header.bytes()));
}

ReceivedArray ZmqSource::Message::array() const {
    const auto type = parseElementType(header.dtype);
    if (!type)
        throw Error(fmt::format("A message has samples of the type '{}', which no frame has.",
                                header.dtype));
    ReceivedArray array{.type = *type,
                        .axes = pictureAxesOf(header.axes),
                        .form = formNamed(header.content),
                        .samples = parts[1],
                        .description = {}};
    if (parts.size() > 2) array.description = parts[2];
    return array;
}

LiveSource::Outcome ZmqSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                    const std::stop_token& /*stop*/) {
    if (m_refused > 0) {
        --m_refused;
        return Outcome::Malformed;
    }
    try {
        const std::optional<Message> message =
            m_first ? std::exchange(m_first, std::nullopt) : receive();
        if (!message) return Outcome::Nothing;
        const ReceivedArray array = message->array();
        if (!m_frames->fits(array)) {
            m_reason = "Its arrays have another size, or mean something else now.";
            return Outcome::Changed;
        }
        m_frames->convert(array, out);
        stamp = {.number = message->header.number, .deviceNs = message->header.timeNs};
        return Outcome::Frame;
    } catch (const Error& error) {
        m_reason = error.what();
        return Outcome::Malformed;
    }
}

} // namespace echolux
