// SPDX-License-Identifier: GPL-3.0-or-later
// POSIX sockets. They do not block; poll() waits.
#include "app/network/tcp.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace echolux {
namespace {

bool waitFor(int file, short event, TcpSocket::Patience patience) {
    pollfd wanted{file, event, 0};
    return ::poll(&wanted, 1, static_cast<int>(patience.count())) > 0;
}

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// Throws Error where the name is unknown.
Addresses addressesOf(const std::string& host, int port, int flags) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (failed != 0)
        throw Error(fmt::format("The host '{}' is unknown ({}); correct the address.", host,
                                ::gai_strerror(failed)));
    return Addresses(found);
}

int socketFor(const addrinfo& address) {
    return ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                    address.ai_protocol);
}

int errorOf(int file) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

void sendAtOnce(int file) {
    const int on = 1;
    ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool wouldWait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

} // namespace

TcpSocket::TcpSocket(TcpSocket&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
    std::swap(m_file, other.m_file);
    return *this;
}

TcpSocket::~TcpSocket() {
    if (m_file >= 0) ::close(m_file);
}

TcpSocket TcpSocket::connect(const std::string& host, int port, Patience patience) {
    const Addresses addresses = addressesOf(host, port, 0);
    std::string reason = "it has no address";
    for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
        TcpSocket socket(socketFor(*each));
        if (socket.m_file < 0) continue;
        const bool begun = ::connect(socket.m_file, each->ai_addr, each->ai_addrlen) == 0;
        if (!begun && errno != EINPROGRESS) {
            reason = std::strerror(errno); // NOLINT: read at once
            continue;
        }
        if (!begun && !waitFor(socket.m_file, POLLOUT, patience)) {
            reason = "no answer";
            continue;
        }
        if (const int error = errorOf(socket.m_file); error != 0) {
            reason = std::strerror(error); // NOLINT: read at once
            continue;
        }
        sendAtOnce(socket.m_file);
        return socket;
    }
    throw Error(fmt::format("{}:{} cannot be reached ({}); start its server, or correct the "
                            "address.",
                            host, port, reason));
}

std::optional<std::size_t> TcpSocket::receive(std::span<std::byte> out, Patience patience) {
    if (!waitFor(m_file, POLLIN, patience)) return 0;
    const ssize_t got = ::recv(m_file, out.data(), out.size(), 0);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && wouldWait()) return 0;
    return std::nullopt;
}

bool TcpSocket::send(std::span<const std::byte> bytes, Patience patience) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
            continue;
        }
        if (!wouldWait() || !waitFor(m_file, POLLOUT, patience)) return false;
    }
    return true;
}

bool TcpSocket::isClosed() {
    char one = 0;
    const ssize_t got = ::recv(m_file, &one, 1, MSG_PEEK);
    return got == 0 || (got < 0 && !wouldWait());
}

TcpListener::TcpListener(const std::string& address, int port) : m_file(-1) {
    const Addresses addresses = addressesOf(address, port, AI_PASSIVE);
    m_file = socketFor(*addresses);
    const int on = 1;
    ::setsockopt(m_file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    constexpr int kMostWaiting = 8;
    if (m_file < 0 || ::bind(m_file, addresses->ai_addr, addresses->ai_addrlen) != 0 ||
        ::listen(m_file, kMostWaiting) != 0) {
        const std::string reason = std::strerror(errno); // NOLINT: read at once
        if (m_file >= 0) ::close(m_file);
        throw Error(fmt::format("Nobody can connect to {}:{} ({}); choose another port, or an "
                                "address of this machine.",
                                address, port, reason));
    }
}

TcpListener::~TcpListener() { ::close(m_file); }

int TcpListener::port() const {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    ::getsockname(m_file, reinterpret_cast<sockaddr*>(&own), &size);
    const bool six = own.ss_family == AF_INET6;
    return ntohs(six ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(own).sin_port);
}

std::optional<TcpSocket> TcpListener::accept(TcpSocket::Patience patience) {
    if (!waitFor(m_file, POLLIN, patience)) return std::nullopt;
    const int file = ::accept4(m_file, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return std::nullopt;
    sendAtOnce(file);
    return TcpSocket(file);
}

} // namespace echolux
