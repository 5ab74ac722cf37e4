// SPDX-License-Identifier: GPL-3.0-or-later
// The search through the pipeline's stages, on simulated spectra whose dispersion is known.
#include "app/calibration/sharpness_probe.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/calibration/simulated_spectra.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>

namespace echolux {

namespace {

using testing::HasSubstr;
using testing_support::octChain;
using testing_support::refusal;
using testing_support::rendered;
using testing_support::simulated;

DispersionFound findIn(OctSimulator& simulator, const ImageRegion& region = {},
                       const DispersionSearchOptions& options = {}) {
    SharpnessProbe probe(Backend::Cpu, *octChain(simulator.frame()), region,
                         SharpnessMetric::Contrast);
    probe.addFrame(rendered(simulator));
    return searchDispersion(probe, options, nullptr);
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
                    Case{"spectrometer", "skin", 96, 1}, Case{"spectrometer", "skin", 192, 1},
                    Case{"spectrometer", "layers", 64, 1}, Case{"spectrometer", "points", 64, 1},
                    Case{"swept_source", "skin", 256, 1}, Case{"swept_source", "skin", 128, 2},
                    Case{"swept_source", "skin", 64, 1}, Case{"swept_source", "skin", 64, 3},
                    Case{"swept_source", "retina", 96, 2}, Case{"swept_source", "retina", 128, 1},
                    Case{"swept_source", "layers", 96, 1}, Case{"swept_source", "points", 64, 3},
                    Case{"spectrometer", "retina", 96, 1, {900.0, -600.0, 0.0}},
                    Case{"spectrometer", "layers", 64, 1, {-500.0, 300.0, 0.0}},
                    Case{"swept_source", "skin", 128, 1, {900.0, -600.0, 0.0}}));

TEST(DispersionSearch, recoversTheTermsOfTheBundledRecordings) {
    const std::vector<std::vector<std::int64_t>> cine{{0}, {16}, {0, 4, 8, 12, 16, 20}};
    const std::vector<std::vector<std::int64_t>> volume{{0}, {16}, {0, 8, 16, 24, 32, 40}};
    for (const auto& [name, choices] :
         {std::pair{"retina_cine", cine}, std::pair{"retina_volume", volume}}) {
        const auto recording =
            openRecording(std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + name + ".echolux.h5");
        const FrameSpec& raw = recording->info().frame;
        std::vector<std::byte> frame(raw.bytes());
        for (const std::vector<std::int64_t>& frames : choices) {
            SharpnessProbe probe(Backend::Cpu, *octChain(raw), {}, SharpnessMetric::Contrast);
            for (const std::int64_t index : frames) {
                recording->readFrame(index, frame);
                probe.addFrame(frame);
            }
            const DispersionFound found =
                searchDispersion(probe, {.largest = probe.largestTerms()}, nullptr);
            std::printf("%s from %d: c1 %.1f c2 %.1f\n", name, static_cast<int>(frames[0]),
                        found.terms[0], found.terms[1]);
            EXPECT_NEAR(found.terms[0] / 400.0, 1.0, 0.05) << name << " " << frames[0];
            EXPECT_NEAR(found.terms[1] / 320.0, 1.0, 0.05) << name << " " << frames[0];
        }
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
        found.push_back(searchDispersion(probe, {.largest = probe.largestTerms()}, nullptr));
    }
    for (const DispersionFound& one : found) {
        EXPECT_NEAR(one.terms[0] / 400.0, 1.0, 0.05);
        EXPECT_NEAR(one.terms[1] / 320.0, 1.0, 0.05);
    }
    EXPECT_NEAR(found[0].sharpness, found[1].sharpness, 0.02);
}

TEST(DispersionSearch, refusesPipelinesOfEnsembles) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/vessels_oct.echolux.h5");
    const SnapshotPtr chain =
        instantiate(shippedPipeline("oct_angiography"), recording->info().frame);
    EXPECT_THAT(
        refusal([&] { SharpnessProbe(Backend::Cpu, *chain, {}, SharpnessMetric::Contrast); }),
        HasSubstr("open the pipeline 'oct'"));
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

} // namespace

} // namespace echolux
