// SPDX-License-Identifier: GPL-3.0-or-later
// The search on surfaces whose top is known, and through the pipeline's stages on simulated
// spectra.
#include "app/calibration/dispersion_search.hpp"

#include "app/calibration/sharpness.hpp"
#include "app/dataset/recording.hpp"
#include "app/source/oct_simulator.hpp"
#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace echolux {

namespace {

using testing::HasSubstr;
using testing::Pointwise;

template <class Act> std::string refusal(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

/// Sharpest where the phase left over at five places of the spectrum is a straight line.
double bell(const DispersionTerms& terms, const DispersionTerms& truth) {
    const auto phase = [](const DispersionTerms& c, double q) {
        const double x = -q / 2.0;
        return x * x * (c[0] + x * (c[1] + x * c[2]));
    };
    double sum = 0.0;
    for (const double q : {0.2, 0.35, 0.5, 0.65, 0.8})
        sum += phase(terms, q) - phase(truth, q) == 0.0
                   ? 0.0
                   : std::pow(phase(terms, q) - phase(truth, q) -
                                  (q - 0.2) / 0.6 * (phase(terms, 0.8) - phase(truth, 0.8)) -
                                  (0.8 - q) / 0.6 * (phase(terms, 0.2) - phase(truth, 0.2)),
                              2.0);
    return 1.0 / (1.0 + sum);
}

TEST(DispersionSearch, findsTheTopOfASmoothSurface) {
    for (const DispersionTerms truth :
         {DispersionTerms{400.0, 320.0, 0.0}, DispersionTerms{-700.0, -250.0, 0.0},
          DispersionTerms{0.0, 0.0, 0.0}}) {
        const DispersionFound found = searchDispersion(
            [&](const DispersionTerms& terms) { return bell(terms, truth); }, {}, nullptr);
        EXPECT_THAT(found.terms, Pointwise(testing::DoubleNear(3.0), truth));
        EXPECT_NEAR(found.sharpness, 1.0, 1e-3);
        EXPECT_NEAR(found.sharpnessWithout, bell({}, truth), 1e-12);
        EXPECT_FALSE(found.stopped);
        EXPECT_LT(found.trials, 600);
    }
}

TEST(DispersionSearch, findsTheFourthPowerTooWhereAsked) {
    const DispersionTerms truth{300.0, 200.0, 400.0};
    const DispersionFound found =
        searchDispersion([&](const DispersionTerms& terms) { return bell(terms, truth); },
                         {.quartic = true}, nullptr);
    EXPECT_GT(found.sharpness, 0.999);
    EXPECT_NE(found.terms[2], 0.0);
}

TEST(DispersionSearch, reportsEachTrialAndStopsWhenTold) {
    const DispersionTerms truth{400.0, 320.0, 0.0};
    std::int64_t seen = 0;
    double best = -1.0;
    double progress = 0.0;
    const DispersionFound found =
        searchDispersion([&](const DispersionTerms& terms) { return bell(terms, truth); }, {},
                         [&](const DispersionTrial& trial) {
                             EXPECT_EQ(trial.number, ++seen);
                             EXPECT_EQ(trial.sharpness, bell(trial.terms, truth));
                             EXPECT_GE(trial.bestSharpness, best);
                             EXPECT_GE(trial.progress, progress);
                             best = trial.bestSharpness;
                             progress = trial.progress;
                             return seen < 50;
                         });
    EXPECT_TRUE(found.stopped);
    EXPECT_EQ(seen, 50);
    EXPECT_EQ(found.trials, 50);
    EXPECT_EQ(found.sharpness, best);
}

TEST(DispersionSearch, staysWithinTheLargestTerms) {
    (void)searchDispersion(
        [](const DispersionTerms& terms) {
            EXPECT_LE(std::abs(terms[0]), 300.0);
            EXPECT_LE(std::abs(terms[1]), 200.0);
            return bell(terms, {900.0, 900.0, 0.0});
        },
        {.largest = {300.0, 200.0, 100.0}}, nullptr);
}

TEST(DispersionSearch, endsAtTheSharpestTrial) {
    // Uneven as speckle makes it: between the grid's points the fitted top misses the best trial.
    for (const double rough : {0.0, 0.05, 0.3}) {
        double best = -1.0;
        const DispersionFound found = searchDispersion(
            [&](const DispersionTerms& terms) {
                const double uneven = std::sin(7.0 * terms[0] + 13.0 * terms[1]);
                const double sharpness = bell(terms, {400.0, 320.0, 0.0}) + rough * uneven;
                best = std::max(best, sharpness);
                return sharpness;
            },
            {}, nullptr);
        EXPECT_EQ(found.sharpness, best) << rough;
    }
}

TEST(DispersionSearch, tellsOfTermsNearTheirLimit) {
    const auto near = [](const DispersionTerms& terms) {
        return termsNearLimit({.terms = terms}, {.largest = {1000.0, 2000.0, 4000.0}});
    };
    EXPECT_THAT(near({940.0, -1890.0, 0.0}), testing::IsEmpty());
    EXPECT_THAT(near({-960.0, 0.0, 0.0}), testing::ElementsAre(0U));
    EXPECT_THAT(near({0.0, 1999.0, -4000.0}), testing::ElementsAre(1U, 2U));
    const DispersionSearchOptions tight{.largest = {200.0, 2000.0, 4000.0}};
    const DispersionFound found = searchDispersion(
        [](const DispersionTerms& terms) {
            return bell(terms, {900.0, 0.0, 0.0});
        },
        tight, nullptr);
    EXPECT_TRUE(std::isfinite(found.sharpness));
    EXPECT_THAT(termsNearLimit(found, tight), testing::Contains(0U));
}

OctSimulator simulated(const OctSetup& setup, const std::string& sample) {
    return {setup, makeOctSample({.name = sample,
                                  .widthM = static_cast<double>(setup.lines) * setup.linePitchM,
                                  .rangeM = setup.rangeM(),
                                  .startDepthM = 0.12 * setup.rangeM()})};
}

std::vector<std::byte> rendered(OctSimulator& simulator) {
    std::vector<std::byte> frame(simulator.frame().bytes());
    simulator.render(0, frame);
    return frame;
}

SnapshotPtr octChain(const FrameSpec& frame) { return instantiate(shippedPipeline("oct"), frame); }

DispersionFound findIn(OctSimulator& simulator, const ImageRegion& region = {},
                       const DispersionSearchOptions& options = {}) {
    SharpnessProbe probe(Backend::Cpu, *octChain(simulator.frame()), region,
                         SharpnessMetric::Contrast);
    probe.addFrame(rendered(simulator));
    return searchDispersion([&](const DispersionTerms& terms) { return probe(terms); }, options,
                            nullptr);
}

struct Case {
    const char* preset;
    const char* sample;
    std::int64_t lines;
    std::uint64_t seed;
    DispersionTerms terms{}; ///< all zero: the preset's own
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.preset << " " << c.sample << " " << c.lines << " lines, seed " << c.seed << ", c1 "
         << c.terms[0] << ", c2 " << c.terms[1];
}

class RecoveredTerms : public testing::TestWithParam<Case> {};

TEST_P(RecoveredTerms, withinFivePercent) {
    const Case& c = GetParam();
    OctSetup setup = octPreset(c.preset);
    setup.lines = c.lines;
    setup.seed = c.seed;
    if (c.terms != DispersionTerms{}) setup.dispersion = c.terms;
    OctSimulator simulator = simulated(setup, c.sample);
    const DispersionFound found = findIn(simulator);
    std::printf("c1 %.1f of %.0f, c2 %.1f of %.0f after %d trials, sharpness %.4f, without %.4f\n",
                found.terms[0], setup.dispersion[0], found.terms[1], setup.dispersion[1],
                static_cast<int>(found.trials), found.sharpness, found.sharpnessWithout);
    EXPECT_NEAR(found.terms[0] / setup.dispersion[0], 1.0, 0.05);
    EXPECT_NEAR(found.terms[1] / setup.dispersion[1], 1.0, 0.05);
    EXPECT_EQ(found.terms[2], 0.0);
    EXPECT_GT(found.sharpness, found.sharpnessWithout);
}

// The command's own defaults stand first. The strong terms need a2 beyond what c1 alone reaches.
INSTANTIATE_TEST_SUITE_P(
    DispersionSearch, RecoveredTerms,
    testing::Values(Case{"spectrometer", "retina", 256, 1}, Case{"spectrometer", "retina", 256, 2},
                    Case{"spectrometer", "retina", 96, 1}, Case{"spectrometer", "retina", 64, 3},
                    Case{"spectrometer", "skin", 96, 3}, Case{"spectrometer", "skin", 64, 2},
                    Case{"spectrometer", "layers", 64, 1}, Case{"spectrometer", "points", 64, 1},
                    Case{"swept_source", "skin", 256, 1}, Case{"swept_source", "skin", 128, 2},
                    Case{"swept_source", "retina", 128, 1}, Case{"swept_source", "layers", 96, 1},
                    Case{"swept_source", "points", 64, 3},
                    Case{"spectrometer", "retina", 96, 1, {900.0, -600.0, 0.0}},
                    Case{"spectrometer", "layers", 64, 1, {-500.0, 300.0, 0.0}},
                    Case{"swept_source", "skin", 128, 1, {900.0, -600.0, 0.0}}));

TEST(DispersionSearch, recoversTheTermsOfTheBundledRecordings) {
    for (const char* name : {"retina_cine", "retina_volume"}) {
        const auto recording =
            openRecording(std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + name + ".echolux.h5");
        const FrameSpec& raw = recording->info().frame;
        SharpnessProbe probe(Backend::Cpu, *octChain(raw), {}, SharpnessMetric::Contrast);
        std::vector<std::byte> frame(raw.bytes());
        for (std::int64_t i = 0; i < 6; ++i) {
            recording->readFrame(4 * i, frame);
            probe.addFrame(frame);
        }
        const DispersionFound found =
            searchDispersion([&](const DispersionTerms& terms) { return probe(terms); },
                             {.largest = probe.largestTerms()}, nullptr);
        std::printf("%s: c1 %.1f c2 %.1f\n", name, found.terms[0], found.terms[1]);
        EXPECT_NEAR(found.terms[0] / 400.0, 1.0, 0.05) << name;
        EXPECT_NEAR(found.terms[1] / 320.0, 1.0, 0.07) << name; // one place's speckle
    }
}

// The region lies on the image as the chain shows it, and moves with what the terms move: the
// answer does not depend on where the chain stands.
TEST(DispersionSearch, theRegionStaysOnTheSameTissue) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 96;
    OctSimulator simulator = simulated(setup, "layers");
    const std::vector<std::byte> frame = rendered(simulator);
    const SnapshotPtr shown = octChain(simulator.frame()); // the recorded phase at work
    const SnapshotPtr unsharp = withValue(*shown, "dispersion", "use_recorded", false);
    // What stands at bin z in one stands (100 - 30) / (2 pi) bins deeper in the other.
    const std::int64_t moved = 11;
    std::vector<DispersionFound> found;
    for (const auto& [chain, first] :
         {std::pair{shown, std::int64_t{80}}, std::pair{unsharp, std::int64_t{80} + moved}}) {
        SharpnessProbe probe(Backend::Cpu, *chain, {.firstBin = first, .lastBin = first + 150},
                             SharpnessMetric::Contrast);
        probe.addFrame(frame);
        found.push_back(searchDispersion([&](const DispersionTerms& terms) { return probe(terms); },
                                         {.largest = probe.largestTerms()}, nullptr));
    }
    for (const DispersionFound& one : found) {
        EXPECT_NEAR(one.terms[0] / 400.0, 1.0, 0.05);
        EXPECT_NEAR(one.terms[1] / 320.0, 1.0, 0.05);
    }
    EXPECT_NEAR(found[0].sharpness, found[1].sharpness, 0.02);
}

TEST(DispersionSearch, findsNothingWhereThereIsNone) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 96;
    setup.dispersion = {0.0, 0.0, 0.0};
    OctSimulator simulator = simulated(setup, "layers");
    const DispersionFound found = findIn(simulator, {.firstLine = 10, .lastLine = 80});
    EXPECT_NEAR(found.terms[0], 0.0, 20.0);
    EXPECT_NEAR(found.terms[1], 0.0, 20.0);
}

