// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/network/zmq_socket.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <zmq.h>

#include <cstdint>

namespace echolux {
namespace {

constexpr int kMostWaiting = 4; // messages in memory on either side

void setNumber(void* socket, int option, std::int64_t value) {
    if (option == ZMQ_MAXMSGSIZE) {
        zmq_setsockopt(socket, option, &value, sizeof value);
        return;
    }
    const int number = static_cast<int>(value);
    zmq_setsockopt(socket, option, &number, sizeof number);
}

} // namespace

ZmqSocket::ZmqSocket(Kind kind, const std::string& where)
    : m_context(zmq_ctx_new()),
      m_socket(zmq_socket(m_context, kind == Kind::Publisher ? ZMQ_PUB : ZMQ_SUB)) {
    const bool publishes = kind == Kind::Publisher;
    setNumber(m_socket, ZMQ_LINGER, 0);
    setNumber(m_socket, ZMQ_IPV6, 1);
    setNumber(m_socket, publishes ? ZMQ_SNDHWM : ZMQ_RCVHWM, kMostWaiting);
    setNumber(m_socket, ZMQ_MAXMSGSIZE, static_cast<std::int64_t>(kMostPartBytes));
    if (!publishes) zmq_setsockopt(m_socket, ZMQ_SUBSCRIBE, "", 0);
    const std::string address = "tcp://" + where;
    const int failed =
        publishes ? zmq_bind(m_socket, address.c_str()) : zmq_connect(m_socket, address.c_str());
    if (failed == 0) return;
    const std::string reason = zmq_strerror(zmq_errno());
    zmq_close(m_socket);
    zmq_ctx_term(m_context);
    throw Error(fmt::format("ZeroMQ cannot use {} ({}); choose another port, or correct the "
                            "address.",
                            where, reason));
}

ZmqSocket::~ZmqSocket() {
    zmq_close(m_socket);
    zmq_ctx_term(m_context);
}

void ZmqSocket::send(std::span<const std::span<const std::byte>> parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int more = i + 1 < parts.size() ? ZMQ_SNDMORE : 0;
        zmq_send(m_socket, parts[i].data(), parts[i].size(), ZMQ_DONTWAIT | more);
    }
}

std::optional<std::vector<ZmqSocket::Part>> ZmqSocket::receive(std::chrono::milliseconds patience) {
    zmq_pollitem_t item{m_socket, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, static_cast<long>(patience.count())) <= 0) return std::nullopt;
    std::vector<Part> parts;
    for (int more = 1; more != 0;) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, m_socket, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(&message);
            return std::nullopt;
        }
        const auto* bytes = static_cast<const std::byte*>(zmq_msg_data(&message));
        parts.emplace_back(bytes, bytes + zmq_msg_size(&message));
        more = zmq_msg_more(&message);
        zmq_msg_close(&message);
    }
    return parts;
}

} // namespace echolux
