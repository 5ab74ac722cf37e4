// SPDX-License-Identifier: GPL-3.0-or-later
// Reduction on the CPU: every size and every place of the maximum.
#include "tests/gpu/running_maximum_run.hpp"

namespace echolux::test {
namespace {

TEST(RunningMaximumCpu, FindsTheLargestFiniteMagnitude) {
    expectMaximumOfEverySizeAndPlace(Backend::Cpu);
}

} // namespace
} // namespace echolux::test
