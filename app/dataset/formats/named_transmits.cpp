// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/named_transmits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

std::vector<Transmit> NamedTransmits::read(const Probe& probe, RecordingInfo& info) const {
    std::vector<Transmit> transmits(m_count);
    readWaves(transmits);
    readAngles(transmits);
    readSources(transmits);
    if (m_numbers.has("t0")) {
        const std::vector<double> t0 = m_numbers.each("t0", m_count, "transmits");
        for (std::size_t i = 0; i < m_count; ++i) transmits[i].firstSampleS = t0[i];
    } else {
        info.warnings.emplace_back("It gives no time 't0' of the first sample; 0 s is assumed.");
    }
    if (m_numbers.has("iq_phase_zero")) {
        const std::vector<double> zero = m_numbers.each("iq_phase_zero", m_count, "transmits");
        for (std::size_t i = 0; i < m_count; ++i) transmits[i].iqPhaseZeroS = zero[i];
    }
    if (m_numbers.has("apodization")) {
        const std::size_t elements = probe.elements.size();
        const std::vector<double> weights =
            m_numbers.table("apodization", m_count, elements,
                            fmt::format("{} transmits of {} elements", m_count, elements));
        for (std::size_t i = 0; i < m_count; ++i)
            for (std::size_t k = 0; k < elements; ++k)
                transmits[i].apodization.push_back(static_cast<float>(weights[i * elements + k]));
    }
    return transmits;
}

void NamedTransmits::readWaves(std::vector<Transmit>& transmits) const {
    if (!m_numbers.has("wave")) return;
    constexpr auto kLast = static_cast<double>(Wave::None);
    const std::vector<double> waves = m_numbers.each("wave", m_count, "transmits");
    for (std::size_t i = 0; i < m_count; ++i) {
        if (!(waves[i] >= 0.0) || waves[i] > kLast || waves[i] != std::floor(waves[i]))
            throw m_numbers.error(fmt::format("'wave' holds {:g}, but must be 0 plane, 1 "
                                              "diverging, 2 focused, 3 element or 4 none",
                                              waves[i]));
        transmits[i].wave = static_cast<Wave>(static_cast<int>(waves[i]));
    }
}

void NamedTransmits::readAngles(std::vector<Transmit>& transmits) const {
    const bool plane = std::ranges::all_of(
        transmits, [](const Transmit& each) { return each.wave == Wave::Plane; });
    if (!m_numbers.has("angles")) {
        if (plane && m_count > 1)
            throw m_numbers.error(
                fmt::format("it holds {} transmits, but no 'angles' (rad) that say how each plane "
                            "wave was steered; add them, or describe other waves in a sidecar "
                            "('echolux help sidecar')",
                            m_count));
        return;
    }
    for (const auto& [name, angle] : {std::pair{"angles", &Transmit::angleRad},
                                      std::pair{"elevation_angles", &Transmit::elevationRad}}) {
        if (!m_numbers.has(name)) continue;
        const std::vector<double> angles = m_numbers.list(name);
        if (angles.size() != m_count)
            throw m_numbers.error(fmt::format("'{}' has {} entries, but there are {} transmits; "
                                              "correct the one that is wrong",
                                              name, angles.size(), m_count));
        for (std::size_t i = 0; i < m_count; ++i) {
            if (!(std::abs(angles[i]) < 0.5 * std::numbers::pi))
                throw m_numbers.error(fmt::format("'{}' holds {:g}, but must be in rad and below a "
                                                  "quarter turn; correct it and save again",
                                                  name, angles[i]));
            transmits[i].*angle = angles[i];
        }
    }
}

void NamedTransmits::readSources(std::vector<Transmit>& transmits) const {
    const bool sourceless = std::ranges::all_of(transmits, [](const Transmit& each) {
        return each.wave == Wave::Plane || each.wave == Wave::None;
    });
    if (sourceless) return;
    if (!m_numbers.has("source"))
        throw m_numbers.error("its waves are not all plane, but no 'source' says where they come "
                              "from or converge; add x, y, z of each (m)");
    const std::vector<double> places = m_numbers.table(
        "source", m_count, 3, fmt::format("there are {} transmits: x, y, z of each", m_count));
    for (std::size_t i = 0; i < m_count; ++i)
        transmits[i].source = {places[3 * i], places[3 * i + 1], places[3 * i + 2]};
}

} // namespace echolux
