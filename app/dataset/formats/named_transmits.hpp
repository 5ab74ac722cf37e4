// SPDX-License-Identifier: GPL-3.0-or-later
// Transmits among numbers with names; named_recording.hpp lists them.
#pragma once

#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/recording/recording.hpp"

#include <vector>

namespace echolux {

class NamedTransmits {
public:
    NamedTransmits(const NamedNumbers& numbers, std::size_t count)
        : m_numbers(numbers), m_count(count) {}

    /// Warns in `info` of what is assumed; throws Error where the numbers contradict each other.
    std::vector<Transmit> read(const Probe& probe, RecordingInfo& info) const;

private:
    void readWaves(std::vector<Transmit>& transmits) const;
    void readAngles(std::vector<Transmit>& transmits) const;
    void readSources(std::vector<Transmit>& transmits) const;

    const NamedNumbers& m_numbers;
    std::size_t m_count;
};

} // namespace echolux
