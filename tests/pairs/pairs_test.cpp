// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of the table of pairs: arrays, transmits and signals with pipelines, measurements and
// exports. `echolux check pairs` runs all of it.
#include "app/pairs/expectations.hpp"
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
        if (!knownFault(pair)) results.push_back(runPair(pair, recordings, Backend::Cpu));
    EXPECT_EQ(wrongOf(results), "") << "of the sample with the seed " << seed();
    EXPECT_GT(countOf(results, Outcome::Right), 20U);
    EXPECT_GT(countOf(results, Outcome::Refused), 5U);
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
