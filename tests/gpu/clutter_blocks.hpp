// SPDX-License-Identifier: GPL-3.0-or-later
// Singular values that NumPy removed in blocks, and the settings that do the same.
#pragma once

#include "tests/gpu/flow_frames.hpp"
#include "tests/support/vectors.hpp"

#include <string>
#include <vector>

namespace echolux::test {

inline HostFrame blockEnsemble(const Vectors& vectors) {
    return filled(ensembleSpec(8, 17, 13), vectors["ensemble"]);
}

/// Singular values from `first` on, in blocks.
inline Settings svdFrom(std::int64_t first, std::int64_t deep = 0, std::int64_t wide = 0,
                        const std::string& overlap = "half") {
    return {{"method", std::string("svd")},
            {"first", first},
            {"overlap", overlap},
            {"block_depth", deep},
            {"block_lateral", wide}};
}

struct BlockCase {
    std::string vector; ///< of singular_blocks.txt
    Settings settings;
    double tolerance;
};
inline std::vector<BlockCase> blockCases() {
    Settings range = svdFrom(2, 8, 7);
    range.push_back({"last", std::int64_t{2}});
    Settings limits = svdFrom(1, 9, 0, "none");
    limits.insert(limits.end(), {{"thresholds", std::string("limits")},
                                 {"cut_hz", 0.4 / (6.283185307179586 * kFlowIntervalS)},
                                 {"floor_db", 45.4}});
    // What is removed is 30 to 40 dB stronger than what is left.
    return {{"apart", svdFrom(3, 6, 5, "none"), 2e-3},
            {"overlapping", svdFrom(3, 8, 7), 2e-3},
            {"columns", svdFrom(2, 0, 6), 2e-3},
            {"range", range, 1e-3},
            {"by_limits", limits, 0.02}};
}

} // namespace echolux::test
