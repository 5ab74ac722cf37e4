// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about Clarius raw data that the raw file does not state: those of the text file of the same
// name, and the size of colour packets, which is found from the samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace echolux {

/// A number is 0 where it is unknown.
struct ClariusFacts {
    bool found = false; ///< the text file exists and was read
    double frameRateHz = 0.0;
    double transmitFrequencyHz = 0.0;
    double samplingFrequencyHz = 0.0;
    double delaySamples = 0.0;
    double steeringDeg = 0.0; ///< steering angle of the first line
    /// Lines that have the same receive element as the first line.
    std::int64_t linesPerElement = 0;
};

/// Facts from NAME.yml beside NAME.raw.
ClariusFacts clariusFacts(const std::filesystem::path& raw);

/// Number of pulses in a colour packet; 1 where there are no packets. Consecutive samples of one
/// packet are nearly alike, samples of different packets are not. `samples` are pairs of I and Q in
/// file order; `lines` is the number of lines of a frame.
std::int64_t packetSize(std::span<const std::int16_t> samples, std::int64_t lines);

} // namespace echolux
