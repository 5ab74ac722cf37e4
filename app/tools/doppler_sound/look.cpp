// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/doppler_sound/look.hpp"

#include "app/session/gate_pulses.hpp"
#include "gpu/memory/transfer.hpp"

#include <cstring>

namespace echolux {

PulsesLook::PulsesLook(const LookPlace& place)
    : AskedLook(place), m_backend(place.backend), m_stream(place.backend, "pulses") {}

std::vector<std::string> PulsesLook::outputs(const Snapshot& snapshot) {
    const auto gate = gatePulses(snapshot);
    return gate ? std::vector{gate->output} : std::vector<std::string>();
}

std::shared_ptr<const LatestPulses> PulsesLook::look(const std::string& wanted,
                                                     const LookFrame& frame) {
    const auto gate = gatePulses(*frame.snapshot);
    const ConstTensorView pulses = gate ? frame.kept(gate->output) : ConstTensorView{};
    if (pulses.data == nullptr) return nullptr;
    auto latest = std::make_shared<LatestPulses>();
    latest->asked = wanted;
    latest->frames = m_frames;
    latest->pulses.resize(static_cast<std::size_t>(pulses.spec->count()));
    const std::size_t bytes = pulses.spec->bytes();
    if (m_staging.bytes() != bytes) m_staging = Buffer(stagingMemory(m_backend), bytes);
    downloadLine({m_backend, m_stream.get()}, m_staging.data(), pulses.data, bytes, 1, bytes);
    m_stream.synchronize();
    std::memcpy(latest->pulses.data(), m_staging.data(), bytes);
    return latest;
}

} // namespace echolux
