// SPDX-License-Identifier: GPL-3.0-or-later
// A ZeroMQ socket that sends or receives messages of several parts.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// One thread at a time. What is not sent at the end is lost.
class ZmqSocket {
public:
    enum class Kind { Publisher, Subscriber };
    using Part = std::vector<std::byte>;
    static constexpr std::size_t kMostPartBytes = std::size_t{1} << 30;

    /// `where`: "127.0.0.1:5556". A publisher listens there, a subscriber connects. Throws Error
    /// where a publisher cannot.
    ZmqSocket(Kind kind, const std::string& where);
    ZmqSocket(const ZmqSocket&) = delete;
    ZmqSocket& operator=(const ZmqSocket&) = delete;
    ~ZmqSocket();

    /// Returns at once. Subscribers that are too slow miss messages.
    void send(std::span<const std::span<const std::byte>> parts);
    /// Null where no message comes within `patience`.
    std::optional<std::vector<Part>> receive(std::chrono::milliseconds patience);

private:
    void* m_context;
    void* m_socket;
};

} // namespace echolux
