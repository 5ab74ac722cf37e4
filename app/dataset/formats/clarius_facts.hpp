// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of Clarius' raw data beside its samples: the text file of the same name, and the
// size of colour packets, which only samples tell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace echolux {

/// Numbers 0 where unknown.
struct ClariusFacts {
    bool found = false; ///< is there such a text?
    double frameRateHz = 0.0;
    double transmitFrequencyHz = 0.0;
    double samplingFrequencyHz = 0.0;
    double delaySamples = 0.0;
    double steeringDeg = 0.0;         ///< of the first line
    std::int64_t linesPerElement = 0; ///< lines that listen at the first place
};

/// Of NAME.yml beside NAME.raw.
ClariusFacts clariusFacts(const std::filesystem::path& raw);

/// Pulses of a colour packet: neighbours in a packet are nearly alike, those of two packets are
/// not. `samples` are pairs of I and Q in file order, of `lines` lines; 1 where there are no
/// packets.
std::int64_t packetSize(std::span<const std::int16_t> samples, std::int64_t lines);

} // namespace echolux
