// SPDX-License-Identifier: GPL-3.0-or-later
// Envelopes of RF recordings on any grid, through the command line, against NumPy and SciPy; and
// the warning where RF is summed on too coarse a one.
#include "tests/commands/envelopes.hpp"

#include <gmock/gmock.h>

namespace echolux {
namespace {

class Envelopes : public testing::TestWithParam<test::EnvelopeCase> {};

TEST_P(Envelopes, AgreeWithSummedAnalyticSignals) {
    test::compareEnvelope(GetParam(), "linear", "cpu", {}, 2e-4);
}

TEST_P(Envelopes, AgreeWithIdealInterpolation) {
    test::compareEnvelope(GetParam(), "ideal", "cpu", {}, 0.025);
    test::compareEnvelope(
        GetParam(), "ideal", "cpu",
        {"--set", "beamform.interpolation=lagrange", "--set", "beamform.lagrange_order=5"}, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Golden, Envelopes, testing::ValuesIn(test::envelopeCases()),
                         [](const auto& each) { return each.param.name; });

TEST(RfSum, WarnsOfRowsThatAreTooCoarse) {
    const test::TemporaryFolder folder;
    const auto warning = [&](const std::string& pipeline, const std::string& grid) {
        const auto run = test::runEcholux(
            {"render", test::bundledCine(), "-o", (folder / (pipeline + grid + ".npy")).string(),
             "--backend", "cpu", "--pipeline", pipeline, "--grid", grid});
        EXPECT_EQ(run.status, 0) << run.err;
        return run.err;
    };
    const std::string coarse = "-2:2:5,10:20:101"; // 0.1 mm; a wavelength is 0.308 mm
    EXPECT_THAT(warning("rf_sum", coarse),
                testing::AllOf(testing::HasSubstr("warning"), testing::HasSubstr("rows of 0.1 mm"),
                               testing::HasSubstr("coarse"),
                               testing::HasSubstr("pixel_depth to 0.038 mm")));
    EXPECT_EQ(warning("rf_sum", "-2:2:5,10:11:27"), "");
    EXPECT_EQ(warning("rf", coarse), "");
}

} // namespace
} // namespace echolux
