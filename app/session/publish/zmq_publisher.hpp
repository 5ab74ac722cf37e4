// SPDX-License-Identifier: GPL-3.0-or-later
// Images as arrays by ZeroMQ: a header in JSON, then the values (echolux help live).
#pragma once

#include "app/network/address_options.hpp"
#include "app/network/zmq_socket.hpp"
#include "app/session/publish/publish_target.hpp"

#include <string>

namespace echolux {

class ZmqPublisher final : public PublishTarget {
public:
    explicit ZmqPublisher(const HostAndPort& place);

    std::string address() const override { return "zmq:" + m_place.text(); }
    bool isWanted() override { return true; } ///< ZeroMQ does not tell
    void send(const PublishedImage& image) override;
    PublishCounters counters() const override { return m_counters; }

private:
    HostAndPort m_place;
    ZmqSocket m_socket;
    PublishCounters m_counters{.receivers = -1};
};

} // namespace echolux
