// SPDX-License-Identifier: GPL-3.0-or-later
// Thresholds of singular values that are found in the ensemble, against NumPy.
#include "tests/gpu/flow_frames.hpp"
#include "tests/gpu/singular_run.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr int kFrames = 21;

FrameSpec spec(double intervalS = kFlowIntervalS) {
    return ensembleSpec(kFrames, 18, 15, intervalS);
}

Settings svd(const std::string& thresholds, Settings others = {}) {
    Settings all{{"method", std::string("svd")}, {"thresholds", thresholds}};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

TEST(SingularParts, ValuesAndMeanFrequenciesAreThoseOfNumpy) {
    const Vectors vectors("gpu/vectors/singular.txt");
    const FoundParts found = findParts(Backend::Cpu, filled(spec(), vectors["ensemble"]),
                                       {.by = flow::ChosenBy::Number, .range = {3, 8}});
    const auto& values = vectors["values"];
    const auto& radians = vectors["radians"];
    ASSERT_EQ(found.values.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        // Single precision of the Gram matrix shows 50 dB below the largest value.
        EXPECT_NEAR(found.values[k].value / values[k], 1.0F, k < 6 ? 1e-3F : 0.02F) << k;
    }
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_NEAR(found.values[k].radians, radians[k], 0.01F) << k;
    EXPECT_EQ(found.range.first, 3);
    EXPECT_EQ(found.range.end, 8);
}

TEST(SingularParts, AutomaticThresholdsAreTheTwoSquaresThatNumpyFits) {
    const Vectors vectors("gpu/vectors/singular.txt");
    const HostFrame ensemble = filled(spec(), vectors["ensemble"]);
    const FoundParts found = findParts(Backend::Cpu, ensemble, {.by = flow::ChosenBy::Similarity});
    EXPECT_EQ(found.range.first, static_cast<int>(vectors["automatic"][0]));
    EXPECT_EQ(found.range.end, static_cast<int>(vectors["automatic"][1]));
    expectClose(runStage("clutter_filter", ensemble, svd("automatic")), vectors["kept"], 0.01);
}

TEST(SingularParts, LimitsAreFrequencyAndLevel) {
    const Vectors vectors("gpu/vectors/singular.txt");
    const HostFrame ensemble = filled(spec(), vectors["ensemble"]);
    const double cutHz = 0.3 / (2.0 * std::numbers::pi * kFlowIntervalS);
    const auto range = vectors["limits"];
    const FoundParts found =
        findParts(Backend::Cpu, ensemble,
                  {.by = flow::ChosenBy::Limits,
                   .leastRadians = 0.3F,
                   .leastRatio = static_cast<float>(std::pow(10.0, -51.5 / 20.0))});
    EXPECT_EQ(found.range.first, static_cast<int>(range[0]));
    EXPECT_EQ(found.range.end, static_cast<int>(range[1]));
    expectClose(runStage("clutter_filter", ensemble,
                         svd("limits", {{"cut_hz", cutHz}, {"floor_db", 51.5}})),
                vectors["kept_by_limits"], 0.01);
}

TEST(SingularParts, AToneHasItsFrequencyWithItsSign) {
    for (const float turn : {-1.1F, 0.4F}) {
        HostFrame tone(ensembleSpec(8, 3, 2));
        auto* samples = reinterpret_cast<std::complex<float>*>(tone.bytes.data());
        for (std::size_t i = 0; i < 48; ++i)
            samples[i] =
                std::polar(1.0F + static_cast<float>(i % 6), turn * static_cast<float>(i / 6));
        const FoundParts found = findParts(Backend::Cpu, tone, {});
        EXPECT_NEAR(found.values[0].radians, turn, 1e-4F);
        // The root of the energy: 8 frames of 1 + 4 + 9 + 16 + 25 + 36.
        EXPECT_NEAR(found.values[0].value, std::sqrt(8.0F * 91.0F), 1e-3F);
        EXPECT_NEAR(found.values[1].value, 0.0F, 1e-2F);
    }
}

/// An axis of frames also where there is one frame.
FrameSpec framesOf(int count) {
    FrameSpec made = ensembleSpec(2, 3, 3);
    made.axes.front().size = count;
    return made;
}

TEST(SingularParts, FewFramesAndConstantDataGiveARange) {
    for (const int frames : {1, 2, 3, 8}) {
        const FrameSpec all = framesOf(frames);
        for (const float value : {0.0F, 2.0F}) {
            const HostFrame constant =
                filled(all, std::vector<float>(static_cast<std::size_t>(frames) * 18, value));
            const FoundParts found =
                findParts(Backend::Cpu, constant, {.by = flow::ChosenBy::Similarity});
            EXPECT_GE(found.range.first, frames > 1 ? 1 : 0);
            EXPECT_LE(found.range.end, frames);
            const HostFrame left = runStage("clutter_filter", constant, svd("automatic"));
            for (const float each : left.as<float>()) ASSERT_NEAR(each, 0.0F, 1e-5F) << frames;
        }
    }
}

TEST(SingularParts, SaysWhatItCannotDo) {
    const StageType& type = stageType("clutter_filter");
    const auto warnings = [&](const FrameSpec& input, const Settings& settings) {
        return type.plan(input, paramsFor(type, input, settings)).warnings;
    };
    EXPECT_THAT(warnings(framesOf(1), svd("automatic")),
                testing::ElementsAre(HasSubstr("'ensemble'")));
    EXPECT_THAT(warnings(spec(0.0), svd("limits")),
                testing::ElementsAre(HasSubstr("signal.frame_rate")));
    EXPECT_THAT(warnings(spec(), svd("limits", {{"cut_hz", 1600.0}})),
                testing::ElementsAre(HasSubstr("'cut_hz' is 1600 Hz")));
    EXPECT_THAT(warnings(spec(), svd("limits", {{"cut_hz", 1400.0}})), testing::IsEmpty());
}

} // namespace
} // namespace echolux::test
