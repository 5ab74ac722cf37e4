// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of the table of pairs: arrays, transmits and signals with pipelines, measurements and
// exports. `echolux check pairs` runs all of it.
#include "app/pairs/pair_table.hpp"
#include "app/pairs/pairs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace echolux::pairs {
namespace {

std::uint64_t seed() {
    const char* given = std::getenv("ECHOLUX_PAIRS_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

TEST(Pairs, ASampleIsRightOrRefusedAsExpected) {
    const test::TemporaryFolder folder;
    SceneRecordings recordings(folder.path());
    std::vector<PairResult> results;
    for (const Pair& pair : sampleOfPairs(seed(), 6, 0.06))
        results.push_back(runPair(pair, recordings, Backend::Cpu));
    EXPECT_EQ(wrongOf(results), "") << "of the sample with the seed " << seed();
    EXPECT_GT(countOf(results, Outcome::Right), 20U);
    EXPECT_GT(countOf(results, Outcome::Refused), 5U);
}

/// Pairs that were wrong, and that the sample may leave out.
TEST(Pairs, ThoseThatWereWrongAreRight) {
    const test::TemporaryFolder folder;
    SceneRecordings recordings(folder.path());
    std::vector<PairResult> results;
    for (const Pair& pair : allPairs()) {
        const Acquired& of = pair.acquired;
        const auto is = [&](std::string_view array, std::string_view transmit,
                            std::string_view kind, std::string_view name) {
            return of.array->name == array && of.transmit->name == transmit &&
                   of.signal == Signal::Rf && pair.kind == kind && pair.name == name;
        };
        // The aperture is wide, so that waves that pass obliquely lower the mean frequency.
        if (is("concave", "elements", "flow", "") ||
            // Blended beams need the elements that fire.
            is("curved", "focused", "export of signals", ".uff") ||
            // The elements of a row-column array are lines; files say so, each in its way.
            is("row-column", "plane", "export of signals", ".npz") ||
            is("row-column", "focused", "export of signals", ".hdf5") ||
            is("row-column", "focused", "export of signals", ".uff") ||
            // Near its focus a wave is a Gaussian beam; a jump of its delay there is no movement.
            is("row-column", "focused", "flow", "") ||
            // An estimate that tilts the delays moves the image.
            is("linear", "elements", "pipeline", "aberration_trial") ||
            is("concave", "plane", "pipeline", "aberration_trial") ||
            // A wide aperture makes spots that are narrower than coarse pixels.
            is("concave", "elements", "pipeline", "bubbles"))
            results.push_back(runPair(pair, recordings, Backend::Cpu));
    }
    EXPECT_EQ(wrongOf(results), "");
    EXPECT_EQ(countOf(results, Outcome::Right), 9U);
}

TEST(Pairs, ASampleHoldsEachArrayAndEachTransmit) {
    for (const std::uint64_t drawn : {1U, 2U, 3U}) {
        std::set<std::string_view> arrays;
        std::set<std::string_view> transmits;
        for (const Pair& pair : sampleOfPairs(drawn, 6, 0.2)) {
            arrays.insert(pair.acquired.array->name);
            transmits.insert(pair.acquired.transmit->name);
        }
        EXPECT_EQ(arrays.size(), arrayRows().size());
        EXPECT_EQ(transmits.size(), transmitRows().size());
    }
}

} // namespace
} // namespace echolux::pairs
