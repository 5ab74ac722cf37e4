// SPDX-License-Identifier: GPL-3.0-or-later
// A server of OpenIGTLink: every program that connects gets the images as messages IMAGE.
#pragma once

#include "app/network/address_options.hpp"
#include "app/network/tcp.hpp"
#include "app/session/publish/publish_target.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

struct ColourMap;

class IgtlServer final : public PublishTarget {
public:
    struct Setup {
        HostAndPort place;
        std::string device = "Echolux"; ///< name of the sender, at most 19 letters
        std::string colours = {};       ///< name of a colour map; empty: values
    };
    explicit IgtlServer(const Setup& setup);

    std::string address() const override;
    bool isWanted() override;
    void send(const PublishedImage& image) override;
    PublishCounters counters() const override;

private:
    std::vector<std::byte> messageOf(const PublishedImage& image);

    Setup m_setup;
    const ColourMap* m_colours; ///< null: values
    TcpListener m_listener;
    std::vector<TcpSocket> m_receivers;
    PublishCounters m_counters;
};

} // namespace echolux
