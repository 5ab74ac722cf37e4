// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench beamformers: each problem runs, and its columns do not depend on each other.
#include "app/bench/beamformers.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

TEST(BenchBeamformers, EachMethodRunsAndItsColumnsAreIndependent) {
    for (BeamformerProblem problem : beamformerProblems(true)) {
        problem.channels = 33;
        problem.depths = 7;
        problem.laterals = 5;
        const BeamformerResult result = runBeamformerProblem(problem, Backend::Cpu, 1);
        EXPECT_LT(result.deviation, 1e-6) << problem.describe();
        EXPECT_GT(result.pixelsPerS, 0.0) << problem.id;
    }
}

} // namespace
} // namespace echolux::test
