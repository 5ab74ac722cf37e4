// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in a sidecar, or the names of arrays in the data file that contain them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

struct NumberSource {
    std::vector<double> values;
    std::size_t rows = 0;           ///< number of rows where `values` are lists of the same length
                                    ///< within a list
    std::string from;               ///< name of an array; may contain {transmit}
    std::vector<std::string> names; ///< instead: names of several arrays, whose numbers follow one
                                    ///< another
    double scale = 1.0;

    bool given() const { return isNamed() || !values.empty(); }
    bool isNamed() const { return !from.empty() || !names.empty(); } ///< false: `values` is used
};

} // namespace echolux
