// SPDX-License-Identifier: GPL-3.0-or-later
// A server of OpenIGTLink in the process of a test, and messages for it.
#pragma once

#include "app/live/live_source.hpp"
#include "app/network/igtl_message.hpp"
#include "app/network/tcp.hpp"

#include <fmt/format.h>

#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace echolux::test {

inline constexpr TcpSocket::Patience kToSend{10'000};

/// `width` x 3 pixels, which count from `first` on.
inline std::vector<std::byte> imageMessage(std::int64_t width, std::uint8_t first,
                                           const char* device = "Probe") {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(first + i);
    IgtlImage image;
    image.size = {width, 3, 1};
    image.step = {{{0.5, 0, 0}, {0, 0.25, 0}, {0, 0, 1}}};
    image.centre = {0.0, 5.0, 0.0};
    image.pixels = std::as_bytes(std::span(pixels));
    return writeIgtlImage(image, device, 1'000'000'000);
}

/// Lets one program after the other in, and does for each what `serve` says.
class IgtlServer {
public:
    explicit IgtlServer(std::function<void(TcpSocket&)> serve) : m_listener("127.0.0.1", 0) {
        m_thread = std::jthread([this, serve](const std::stop_token& stop) {
            while (!stop.stop_requested())
                if (auto socket = m_listener.accept(TcpSocket::Patience(20))) serve(*socket);
        });
    }
    int port() const { return m_listener.port(); }
    std::string address(const std::string& options = "") const {
        return fmt::format("igtl:127.0.0.1:{}{}", port(), options);
    }
    /// Until the other side closes the connection.
    static void awaitEnd(TcpSocket& socket) {
        std::byte end{};
        socket.receive(std::span(&end, 1), kToSend);
    }

private:
    TcpListener m_listener;
    std::jthread m_thread;
};

/// The next outcome that is not Nothing.
inline LiveSource::Outcome nextOf(LiveSource& source, std::span<std::byte> out, FrameStamp& stamp) {
    for (int i = 0; i < 200; ++i) {
        const auto outcome = source.next(out, stamp, {});
        if (outcome != LiveSource::Outcome::Nothing) return outcome;
    }
    return LiveSource::Outcome::Nothing;
}

} // namespace echolux::test
