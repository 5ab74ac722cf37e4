// SPDX-License-Identifier: GPL-3.0-or-later
// Who receives the shown images outside of this program.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace echolux {

struct PublishedImage {
    const FrameSpec* spec = nullptr; ///< [depth][lateral], [lateral][depth] or
                                     ///< [elevation][depth][lateral]
    std::span<const float> values;
    std::int64_t frame = 0;  ///< number in the recording
    std::int64_t timeNs = 0; ///< since 1970
};

struct PublishCounters {
    int receivers = 0;         ///< connected now; -1: unknown
    std::uint64_t sent = 0;    ///< images that were handed to the network
    std::uint64_t refused = 0; ///< images that the target cannot express
    std::string reason = {};   ///< why the latest one was refused
};

/// One thread calls all functions.
class PublishTarget {
public:
    virtual ~PublishTarget() = default;
    virtual std::string address() const = 0; ///< "igtl:127.0.0.1:18944"
    /// Lets receivers in and drops those that have gone. False where nobody wants images now.
    virtual bool isWanted() = 0;
    /// Does not wait for slow receivers: they miss images.
    virtual void send(const PublishedImage& image) = 0;
    virtual PublishCounters counters() const = 0;
};

/// From an address:
///   igtl:PORT, igtl:ADDRESS:PORT?device=NAME&colours=MAP   a server of OpenIGTLink
///   zmq:PORT, zmq:ADDRESS:PORT                             a publisher of ZeroMQ
/// Without ADDRESS only programs on this machine can connect. Values are sent as floats; with a
/// colour map as sRGB. Throws Error where the address is wrong or its port is taken.
std::unique_ptr<PublishTarget> publishTarget(const std::string& address);

} // namespace echolux
