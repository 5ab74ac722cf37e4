// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of echoes do not depend on how many scatterers and transmits are kept at once. (What they
// are: tests/source/echo_simulator_test.cpp.)
#include "tests/gpu/echo_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

TEST(EchoSum, DoesNotDependOnTheSizeOfRuns) {
    for (const Echoed echoed : {Echoed::Field, Echoed::Square, Echoed::TurnedSquare}) {
        const auto whole = smallSums(Backend::Cpu, EchoRoom::of(Backend::Cpu), echoed);
        EXPECT_GT(std::ranges::max(whole), 0.0);
        EXPECT_EQ(smallSums(Backend::Cpu, {7, 1 << 20}, echoed), whole);
        EXPECT_EQ(smallSums(Backend::Cpu, {1, 1}, echoed), whole);
    }
}

} // namespace
} // namespace echolux::test
