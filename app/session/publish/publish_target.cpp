// SPDX-License-Identifier: GPL-3.0-or-later
// Reads addresses.
#include "app/session/publish/publish_target.hpp"

#include "app/network/address_options.hpp"
#include "app/network/igtl_message.hpp"
#include "app/session/publish/igtl_server.hpp"
#include "app/session/publish/zmq_publisher.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace echolux {

std::unique_ptr<PublishTarget> publishTarget(const std::string& address) {
    const std::string_view text(address);
    const auto question = text.find('?');
    const auto colon = text.find(':');
    const std::string_view kind = text.substr(0, colon);
    const std::string_view where = colon == std::string_view::npos
                                       ? std::string_view{}
                                       : text.substr(0, question).substr(colon + 1);
    AddressOptions options(address,
                           question == std::string_view::npos ? "" : text.substr(question + 1));
    if (kind == "igtl") {
        IgtlServer::Setup setup{.place = HostAndPort::of(where, address, kIgtlPort)};
        options.take("device", setup.device);
        options.take("colours", setup.colours);
        options.checkAllTaken();
        return std::make_unique<IgtlServer>(setup);
    }
    constexpr int kZmqPort = 5556;
    if (kind == "zmq") {
        options.checkAllTaken();
        return std::make_unique<ZmqPublisher>(HostAndPort::of(where, address, kZmqPort));
    }
    throw Error(
        fmt::format("'{}' is no address to publish at; write igtl:PORT or zmq:PORT (echolux "
                    "help live).",
                    address));
}

} // namespace echolux
