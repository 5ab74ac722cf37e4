// SPDX-License-Identifier: GPL-3.0-or-later
// The speed of sound of one frame of channel data: README.md has the method.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/sound_speed/speed_terms.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux::sound_speed {

/// 1400 to 1750 m/s of 1540 m/s.
Speeds usualSpeeds(double recordedMps);

struct Search {
    /// 0 to 0: usualSpeeds().
    Speeds speeds = {};
    PlaceOptions places = {};
};

struct Estimate {
    double speedMps = 0.0;
    double errorMps = 0.0; ///< standard error over parts of the region; it knows no bias
    std::string doubt;     ///< why `speedMps` is not to be used, a clause; empty: it is
    std::int64_t places = 0;
    std::vector<double> triedMps;   ///< evenly over the search
    std::vector<double> unevenness; ///< J of each
    bool isSure() const { return doubt.empty(); }
};

/// For frames of one specification, [transmit][channel][sample], complex: analytic signals or IQ
/// data of plane or diverging waves. Used by one thread at a time.
class SpeedSearch {
public:
    /// Throws Error, a sentence, where no speed can be estimated from such data.
    SpeedSearch(const Exec& exec, const FrameSpec& channels, const Search& search);

    /// `samples` in compute memory. Returns when the work on the exec's stream is done.
    Estimate estimate(const Exec& exec, const Complex* samples);

private:
    /// Sums over places, per speed and block.
    struct Sums {
        std::vector<std::array<double, kBlocks>> agreement;
        std::vector<std::array<double, kBlocks>> roots;
        std::array<double, kBlocks> places{};

        /// J; `without`: a block that is left out, or -1.
        std::vector<double> unevenness(std::int32_t without = -1) const;
    };

    Sums sumsAt(const Exec& exec, const Complex* samples, const std::vector<double>& speeds,
                std::int64_t every);
    void refine(const Exec& exec, const Complex* samples, Estimate& found);

    FrameSpec m_channels;
    Search m_search;
    std::vector<Place> m_placed;
    Buffer m_places; ///< in compute memory, as all but the last
    Buffer m_receivers;
    Buffer m_waves;
    Buffer m_agreement;
    Buffer m_staging;
};

} // namespace echolux::sound_speed