TEST(DispersionSearch, refusesAFrameWithoutASample) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 96;
    setup.visibility = 0.0;
    OctSimulator simulator = simulated(setup, "retina");
    EXPECT_THAT(refusal([&] { (void)findIn(simulator); }), HasSubstr("shows no structure"));
}

TEST(DispersionSearch, refinesFromGivenTerms) {
    const DispersionTerms truth{400.0, 320.0, 0.0};
    const DispersionFound found =
        searchDispersion([&](const DispersionTerms& terms) { return bell(terms, truth); },
                         {.start = DispersionTerms{395.0, 315.0, 0.0}}, nullptr);
    EXPECT_THAT(found.terms, Pointwise(testing::DoubleNear(3.0), truth));
    EXPECT_LT(found.trials, 150);
}

// c1, c2 and c3 may trade: what counts is the phase, but for a straight line.
TEST(DispersionSearch, findsAQuarticPhase) {
    for (const DispersionTerms truth :
         {DispersionTerms{300.0, 200.0, 800.0}, DispersionTerms{-200.0, 300.0, -600.0}}) {
        OctSetup setup = octPreset("spectrometer");
        setup.lines = 96;
        setup.dispersion = truth;
        OctSimulator simulator = simulated(setup, "layers");
        const DispersionFound found = findIn(simulator, {}, {.quartic = true});
        std::printf("c1 %.1f, c2 %.1f, c3 %.1f\n", found.terms[0], found.terms[1], found.terms[2]);
        for (std::size_t i = 0; i < truth.size(); ++i)
            EXPECT_NEAR(found.terms[i] / truth[i], 1.0, 0.1) << i;
    }
}

