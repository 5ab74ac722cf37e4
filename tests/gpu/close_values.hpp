// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles that are cut between singular values that are nearly equal, 60 dB below the largest,
// and what NumPy keeps of them.
#pragma once

#include "tests/gpu/clutter_blocks.hpp"

namespace echolux::test {

struct CloseCase {
    const char* kept; ///< of close_values.txt
    bool isTwo;       ///< two ensembles side by side, a block each
    Settings settings;
};
inline std::vector<CloseCase> closeCases() {
    Settings range = svdFrom(6);
    range.push_back({"last", std::int64_t{7}});
    return {{"without_5", false, svdFrom(6)},
            {"without_6", false, svdFrom(7)},
            {"from_6_to_7", false, range},
            {"two_without_6", true, svdFrom(7, 0, 8, "none")}};
}

inline HostFrame closeEnsemble(const Vectors& vectors, const CloseCase& of) {
    return filled(ensembleSpec(16, 9, of.isTwo ? 16 : 8), vectors[of.isTwo ? "two" : "ensemble"]);
}

inline void expectPartsOfNumpy(Backend backend) {
    const Vectors vectors("gpu/vectors/close_values.txt");
    for (const CloseCase& each : closeCases()) {
        SCOPED_TRACE(each.kept);
        expectClose(
            runStage("clutter_filter", closeEnsemble(vectors, each), each.settings, backend),
            vectors[each.kept], 3e-4);
    }
}

} // namespace echolux::test
