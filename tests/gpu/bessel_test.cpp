// SPDX-License-Identifier: GPL-3.0-or-later
// The modified Bessel function against SciPy.
#include "gpu/core/bessel.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct Pair {
    double x;
    double value;
};

std::vector<Pair> referencePairs() {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/tests/gpu/vectors/bessel.txt");
    std::string heading;
    std::getline(file, heading);
    std::vector<Pair> pairs;
    for (Pair pair{}; file >> pair.x >> pair.value;) pairs.push_back(pair);
    return pairs;
}

TEST(Bessel, AgreesWithSciPy) {
    const std::vector<Pair> pairs = referencePairs();
    ASSERT_EQ(pairs.size(), 207U);
    for (const Pair& pair : pairs)
        EXPECT_NEAR(besselI0(pair.x) / pair.value, 1.0, 1e-14) << "at " << pair.x;
}

} // namespace
} // namespace echolux