TEST(Sharpness, isThatOfItsFormula) {
    // Powers 1, 4, 0, 16 of 21.
    const std::vector<float> power{1.0F, 4.0F, 0.0F, 16.0F};
    const std::vector<float> share(2, 1.0F);
    const RegionPower image{2, power, share};
    const double a = 1.0 / 21.0;
    const double b = 4.0 / 21.0;
    const double c = 16.0 / 21.0;
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Entropy),
                a * std::log(a) + b * std::log(b) + c * std::log(c), 1e-12);
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Third),
                2.0 * (std::pow(a, 1.5) + std::pow(b, 1.5) + std::pow(c, 1.5)), 1e-12);
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Fourth), 4.0 * (a * a + b * b + c * c), 1e-12);
    // All pixels are near each other, so that the mean of all is the local one; 3 % more.
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Contrast), 4.0 * (a * a + b * b + c * c), 1e-6);
    for (const auto& [name, metric] : sharpnessMetrics()) EXPECT_EQ(sharpnessMetric(name), metric);
}

TEST(Sharpness, countsEachDepthByItsShare) {
    const std::vector<float> power{1.0F, 4.0F, 2.0F, 100.0F};
    const std::vector<float> share{1.0F, 0.0F};
    const std::vector<float> alone{1.0F, 2.0F};
    const std::vector<float> whole{1.0F};
    for (const SharpnessMetric metric :
         {SharpnessMetric::Entropy, SharpnessMetric::Third, SharpnessMetric::Fourth})
        EXPECT_NEAR(sharpness({2, power, share}, metric), sharpness({1, alone, whole}, metric),
                    1e-12);
}

