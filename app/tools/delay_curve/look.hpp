// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded channels of a transmit, of the shown frame.
#pragma once

#include "app/session/column/column.hpp"
#include "app/session/look/asked_look.hpp"

#include <cstdint>
#include <memory>

namespace echolux {

/// Asked by the number of the transmit. Reads the raw frame in host memory, so nothing is copied
/// from a device.
class ChannelsLook : public StandingLook<std::int64_t, ChannelMatrix> {
public:
    explicit ChannelsLook(const LookPlace& place) : StandingLook(place), m_lines(place.raw) {}

private:
    std::shared_ptr<const ChannelMatrix> look(const std::int64_t& transmit,
                                              const LookFrame& frame) override {
        if (!frame.raw) return nullptr;
        auto matrix =
            std::make_shared<ChannelMatrix>(m_lines.readChannels(frame.raw.samples(), transmit));
        matrix->frame = frame.raw.index();
        return matrix;
    }

    RawLineReader m_lines;
};

} // namespace echolux
