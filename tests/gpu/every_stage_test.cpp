// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage, on the CPU, over generated shapes and parameters: the checks of
// gpu/check/stage_check.hpp.
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/registry.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>

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

/// Inputs that a stage need not read whole.
bool readsInPart(const check::StageCase& each, std::size_t port) {
    using Inputs = std::set<std::pair<std::string, std::size_t>>;
    static const Inputs kInputs{
        {"aberration", 0},            // a region
        {"aberration_filter", 0},     // its array alone
        {"aberrating_screen", 0},     // its array alone, where the screen alone is read
        {"aberration_correction", 1}, // a placeholder, until the estimate is planned
        {"aberration_correction", 2}, // likewise
        {"transmit_synthesis", 0},    // firings that some wave uses
        {"transmit_synthesis", 1},    // a placeholder, as above
        {"beamform", 0},              // echoes of the pixels
        {"combine", 0},               // where a weight of 1 throughout is read alone
        {"scan_conversion", 0},       // samples beside pixels
        {"patch_blend", 0},           // patches that lie in the image
        {"average", 0},               // lines that fill a block
        {"displacement", 0},          // two frames
        {"accumulate", 1},            // an image that gives the grid
        {"surfaces", 0},              // depths that are searched
        {"depth_slab", 0},            // where the lines alone are read
        {"depth_slab", 1},            // a surface at which the slab neither begins nor ends
        {"depth_slab", 2},            // likewise
        {"spectral_doppler", 0},      // a gate
        {"m_mode", 0},                // a line
        {"one_channel", 0},           // one of many, as the following ones
        {"one_frame", 0},
        {"one_transmit", 0},
    };
    const std::string& id = each.type->id;
    if (id == "compare") return each.params.get("mode") != ParamValue(std::string("difference"));
    // They show one transmit.
    if (id == "log_compression" || id == "linear_map")
        return each.inputs[0].find(AxisName::Transmit) != nullptr;
    return kInputs.contains({id, port});
}

TEST_P(EveryStage, DeclaresSoundWork) {
    EXPECT_THAT(check::declaresSoundWork(*GetParam(), readsInPart), IsEmpty());
}

TEST_P(EveryStage, HasASoundTable) { EXPECT_THAT(check::hasASoundTable(*GetParam()), IsEmpty()); }

INSTANTIATE_TEST_SUITE_P(Registry, EveryStage, testing::ValuesIn(allStages()),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
