// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers written in a sidecar, or the names of arrays in the data file that hold them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

struct NumberSource {
    std::vector<double> values;
    std::size_t rows = 0;           ///< where `values` are lists within a list, all of one length
    std::string from;               ///< may hold {transmit}
    std::vector<std::string> names; ///< of arrays that follow one another, instead
    double scale = 1.0;

    bool given() const { return isNamed() || !values.empty(); }
    bool isNamed() const { return !from.empty() || !names.empty(); } ///< else `values` count
};

} // namespace echolux
