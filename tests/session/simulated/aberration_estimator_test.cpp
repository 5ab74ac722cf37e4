// SPDX-License-Identifier: GPL-3.0-or-later
// What an estimate is told by the pipeline, what it makes of a frame, and the width of points.
#include "app/session/aberration_estimator.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/aberration/estimator.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using ::testing::HasSubstr;

struct Recorded {
    explicit Recorded(const char* file)
        : recording(openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + file)),
          bytes(recording->info().frame.bytes()) {
        recording->readFrame(0, bytes);
    }
    const FrameSpec& raw() const { return recording->info().frame; }
    SnapshotPtr planned() const { return instantiate(shippedPipeline("aberration"), raw()); }
    std::unique_ptr<Recording> recording;
    std::vector<std::byte> bytes;
};

constexpr const char* kPhantom = "phantom_cine.echolux.h5";

/// For tests that estimate many times.
SnapshotPtr withFewPoints(const SnapshotPtr& from) {
    return withValue(*from, "aberration", "points", std::int64_t{128});
}

TEST(AberrationChain, EndsBeforeTheStageAndTakesItsValues) {
    const Recorded phantom(kPhantom);
    const SnapshotPtr snapshot = withValue(*phantom.planned(), "aberration", "region_width", 7e-3);
    const AberrationChain chain = aberrationChain(*snapshot);
    ASSERT_FALSE(chain.config.stages.empty());
    EXPECT_EQ(chain.config.stages.back().type, "analytic");
    EXPECT_EQ(chain.stage, "aberration");
    EXPECT_EQ(chain.focus.widthM, 7e-3);
    const auto key = [&](const char* stage, const char* of, const ParamValue& value) {
        return aberrationChain(*withValue(*snapshot, stage, of, value)).key;
    };
    EXPECT_NE(key("aberration", "region_width", 6e-3), chain.key);
    EXPECT_NE(key("bandpass", "low", 1e6), chain.key);
    EXPECT_EQ(key("aberration_correction", "strength", 0.0), chain.key) << "comes after it";
}

TEST(AberrationChain, IsOfOnePatch) {
    const Recorded phantom(kPhantom);
    PipelineConfig config = shippedPipeline("aberration");
    const auto type = [&](const char* id) {
        return std::ranges::find(config.stages, id, &StageConfig::type);
    };
    type("aberration")->values.emplace_back("patches", std::int64_t{3});
    config.stages.insert(type("envelope"), {.id = "patch_blend", .type = "patch_blend"});
    const SnapshotPtr snapshot = instantiate(config, phantom.raw());
    const AberrationChain left = aberrationChain(*snapshot, 0);
    const AberrationChain right = aberrationChain(*snapshot, 9);
    EXPECT_EQ(left.patches, 3);
    EXPECT_NEAR(right.focus.lateralM - left.focus.lateralM, 2.0 * left.focus.widthM, 1e-9)
        << "the last one where there are fewer";
    EXPECT_NE(left.key, right.key);
}

TEST(AberrationChain, ClosesTheLoopOnTransmitItself) {
    const Recorded phantom(kPhantom);
    FrameSpec raw = phantom.raw();
    auto fired = std::make_shared<Acquisition>(*raw.acquisition);
    for (std::size_t i = 0; i < fired->transmits.size(); ++i) {
        fired->transmits[i].wave = Wave::Element;
        fired->transmits[i].source = fired->probe.elements[20 + 10 * i];
    }
    raw.acquisition = fired;
    const SnapshotPtr snapshot = instantiate(shippedPipeline("aberration_transmit"), raw);
    const AberrationChain chain = aberrationChain(*snapshot);
    ASSERT_EQ(chain.config.stages.back().type, "aberration");
    ASSERT_EQ(chain.config.links.size(), 1U);
    EXPECT_EQ(chain.config.links.front().to.stage, "transmit_synthesis");
    EXPECT_TRUE(chain.config.links.front().ofFrameBefore);
    AberrationEstimator estimator;
    estimator.prepare(chain);
    estimator.take(phantom.bytes.data());
    const auto first = estimator.look().estimate.filter.delayS;
    EXPECT_EQ(first.size(), fired->probe.elements.size());
    EXPECT_EQ(estimator.look().estimate.filter.delayS.size(), first.size()) << "once more";
}

