// SPDX-License-Identifier: GPL-3.0-or-later
// Clutter filters against NumPy, SciPy, PyMUST and closed forms.
#include "tests/gpu/continued_filter.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

TEST(ClutterFilter, KeepsTheSingularValuesThatNumpyKeeps) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    const HostFrame kept = runStage(
        "clutter_filter", ensemble,
        {{"method", std::string("svd")}, {"first", std::int64_t{2}}, {"last", std::int64_t{5}}});
    expectClose(kept, vectors["svd_2_to_5"], 5e-4);
    EXPECT_TRUE(kept.spec.sameLayout(ensemble.spec));
    const HostFrame all = runStage("clutter_filter", ensemble,
                                   {{"method", std::string("svd")}, {"first", std::int64_t{1}}});
    expectClose(all, vectors["ensemble"], 5e-5);
}

TEST(ClutterFilter, SubtractsThePolynomialThatNumpyFits) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble, {{"order", std::int64_t{2}}}),
                vectors["without_order_2"], 1e-4);
}

TEST(ClutterFilter, SubtractsTheCosinesThatPymustSubtracts) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble,
                         {{"method", std::string("cosines")}, {"components", std::int64_t{3}}}),
                vectors["without_3_cosines"], 1e-5);
}

TEST(ClutterFilter, HighPassFiltersBeginFromTheStateOfLeastEnergy) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble, highPass("butterworth", 3, 0.05)),
                vectors["butterworth_3"], 1e-4);
    expectClose(runStage("clutter_filter", ensemble, highPass("fir", 4, 0.05)), vectors["fir_4"],
                1e-4);
    // An odd order is the next even one.
    expectClose(runStage("clutter_filter", ensemble, highPass("fir", 3, 0.05)), vectors["fir_4"],
                1e-4);
}

TEST(ClutterFilter, AHighPassGoesOnFromEnsembleToEnsemble) { expectContinued(Backend::Cpu); }

TEST(ClutterFilter, AHighPassDoesNotGoOnFromWindowsThatOverlap) {
    FrameSpec slid = ensembleSpec(9, 7, 6);
    slid.slides = true;
    const StageType& type = stageType("clutter_filter");
    EXPECT_THAT(
        refusal([&] { type.plan(slid, paramsFor(type, slid, continuedHighPass("fir", 4))); }),
        HasSubstr("in place of gather"));
}

TEST(ClutterFilter, AHighPassPassesWhatMovesFasterThanItsCutOff) {
    const FrameSpec spec = ensembleSpec(64, 1, 1);
    const double perRadian = 1500.0 * 3000.0 / (4.0 * std::numbers::pi * 4e6);
    const auto energyLeft = [&](double velocityMps) {
        HostFrame tone(spec);
        auto* samples = reinterpret_cast<std::complex<float>*>(tone.bytes.data());
        for (int f = 0; f < 64; ++f)
            samples[f] = std::polar(1.0F, static_cast<float>(f * velocityMps / perRadian));
        double sum = 0.0;
        const HostFrame left = runStage("clutter_filter", tone, highPass("butterworth", 4, 0.05));
        for (const float value : left.as<float>()) sum += double{value} * value;
        return sum / 64.0;
    };
    EXPECT_LT(energyLeft(0.0), 1e-6);
    EXPECT_LT(energyLeft(0.01), 1e-3);
    // -3 dB at the cut-off; the projection takes 4 of 64 frames besides.
    EXPECT_NEAR(energyLeft(0.05), 0.5, 0.15);
    EXPECT_GT(energyLeft(0.15), 0.95);
    EXPECT_GT(energyLeft(-0.15), 0.95);
}

TEST(ClutterFilter, RefusesCutOffsThatMeanNothing) {
    const StageType& type = stageType("clutter_filter");
    const FrameSpec known = ensembleSpec(9, 2, 2);
    const double most = 1500.0 * 3000.0 / (4.0 * 4e6);
    EXPECT_THAT(
        refusal([&] { type.plan(known, paramsFor(type, known, highPass("fir", 2, 1.01 * most))); }),
        HasSubstr("'cutoff' is 0.284"));
    const FrameSpec unknown = ensembleSpec(9, 2, 2, 0.0);
    EXPECT_THAT(
        refusal([&] { type.plan(unknown, paramsFor(type, unknown, highPass("fir", 2, 0.01))); }),
        HasSubstr("signal.frame_rate"));
}

TEST(ClutterFilter, EachPolynomialUpToItsOrderVanishes) {
    const FrameSpec spec = ensembleSpec(16, 3, 5);
    for (int degree = 0; degree <= 4; ++degree) {
        HostFrame frame(spec);
        auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
        for (std::size_t i = 0; i < 16 * 15; ++i) {
            const double t = static_cast<double>(i / 15) / 15.0 - 0.5;
            samples[i] = {static_cast<float>(1.0 + i % 15 + std::pow(t, degree)),
                          static_cast<float>(std::pow(t, degree))};
        }
        for (int order = 0; order <= 4; ++order) {
            const HostFrame rest =
                runStage("clutter_filter", frame, {{"order", std::int64_t{order}}});
            const float most = std::ranges::max(rest.as<float>());
            if (order >= degree)
                EXPECT_LT(most, 1e-5) << degree << " " << order;
            else
                EXPECT_GT(most, 1e-3) << degree << " " << order;
        }
    }
}