// What makes the result independent of where a bright layer and where a faint one lies.
TEST(Sharpness, theContrastForgetsSlowChangesOfBrightness) {
    constexpr std::int64_t kDepths = 400;
    constexpr std::int64_t kLines = 40;
    std::vector<float> even;
    std::vector<float> uneven;
    const std::vector<float> share(kDepths, 1.0F);
    for (std::int64_t i = 0; i < kDepths * kLines; ++i) {
        const auto value = static_cast<float>(1.0 + std::sin(12.9898 * static_cast<double>(i * i)));
        even.push_back(value);
        uneven.push_back(value * static_cast<float>(i % kDepths < kDepths / 2 ? 9.0 : 1.0));
    }
    const RegionPower flat{kDepths, even, share};
    const RegionPower stepped{kDepths, uneven, share};
    EXPECT_NEAR(sharpness(stepped, SharpnessMetric::Contrast),
                sharpness(flat, SharpnessMetric::Contrast), 0.1);
    EXPECT_GT(sharpness(stepped, SharpnessMetric::Fourth),
              sharpness(flat, SharpnessMetric::Fourth) + 0.5);
}

TEST(Sharpness, refusesBadInputInOneSentence) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 8;
    setup.samples = 128;
    OctSimulator simulator = simulated(setup, "points");
    const SnapshotPtr chain = octChain(simulator.frame());
    const auto probed = [&](const ImageRegion& region, std::span<const std::byte> frame) {
        return refusal([&] {
            SharpnessProbe probe(Backend::Cpu, *chain, region, SharpnessMetric::Contrast);
            probe.addFrame(frame);
            (void)probe({});
        });
    };
    const std::vector<std::byte> frame = rendered(simulator);
    EXPECT_EQ(probed({}, frame), "accepted");
    EXPECT_THAT(probed({.firstLine = 3, .lastLine = 9}, frame), HasSubstr("lines 3 to 9"));
    EXPECT_THAT(probed({.firstBin = 20, .lastBin = 65}, frame), HasSubstr("depth bins 20 to 65"));
    EXPECT_THAT(probed({.firstBin = 30, .lastBin = 20}, frame), HasSubstr("depth bins 30 to 20"));
    EXPECT_THAT(probed({.firstLine = -1}, frame), HasSubstr("lines -1 to 8"));
    EXPECT_THAT(probed({}, std::span(frame).first(100)), HasSubstr("100 bytes"));
    EXPECT_THAT(refusal([] { (void)sharpnessMetric("beauty"); }), HasSubstr("'beauty'"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> numbers{1.0F, nan};
    const std::vector<float> zeros(2);
    const std::vector<float> share(1, 1.0F);
    const RegionPower bad{1, numbers, share};
    const RegionPower dark{1, zeros, share};
    for (const auto& [name, metric] : sharpnessMetrics()) {
        const SharpnessMetric kind = metric;
        EXPECT_THAT(refusal([&] { (void)sharpness(bad, kind); }), HasSubstr("not numbers")) << name;
        EXPECT_THAT(refusal([&] { (void)sharpness(dark, kind); }), HasSubstr("dark"));
    }
    PipelineConfig flat = shippedPipeline("oct");
    std::erase_if(flat.stages, [](const StageConfig& s) { return s.type == "dispersion"; });
    EXPECT_THAT(refusal([&] {
                    (void)SharpnessProbe(Backend::Cpu, *instantiate(flat, simulator.frame()), {},
                                         SharpnessMetric::Contrast);
                }),
                HasSubstr("no stage 'dispersion'"));
}

TEST(Sharpness, constantSpectraAreDark) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 4;
    setup.samples = 128;
    setup.dtype = DType::U16;
    setup.writesBackground = false;
    OctSimulator simulator = simulated(setup, "points");
    const std::vector<std::uint16_t> constant(4 * 128, 1000);
    SharpnessProbe probe(Backend::Cpu, *octChain(simulator.frame()), {}, SharpnessMetric::Contrast);
    EXPECT_THAT(refusal([&] { probe.addFrame(std::as_bytes(std::span(constant))); }),
                HasSubstr("dark"));
}

} // namespace

} // namespace echolux