TEST(AberrationChain, KnowsTheScreensThatStagesPutBeforeTheArray) {
    const Recorded phantom(kPhantom);
    const SnapshotPtr snapshot = instantiate(shippedPipeline("aberration_trial"), phantom.raw());
    const AberrationChain chain = aberrationChain(*snapshot);
    ASSERT_TRUE(chain.screens);
    EXPECT_EQ(chain.config.stages[1].type, "aberrating_screen") << "it passes its screen";
    EXPECT_EQ(*knownScreen(chain.screens, nullptr), *chain.screens);
    AberrationTruth recorded;
    recorded.delayS.assign(chain.screens->delayS.size(), 1e-9);
    const AberrationTruth both = *knownScreen(chain.screens, &recorded);
    EXPECT_DOUBLE_EQ(both.delayS[5], chain.screens->delayS[5] + 1e-9);
    EXPECT_EQ(both.amplitude, chain.screens->amplitude);
    EXPECT_FALSE(aberrationChain(*withBypass(*snapshot, "aberrating_screen", true)).screens);
    EXPECT_EQ(*knownScreen(aberrationChain(*phantom.planned()).screens, &recorded), recorded);
    EXPECT_FALSE(knownScreen(aberrationChain(*phantom.planned()).screens, nullptr));
}

/// The screen is found although nothing of the phantom is known.
TEST(AberrationEstimator, FindsAScreenThatWasPutBeforeTheArray) {
    const Recorded phantom(kPhantom);
    const SnapshotPtr snapshot = instantiate(shippedPipeline("aberration_trial"), phantom.raw());
    const AberrationChain chain = aberrationChain(*snapshot);
    AberrationEstimator estimator;
    estimator.prepare(chain);
    estimator.take(phantom.bytes.data());
    const AberrationLook look = estimator.look();
    std::vector<double> rest = look.estimate.filter.delayS;
    for (std::size_t e = 0; e < rest.size(); ++e) rest[e] -= chain.screens->delayS[e];
    EXPECT_LT(aberration::rootMeanSquare(aberration::withoutPistonAndTilt(look.grid, rest)), 15e-9)
        << "of 50 ns";
}

/// What is looked at is what the image was corrected by, made some frames before from a warm start.
TEST(AberrationEstimator, LooksAtWhatTheStageFound) {
    const Recorded phantom(kPhantom);
    PipelineConfig config = shippedPipeline("aberration_trial");
    config.views = {{"delays", "", {"out", "aberration"}}};
    const SnapshotPtr snapshot = withFewPoints(instantiate(config, phantom.raw()));
    Runner runner(Backend::Cpu, 1);
    EXPECT_TRUE(runner.stateOf("aberration").empty()) << "before all";
    runner.apply(snapshot);
    EXPECT_TRUE(runner.stateOf("aberration").empty()) << "before the first frame";
    AberrationEstimator estimator;
    estimator.prepare(aberrationChain(*snapshot));
    std::vector<std::byte> frame(phantom.bytes.size());
    for (const std::int64_t i : {0, 1, 2, 3, 4, 5, 6}) {
        phantom.recording->readFrame(i, frame);
        const int slot = runner.enqueue({.raw = frame.data(), .turn = Turn::Next, .frame = i});
        const float* const delays = runner.viewOutput(slot, 0).as<float>();
        estimator.take(frame.data(), runner.stateOf("aberration"));
        const aberration::Estimate shown = estimator.look().estimate;
        EXPECT_EQ(shown.age, i % 4);
        ASSERT_TRUE(shown.valid);
        EXPECT_FALSE(shown.steps.empty());
        for (std::size_t e = 0; e < shown.filter.delayS.size(); ++e)
            EXPECT_EQ(shown.filter.delayS[e], delays[e]) << "frame " << i << ", element " << e;
    }
    EXPECT_TRUE(runner.stateOf("analytic").empty()) << "it leaves nothing";
    EXPECT_TRUE(runner.stateOf("nobody").empty());
    runner.reset();
    EXPECT_TRUE(runner.stateOf("aberration").empty()) << "after a seek";
}

TEST(AberrationStage, EstimatesEverySoManyFramesAndWhereAnythingBeforeItWasEdited) {
    const Recorded phantom(kPhantom);
    PipelineConfig config = shippedPipeline("aberration_trial");
    config.views = {{"figures", "", {"figures", "aberration"}}};
    const SnapshotPtr snapshot = withFewPoints(instantiate(config, phantom.raw()));
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    const auto ageOf = [&](std::int64_t frame, Turn turn) {
        const int slot =
            runner.enqueue({.raw = phantom.bytes.data(), .turn = turn, .frame = frame});
        return runner.viewOutput(slot, 0)
            .as<float>()[static_cast<std::size_t>(aberration::Figure::Age)];
    };
    for (const std::int64_t frame : {0, 1, 2, 3, 4, 5})
        EXPECT_EQ(ageOf(frame, Turn::Next), static_cast<float>(frame % 4));
    runner.apply(withValue(*snapshot, "aberrating_screen", "seed", std::int64_t{2}));
    EXPECT_EQ(ageOf(5, Turn::Again), 0.0F);
    EXPECT_EQ(ageOf(6, Turn::Next), 1.0F);
}

