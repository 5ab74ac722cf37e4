// SPDX-License-Identifier: GPL-3.0-or-later
// Sources on a network, by their addresses:
//   igtl:HOST:PORT?device=NAME&content=decibels&sidecar=FILE
//   zmq:HOST:PORT?sidecar=FILE
#pragma once

#include "app/live/live_source.hpp"
#include "app/network/address_options.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace echolux {

bool isNetworkAddress(std::string_view address);
/// `stop` ends the opening. Throws Error for an option that does not exist, and as IgtlSource and
/// ZmqSource do.
std::unique_ptr<LiveSource> networkSource(const std::string& address,
                                          const std::stop_token& stop = {});

/// The place in zmq:PORT or zmq:HOST:PORT. Throws Error for other addresses.
HostAndPort zmqPlace(const std::string& address);

} // namespace echolux
