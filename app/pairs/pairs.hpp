// SPDX-License-Identifier: GPL-3.0-or-later
// The table of pairs: every kind of array, transmit and signal with every pipeline, measurement and
// export. Each pair is right, or is refused with the sentence that expectations.hpp expects.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/pairs/scene_recordings.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux::pairs {

struct Pair {
    Acquired acquired;
    std::string kind; ///< "points", "pipeline", "export", ...: see checkKinds()
    std::string
        name; ///< of the pipeline, the measurement, the ending; empty where there is but one

    std::string describe() const; ///< "linear, plane, RF: pipeline rf"
};

enum class Outcome {
    Right,
    Refused, ///< as expected
    Wrong,
};

struct PairResult {
    Pair pair;
    Outcome outcome = Outcome::Right;
    std::vector<measure::Figure> figures = {};
    std::string sentence = {}; ///< of a refusal; else what is wrong
};

/// The kinds of pairs, in order.
std::vector<std::string> checkKinds();
/// All pairs of all kinds, row by row.
std::vector<Pair> allPairs();
/// `rows` of the rows, which hold each array and each transmit at least once where there are so
/// many, and of their pairs each one of the kinds that have no names, and `share` of the others.
std::vector<Pair> sampleOfPairs(std::uint64_t seed, std::size_t rows, double share);

/// Runs one pair and judges it. Throws nothing but std::bad_alloc and what a full disk throws.
PairResult runPair(const Pair& pair, SceneRecordings& recordings, Backend backend);

} // namespace echolux::pairs