TEST(AberrationChain, SaysWhyThereIsNone) {
    const Recorded phantom(kPhantom);
    const auto whyNot = [](const Snapshot& snapshot) {
        return testing_support::refusal([&] { aberrationChain(snapshot); });
    };
    EXPECT_THAT(whyNot(*imagingSnapshot(phantom.raw(), std::nullopt)),
                HasSubstr("estimates no aberration"));
    const Recorded retina("retina_cine.echolux.h5");
    EXPECT_THAT(whyNot(*imagingSnapshot(retina.raw(), std::nullopt)),
                HasSubstr("Spectra of light"));
}

TEST(AberrationEstimator, LooksAtAFrameInEveryDetail) {
    const Recorded phantom(kPhantom);
    const AberrationChain chain = aberrationChain(*phantom.planned());
    AberrationEstimator estimator;
    estimator.prepare(chain);
    estimator.take(phantom.bytes.data());
    const AberrationLook look = estimator.look();
    const std::size_t elements = look.grid.elements();
    EXPECT_EQ(look.estimate.filter.delayS.size(), elements);
    EXPECT_EQ(look.binsHz.size(), static_cast<std::size_t>(chain.focus.bins));
    EXPECT_FALSE(look.estimate.steps.empty());
    EXPECT_EQ(look.focused.channels, static_cast<std::int64_t>(elements));
    EXPECT_EQ(look.focused.before.size(), elements * static_cast<std::size_t>(look.focused.rows));
    const auto inBand = [&](std::size_t i) {
        return std::abs(look.spectrum.frequencyHz[i] - phantom.raw().centreFrequencyHz) <
               0.5 * phantom.raw().centreFrequencyHz;
    };
    std::size_t strongest = 0;
    for (std::size_t i = 0; i < look.spectrum.power.size(); ++i)
        if (look.spectrum.power[i] > look.spectrum.power[strongest]) strongest = i;
    EXPECT_TRUE(inBand(strongest)) << look.spectrum.frequencyHz[strongest];
    EXPECT_NEAR(look.estimate.focusAfter, look.estimate.focusBefore,
                0.1 * look.estimate.focusBefore)
        << "no screen, nothing to gain";
    estimator.prepare(chain);
    estimator.take(phantom.bytes.data());
    EXPECT_EQ(estimator.look().estimate.filter.delayS, look.estimate.filter.delayS);
}

TEST(AberrationEstimator, TimesThePartsOfEveryMethod) {
    const Recorded phantom(kPhantom);
    AberrationChain chain = aberrationChain(*phantom.planned());
    for (const aberration::Method method :
         {aberration::Method::LeastSquares, aberration::Method::BeamSum,
          aberration::Method::Conjugate}) {
        chain.solve = aberration::usualFor(method);
        AberrationEstimator estimator;
        estimator.prepare(chain);
        estimator.take(phantom.bytes.data());
        estimator.look();
        const EstimateParts parts = estimator.parts(Backend::Cpu);
        for (const double ms : {parts.focusMs, parts.sumsMs, parts.solutionMs, parts.endMs})
            EXPECT_GT(ms, 0.0) << static_cast<int>(method);
    }
}

TEST(HalfWidth, OfAGaussianIsItsFullWidthAtHalfAmplitude) {
    std::vector<double> powers;
    constexpr double kSigma = 5.0; // of the amplitude, in steps
    for (int i = 0; i < 80; ++i) powers.push_back(std::exp(-std::pow((i - 37.3) / kSigma, 2.0)));
    ASSERT_TRUE(halfWidth(powers, 40));
    EXPECT_NEAR(*halfWidth(powers, 40), 2.0 * kSigma * std::sqrt(2.0 * std::log(2.0)), 0.1);
}

TEST(HalfWidth, TakesInTheLobesOfASplitPoint) {
    const std::vector<double> powers{0.0, 0.0, 0.4, 0.0, 0.0, 1.0, 0.0,
                                     0.0, 0.3, 0.0, 0.0, 0.9, 0.0};
    ASSERT_TRUE(halfWidth(powers, 4));
    EXPECT_NEAR(*halfWidth(powers, 4), 3.0 + 0.375 + 3.0 + 1.0 / 6.0, 1e-9);
    EXPECT_NEAR(*halfWidth(powers, 2), 1.5, 1e-9) << "the lobes lie farther";
    EXPECT_FALSE(halfWidth(powers, 3)) << "where it ends it goes on";
}

TEST(HalfWidth, IsNoneWhereASideDoesNotFall) {
    EXPECT_FALSE(halfWidth({}, 9));
    EXPECT_FALSE(halfWidth({0.0, 0.0, 0.0}, 9));
    EXPECT_FALSE(halfWidth({1.0, 0.9, 0.1}, 9));
    EXPECT_FALSE(halfWidth({0.1, 0.9, 1.0}, 9));
    EXPECT_TRUE(halfWidth({0.1, 0.9, 1.0, 0.2}, 9));
}

} // namespace
} // namespace echolux
