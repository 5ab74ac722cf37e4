// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage, on the CPU, over generated shapes and parameters: the checks of
// gpu/check/stage_check.hpp.
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/registry.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing::IsEmpty;

std::vector<const StageType*> allStages() {
    return {builtinStages().begin(), builtinStages().end()};
}

class EveryStage : public testing::TestWithParam<const StageType*> {};

TEST_P(EveryStage, IsFiniteAndRepeatable) {
    EXPECT_THAT(check::isFiniteAndRepeatable(*GetParam()), IsEmpty());
}

TEST_P(EveryStage, AnOutputIsTheSameWhicheverOthersAreRead) {
    EXPECT_THAT(check::outputsAreIndependent(*GetParam()), IsEmpty());
}

TEST_P(EveryStage, AFrameRunAgainGivesWhatItGave) {
    EXPECT_THAT(check::repeatsFrames(*GetParam()), IsEmpty());
}

/// What a damaged recording may hold must not break anything; what comes out is free.
TEST_P(EveryStage, SurvivesNanAndInfinity) {
    EXPECT_THAT(check::survivesNanAndInfinity(*GetParam()), IsEmpty());
}

TEST_P(EveryStage, LiveEditsEqualAFreshStart) {
    EXPECT_THAT(check::liveEditsEqualAFreshStart(*GetParam()), IsEmpty());
}

TEST_P(EveryStage, HasASoundTable) { EXPECT_THAT(check::hasASoundTable(*GetParam()), IsEmpty()); }

INSTANTIATE_TEST_SUITE_P(Registry, EveryStage, testing::ValuesIn(allStages()),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
