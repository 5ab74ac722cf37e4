// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/live/network_sources.hpp"

#include "app/live/igtl_source.hpp"
#include "app/live/sidecar_option.hpp"
#include "app/live/zmq_source.hpp"
#include "app/network/address_options.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {
namespace {

constexpr std::string_view kIgtl = "igtl:";
constexpr std::string_view kZmq = "zmq:";

std::unique_ptr<LiveSource> igtl(const HostAndPort& place, AddressOptions& options,
                                 const std::string& address, const std::stop_token& stop) {
    IgtlSource::Setup setup{
        .host = place.host, .port = place.port, .description = sidecarIn(options), .stop = stop};
    options.take("device", setup.device);
    options.take("transform", setup.transform);
    setup.form =
        formNamed(options.takeWord("content", {"picture", "decibels", "envelope", "beamformed"}));
    options.checkAllTaken();
    return std::make_unique<IgtlSource>(std::move(setup), address);
}

} // namespace

bool isNetworkAddress(std::string_view address) {
    return address.starts_with(kIgtl) || address.starts_with(kZmq);
}

HostAndPort zmqPlace(const std::string& address) {
    HostAndPort place;
    if (address.starts_with(kZmq))
        place = HostAndPort::of(std::string_view(address).substr(kZmq.size()), address, 0);
    if (place.port == 0)
        throw Error(fmt::format("'{}' names no port; write zmq:HOST:PORT.", address));
    return place;
}

std::unique_ptr<LiveSource> networkSource(const std::string& address, const std::stop_token& stop) {
    const std::string_view text(address);
    const bool isIgtl = text.starts_with(kIgtl);
    const auto question = text.find('?');
    const std::string_view where =
        text.substr(0, question).substr(isIgtl ? kIgtl.size() : kZmq.size());
    AddressOptions options(address,
                           question == std::string_view::npos ? "" : text.substr(question + 1));
    if (isIgtl) return igtl(HostAndPort::of(where, address, kIgtlPort), options, address, stop);
    const HostAndPort place = zmqPlace(address.substr(0, question));
    ZmqSource::Setup setup{.where = place.text(), .description = sidecarIn(options)};
    options.checkAllTaken();
    return std::make_unique<ZmqSource>(setup, address);
}

} // namespace echolux