TEST(ClutterFilter, SingularVectorsOfLargeEnsemblesAreOrthogonal) {
    // With all values but the first the part of rank one is gone, and the rest is unchanged.
    const std::int64_t frames = 64;
    const FrameSpec spec = ensembleSpec(frames, 20, 20);
    HostFrame frame(spec);
    const std::vector<float> noisy = noise(frame.bytes.size() / sizeof(float), 3);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const std::size_t pixels = 400;
    for (std::size_t i = 0; i < pixels * static_cast<std::size_t>(frames); ++i) {
        const auto f = static_cast<float>(i / pixels);
        const auto common = std::polar(2.0F * (1.0F + static_cast<float>(i % pixels)), 0.3F * f);
        samples[i] = common + std::complex<float>(noisy[2 * i], noisy[2 * i + 1]);
    }
    const HostFrame rest = runStage("clutter_filter", frame, {{"method", std::string("svd")}});
    const auto values = rest.as<float>();
    double square = 0.0;
    double expected = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        square += double{values[i]} * values[i];
        expected += double{noisy[i]} * noisy[i];
    }
    // One of 64 directions is taken from the noise, too. The tissue is 60 dB stronger.
    EXPECT_NEAR(std::sqrt(square / expected), std::sqrt(63.0 / 64.0), 0.005);
}

/// `frames` frames with the singular values of their number: each frame has a pixel of its own.
HostFrame diagonal(int frames) {
    const FrameSpec spec = ensembleSpec(frames, frames, 1);
    HostFrame frame(spec);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    for (int f = 0; f < frames; ++f) samples[f * frames + f] = std::pow(2.0F, 0.0F - f);
    return frame;
}

TEST(ClutterFilter, ManyFramesLoseTheirStrongestPartsAsInNumpy) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(140, 10, 6), vectors["many"]);
    const auto kept = [&](std::int64_t first, std::int64_t last) {
        return runStage("clutter_filter", ensemble,
                        {{"method", std::string("svd")}, {"first", first}, {"last", last}});
    };
    // The parts that are removed are 80 dB stronger than what is left.
    expectClose(kept(4, 1024), vectors["many_without_3"], 0.05);
    expectClose(kept(2, 2), vectors["many_second"], 1e-4);
    expectClose(kept(1, 1024), vectors["many"], 0.0);
}

TEST(ClutterFilter, TheStrongestPartsOfFewFramesAreRemovedOneByOne) {
    for (const std::int64_t removed : {1, 3, 9}) {
        const HostFrame rest = runStage("clutter_filter", diagonal(12),
                                        {{"method", std::string("svd")}, {"first", removed + 1}});
        const auto values = rest.as<float>();
        for (std::size_t f = 0; f < 12; ++f)
            EXPECT_NEAR(values[2 * (13 * f)],
                        f < static_cast<std::size_t>(removed) ? 0.0F : std::pow(2.0F, -1.0F * f),
                        1e-3F * std::pow(2.0F, -1.0F * static_cast<float>(f)))
                << removed << " removed, frame " << f;
    }
}

TEST(ClutterFilter, FramesThatAreAllAlikeVanish) {
    for (const float value : {0.0F, 3.0F}) {
        const FrameSpec spec = ensembleSpec(8, 3, 3);
        const HostFrame rest =
            runStage("clutter_filter", filled(spec, std::vector<float>(144, value)),
                     {{"method", std::string("svd")}, {"first", std::int64_t{4}}});
        for (const float left : rest.as<float>()) ASSERT_NEAR(left, 0.0F, 1e-5F);
    }
}

TEST(ClutterFilter, SaysWhereNothingIsLeft) {
    const FrameSpec spec = ensembleSpec(4, 3, 3);
    const StageType& type = stageType("clutter_filter");
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, {{"order", std::int64_t{3}}})).warnings,
                testing::ElementsAre(HasSubstr("'order'")));
    EXPECT_THAT(
        type.plan(spec, paramsFor(type, spec,
                                  {{"method", std::string("svd")}, {"first", std::int64_t{5}}}))
            .warnings,
        testing::ElementsAre(HasSubstr("'first' = 5")));
    const HostFrame nothing =
        runStage("clutter_filter", filled(spec, std::vector<float>(72, 1.0F)),
                 {{"method", std::string("svd")}, {"first", std::int64_t{5}}});
    EXPECT_EQ(std::ranges::max(nothing.as<float>()), 0.0F);
}

} // namespace
} // namespace echolux::test
