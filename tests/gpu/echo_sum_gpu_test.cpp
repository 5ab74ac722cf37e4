// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes summed on the GPU in runs of several sizes against those summed on the CPU.
#include "tests/gpu/echo_sums.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

TEST(EchoSumGpu, RunsOfEverySizeAgreeWithTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const Echoed echoed : {Echoed::Field, Echoed::Square, Echoed::TurnedSquare}) {
        const auto expected = smallSums(Backend::Cpu, EchoRoom::of(Backend::Cpu), echoed);
        const double peak = std::ranges::max(expected);
        for (const EchoRoom& room :
             {EchoRoom::of(Backend::Cuda), EchoRoom{7, 1 << 20}, EchoRoom{1, 1}}) {
            const std::vector<double> sums = smallSums(Backend::Cuda, room, echoed);
            for (std::size_t i = 0; i < sums.size(); ++i)
                ASSERT_NEAR(sums[i], expected[i], 1e-11 * peak)
                    << i << " of runs of " << room.points;
        }
    }
}

} // namespace
} // namespace echolux::test
