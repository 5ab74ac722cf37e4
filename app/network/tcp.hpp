// SPDX-License-Identifier: GPL-3.0-or-later
// TCP connections that never block for longer than they are told to.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// One end of a connection. One thread reads, one thread writes.
class TcpSocket {
public:
    using Patience = std::chrono::milliseconds;

    explicit TcpSocket(int file) : m_file(file) {}
    TcpSocket(TcpSocket&& other) noexcept;
    TcpSocket& operator=(TcpSocket&& other) noexcept;
    ~TcpSocket();

    /// Throws Error with the reason where nobody answers within `patience`.
    static TcpSocket connect(const std::string& host, int port, Patience patience);

    /// Number of bytes that were written to `out`; 0: none came within `patience`. Null: the other
    /// side has closed the connection, or it broke.
    std::optional<std::size_t> receive(std::span<std::byte> out, Patience patience);
    /// False where the connection broke, or the other side takes nothing for `patience`.
    bool send(std::span<const std::byte> bytes, Patience patience);
    bool isClosed(); ///< by the other side

private:
    int m_file;
};

/// Waits for connections at an address of this machine.
class TcpListener {
public:
    /// `port` 0: any free one. Throws Error where the port is taken or the address is not one of
    /// this machine.
    TcpListener(const std::string& address, int port);
    TcpListener(const TcpListener&) = delete;
    TcpListener& operator=(const TcpListener&) = delete;
    ~TcpListener();

    int port() const;
    /// Null where nobody connects within `patience`.
    std::optional<TcpSocket> accept(TcpSocket::Patience patience);

private:
    int m_file;
};

} // namespace echolux
