// SPDX-License-Identifier: GPL-3.0-or-later
// Frames through the functions of the C header.
#include "app/live/shared_writer.hpp"

#include "app/live/frame_description.hpp"
#include "app/live/frame_place.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {
SharedWriter::SharedWriter(const Setup& setup, const RecordingInfo& info)
    : m_frameBytes(info.frame.bytes()) {
    if (!info.frame.acquisition && !info.frame.spectrometer)
        throw Error(fmt::format("'{}' holds images; channel data and spectra alone can be served.",
                                info.path.string()));
    const std::string description = descriptionOf(info);
    const char* failure =
        echolux_live_create(&m_writer, setup.name.c_str(), m_frameBytes, setup.slotCount,
                            setup.blocks ? ECHOLUX_LIVE_BLOCK : ECHOLUX_LIVE_DROP_OLDEST,
                            description.data(), description.size());
    if (failure != nullptr)
        throw Error(fmt::format("Shared memory '{}' cannot be made: {}", setup.name, failure));
}

SharedWriter::~SharedWriter() { echolux_live_close(&m_writer); }

std::span<std::byte> SharedWriter::begin() {
    void* samples = echolux_live_begin(&m_writer);
    if (samples == nullptr) return {};
    return {static_cast<std::byte*>(samples), m_frameBytes};
}

void SharedWriter::publish(const FrameStamp& stamp) {
    const auto number = stamp.number >= 0 ? stamp.number : static_cast<std::int64_t>(m_writer.next);
    const auto place = stamp.pose ? placeOf(*stamp.pose) : std::nullopt;
    echolux_live_publish_at(&m_writer, number, stamp.deviceNs,
                            place ? place->position.data() : nullptr,
                            place ? place->rotation.data() : nullptr);
}

std::uint64_t SharedWriter::taken() const {
    return __atomic_load_n(&m_writer.header->taken, __ATOMIC_ACQUIRE);
}

} // namespace echolux
