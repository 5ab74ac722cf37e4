// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lines of a grid lie among the beams of transmits.
#pragma once

#include "gpu/beamform/beamform_params.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::das {

/// Mean step from value number i to its neighbours.
inline double stepAround(const std::vector<double>& values, std::size_t i) {
    const std::size_t before = i > 0 ? i - 1 : 0;
    const std::size_t after = std::min(i + 1, values.size() - 1);
    return after > before ? (values[after] - values[before]) / static_cast<double>(after - before)
                          : 0.0;
}

/// Offset of line number j of `count` lines that stand side by side round one line, in steps.
inline double placeAmong(std::int64_t j, std::int64_t count) {
    return (static_cast<double>(j) - 0.5 * static_cast<double>(count - 1)) /
           static_cast<double>(count);
}

/// A line of the grid among the transmits' lines, which are sorted from left to right.
struct Among {
    std::size_t line = 0; ///< the transmit's line that it belongs to
    std::size_t from = 0; ///< the place counts from here,
    double part = 0.0;    ///< in steps
    bool inGap = false;   ///< the step is the one to the next line, not the mean around it

    double of(const std::vector<double>& values) const {
        const double step = inGap ? values[from + 1] - values[from] : stepAround(values, from);
        return values[from] + part * step;
    }
};

/// Several lines round that of each transmit, or in each gap between two.
inline std::vector<Among> linesAmong(std::size_t transmits, const BeamformParams& params) {
    const std::int64_t count = params.linesPerTransmit;
    std::vector<Among> all;
    for (std::size_t i = 0; i + (params.blends() ? 1 : 0) < transmits; ++i) {
        for (std::int64_t j = 0; j < count; ++j) {
            const double round = placeAmong(j, count);
            if (params.blends())
                all.push_back({round < 0.0 ? i : i + 1, i, 0.5 + round, true});
            else
                all.push_back({i, i, round, false});
        }
    }
    return all;
}

} // namespace echolux::das
