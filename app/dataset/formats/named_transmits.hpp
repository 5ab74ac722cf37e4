// SPDX-License-Identifier: GPL-3.0-or-later
// Transmits of a container of named arrays; named_recording.hpp lists the arrays.
#pragma once

#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/recording/recording.hpp"

#include <vector>

namespace echolux {

class NamedTransmits {
public:
    NamedTransmits(const NamedNumbers& numbers, std::size_t count)
        : m_numbers(numbers), m_count(count) {}

    /// Adds a warning to `info` for each assumption. Throws Error where the arrays contradict each
    /// other.
    std::vector<Transmit> read(const Probe& probe, RecordingInfo& info) const;

private:
    void readWaves(std::vector<Transmit>& transmits) const;
    void readAngles(std::vector<Transmit>& transmits) const;
    void readSources(std::vector<Transmit>& transmits) const;

    const NamedNumbers& m_numbers;
    std::size_t m_count;
};

} // namespace echolux
