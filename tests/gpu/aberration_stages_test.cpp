// SPDX-License-Identifier: GPL-3.0-or-later
// aberration, aberration_correction and patch_blend against echoes in closed form.
#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/gpu/plane_wave_echoes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace echolux::test {
namespace {

using aberration::Figure;
using testing_support::refusal;

/// Values of one output as numbers.
std::vector<double> valuesOf(const HostFrame& frame) {
    return {frame.as<float>().begin(), frame.as<float>().end()};
}

HostFrames estimateOf(const HostFrame& frame, const Settings& settings) {
    const StageType& type = stageType("aberration");
    StageRunner runner(type, frame.spec, paramsFor(type, frame.spec, settings));
    return runner.runAll({frame});
}

double figure(const HostFrames& outputs, Figure which) {
    return outputs[3].as<float>()[static_cast<std::size_t>(which)];
}

double residualS(const HostFrames& outputs, const FrameSpec& spec,
                 const std::vector<double>& truth) {
    std::vector<double> rest = valuesOf(outputs[0]);
    for (std::size_t e = 0; e < rest.size(); ++e) rest[e] -= truth[e];
    const auto grid = aberration::elementGrid(spec.acquisition->probe);
    return aberration::rootMeanSquare(aberration::withoutPistonAndTilt(grid, rest));
}

TEST(Aberration, FindsAKnownScreen) {
    const FrameSpec spec = planeWave();
    const std::vector<double> screen = screenOf(30e-9, kWaveElements);
    const HostFrames found = estimateOf(echoes(spec, screen), wholeRegion());
    EXPECT_EQ(figure(found, Figure::Valid), 1.0);
    // What moves the image and does not blur it stays: no echo tells it.
    const std::vector<double> delays = valuesOf(found[0]);
    const std::vector<double> level =
        aberration::withoutPistonAndTilt(aberration::elementGrid(spec.acquisition->probe), delays);
    for (std::size_t e = 0; e < delays.size(); ++e) EXPECT_NEAR(delays[e], level[e], 1e-12);
    EXPECT_LT(residualS(found, spec, screen), 4e-9);
    EXPECT_GT(figure(found, Figure::FocusAfter), 1.2 * figure(found, Figure::FocusBefore));
}

TEST(Aberration, LeavesWhatHasNoScreenAlone) {
    const FrameSpec spec = planeWave();
    const std::vector<double> none(kWaveElements, 0.0);
    const HostFrames found = estimateOf(echoes(spec, none), wholeRegion());
    EXPECT_LT(residualS(found, spec, none), 2e-9);
    EXPECT_NEAR(figure(found, Figure::SharpnessAfter) / figure(found, Figure::SharpnessBefore), 1.0,
                0.01);
}

TEST(Aberration, OfFaintDataItSaysTheSame) {
    const FrameSpec spec = planeWave();
    const HostFrame loud = echoes(spec, screenOf(30e-9, kWaveElements));
    std::vector<float> faint(loud.as<float>().begin(), loud.as<float>().end());
    for (float& value : faint) value *= 1e-12F;
    const std::vector<double> delays = valuesOf(estimateOf(loud, wholeRegion())[0]);
    const std::vector<double> same = valuesOf(estimateOf(HostFrame(spec, faint), wholeRegion())[0]);
    for (std::size_t e = 0; e < delays.size(); ++e) EXPECT_NEAR(same[e], delays[e], 1e-12);
}

/// Iterations begin with a filter of 1, whatever the data are: they are given data of one scale.
TEST(Aberration, OfFaintDataIterationsSayTheSame) {
    const FrameSpec spec = planeWave();
    const HostFrame loud = echoes(spec, screenOf(5e-9, kWaveElements));
    std::vector<float> faint(loud.as<float>().begin(), loud.as<float>().end());
    for (float& value : faint) value *= 1e-6F;
    for (const char* method : {"conjugate", "matlab", "gpu", "cpu"}) {
        Settings settings = wholeRegion();
        settings.emplace_back("method", std::string(method));
        settings.emplace_back("iterations", std::int64_t{20});
        const std::vector<double> amplitudes = valuesOf(estimateOf(loud, settings)[1]);
        const std::vector<double> same = valuesOf(estimateOf(HostFrame(spec, faint), settings)[1]);
        for (std::size_t e = 0; e < same.size(); ++e)
            EXPECT_NEAR(same[e], amplitudes[e], 1e-3 * amplitudes[e]) << method;
    }
}

/// Waves heard by windows of eight elements that walk along the array, and a wave in three by all.
FrameSpec walkingWindows(std::int64_t waves) {
    FrameSpec spec = channelSpec(waves, kWaveElements, kWaveSamples);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->soundSpeedMps = kSoundMps;
    for (Transmit& transmit : acquisition->transmits) transmit = Transmit{};
    acquisition->receiveWeights.clear();
    for (std::int64_t t = 0; t < waves; ++t) {
        const std::int64_t first = t * (kWaveElements - 8) / (waves - 1);
        for (std::int64_t e = 0; e < kWaveElements; ++e)
            acquisition->receiveWeights.push_back(e >= first && e < first + 8 ? 1.0F : 0.0F);
    }
    spec.acquisition = acquisition;
    return spec;
}

/// The same wave again and again, each element with its delay and amplitude, heard or not.
HostFrame walkingEchoes(const FrameSpec& spec, const std::vector<double>& delays,
                        const std::vector<double>& amplitudes) {
    const HostFrame one = echoes(planeWave(), delays);
    const auto wave = one.as<float>();
    std::vector<float> samples;
    const std::vector<float>& weights = spec.acquisition->receiveWeights;
    for (std::size_t record = 0; record < weights.size(); ++record) {
        const std::size_t e = record % kWaveElements;
        for (std::size_t n = 0; n < kWaveSamples; ++n)
            samples.push_back(weights[record] * static_cast<float>(amplitudes[e]) *
                              wave[e * kWaveSamples + n]);
    }
    return HostFrame(spec, samples);
}

/// An element at the end hears one wave of thirteen and one in the middle eight of them; what the
/// screen does to them is told all the same, without steps between parts of the aperture.
TEST(Aberration, AmplitudesOfWalkingAperturesAreThoseOfTheScreen) {
    const FrameSpec spec = walkingWindows(13);
    const std::vector<double> screen = screenOf(30e-9, kWaveElements);
    for (const double decibels : {0.0, 2.0}) {
        std::vector<double> truth;
        for (std::size_t e = 0; e < kWaveElements; ++e)
            truth.push_back(decibels * std::numbers::sqrt2 *
                            std::sin(0.9 * static_cast<double>(e) + 0.5));
        std::vector<double> amplitudes;
        for (const double level : truth) amplitudes.push_back(std::pow(10.0, level / 20.0));
        const HostFrames found = estimateOf(walkingEchoes(spec, screen, amplitudes), wholeRegion());
        ASSERT_EQ(figure(found, Figure::Valid), 1.0) << decibels;
        EXPECT_LT(residualS(found, spec, screen), 5e-9);
        double least = 1e9;
        double most = -1e9;
        for (std::size_t e = 0; e < kWaveElements; ++e) {
            const double off = 20.0 * std::log10(double{found[1].as<float>()[e]}) - truth[e];
            least = std::min(least, off);
            most = std::max(most, off);
        }
        EXPECT_LT(most - least, 1.5) << "of " << decibels << " dB rms";
    }
}

TEST(Aberration, OfNoiseItSaysSoAndCorrectsNothing) {
    const FrameSpec spec = planeWave();
    for (const std::int64_t points : {1, 4, 64, 512}) {
        for (unsigned seed = 1; seed <= 8; ++seed) {
            std::mt19937 random(seed);
            std::normal_distribution<float> normal;
            std::vector<float> noise(static_cast<std::size_t>(spec.count()));
            for (float& value : noise) value = normal(random);
            Settings settings = wholeRegion();
            settings.emplace_back("points", points);
            const HostFrames found = estimateOf(HostFrame(spec, noise), settings);
            EXPECT_EQ(figure(found, Figure::Valid), 0.0)
                << points << " points: " << figure(found, Figure::Coherence);
            for (const float delay : found[0].as<float>()) EXPECT_EQ(delay, 0.0F);
            for (const float amplitude : found[1].as<float>()) EXPECT_EQ(amplitude, 1.0F);
        }
    }
}

TEST(Aberration, APatchHasAFilterOfItsOwn) {
    const FrameSpec spec = planeWave();
    Settings settings = wholeRegion();
    settings.emplace_back("patches", std::int64_t{2});
    const HostFrames found = estimateOf(echoes(spec, screenOf(20e-9, kWaveElements)), settings);
    EXPECT_EQ(found[0].spec.axes[0].size, 2);
    EXPECT_EQ(found[0].spec.axes[1].size, kWaveElements);
    EXPECT_EQ(found[3].spec.axes[1].size, aberration::kFigures);
}

/// The second of two patches behind one smooth screen, by the beam sum, in a first frame.
struct SecondPatch {
    double iterations;
    double residualS;

    SecondPatch(const char* start, double rmsS) {
        const FrameSpec spec = planeWave();
        std::vector<double> screen;
        for (std::size_t e = 0; e < kWaveElements; ++e)
            screen.push_back(rmsS * std::numbers::sqrt2 * std::sin(0.15 * static_cast<double>(e)));
        Settings settings = wholeRegion();
        settings.emplace_back("patches", std::int64_t{2});
        settings.emplace_back("warm_start", std::string(start));
        settings.emplace_back("method", std::string("beam_sum"));
        settings.emplace_back("iterations", std::int64_t{300});
        settings.emplace_back("epsilon", 1e-3);
        const HostFrames found = estimateOf(echoes(spec, screen), settings);
        iterations =
            found[3]
                .as<float>()[aberration::kFigures + static_cast<std::size_t>(Figure::Iterations)];
        std::vector<double> rest = valuesOf(found[0]);
        rest.erase(rest.begin(), rest.begin() + kWaveElements);
        for (std::size_t e = 0; e < rest.size(); ++e) rest[e] -= screen[e];
        const auto grid = aberration::elementGrid(spec.acquisition->probe);
        residualS = aberration::rootMeanSquare(aberration::withoutPistonAndTilt(grid, rest));
    }
};

/// The second patch begins where the first one ended, so it ends sooner and no farther from the
/// screen.
TEST(Aberration, StartsFromThePatchBesideIt) {
    for (const double rmsS : {60e-9, 90e-9}) {
        const SecondPatch cold("none", rmsS);
        const SecondPatch warm("neighbour", rmsS);
        EXPECT_GT(warm.iterations, 0.0);
        EXPECT_LT(warm.iterations, 0.5 * cold.iterations) << rmsS;
        EXPECT_LT(warm.residualS, 0.9 * cold.residualS) << rmsS;
        EXPECT_LT(warm.residualS, 3e-9) << rmsS;
    }
}

/// A first frame has nothing before it, and a first patch nothing beside it.
TEST(Aberration, WithoutAFilterBeforeEveryStartIsTheSame) {
    const FrameSpec spec = planeWave();
    const HostFrame frame = echoes(spec, screenOf(30e-9, kWaveElements));
    std::vector<std::vector<double>> delays;
    for (const char* start : {"none", "frame", "neighbour"}) {
        Settings settings = wholeRegion();
        settings.emplace_back("warm_start", std::string(start));
        delays.push_back(valuesOf(estimateOf(frame, settings)[0]));
    }
    EXPECT_EQ(delays[0], delays[1]);
    EXPECT_EQ(delays[0], delays[2]);
}

TEST(Aberration, TheUsualGateReadsWell) {
    for (const double centreHz : {2.8e6, 3e6, 5e6, 7.3e6}) {
        const FrameSpec spec = channelSpec(1, 8, 512, 40e6, centreHz);
        const double gate = std::get<double>(stageType("aberration").defaultsFor(spec).get("gate"));
        EXPECT_NEAR(gate, 12.0 / centreHz, 0.5001e-8) << "12 periods";
        EXPECT_NEAR(gate * 1e8, std::round(gate * 1e8), 1e-6) << "whole steps of 10 ns";
    }
}

TEST(Aberration, RefusesWhatHasNoEchoes) {
    const FrameSpec spec = planeWave();
    const auto said = [&](const Settings& settings) {
        return refusal([&] { estimateOf(echoes(spec, screenOf(0.0, kWaveElements)), settings); });
    };
    EXPECT_THAT(said({{"region_depth", 0.3}}), testing::HasSubstr("recorded whole"));
    EXPECT_THAT(said({{"gate", 5e-5}}), testing::HasSubstr("longer than the records"));
    EXPECT_THAT(said({{"gate", 1e-7}}), testing::HasSubstr("holds"));
    EXPECT_THAT(said({{"centre_frequency", 11e6}}), testing::HasSubstr("sampled band"));
    const HostFrame one(channelSpec(1, 1, kWaveSamples));
    EXPECT_THAT(refusal([&] { estimateOf(one, {}); }), testing::HasSubstr("one element"));
}

HostFrame perElement(std::int64_t patches, const std::vector<double>& values) {
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, patches, 1.0, 0.0, ""},
                 {AxisName::Channel, std::ssize(values) / patches, 1.0, 0.0, ""}};
    return HostFrame(spec, std::vector<float>(values.begin(), values.end()));
}

TEST(AberrationCorrection, MovesEchoesToWhereTheyHadCome) {
    const FrameSpec spec = planeWave();
    const std::vector<double> screen = screenOf(40e-9, kWaveElements);
    const HostFrame straight = echoes(spec, std::vector<double>(kWaveElements, 0.0));
    const HostFrame out =
        runStage("aberration_correction",
                 HostFrames{echoes(spec, screen), perElement(1, screen),
                            perElement(1, std::vector<double>(kWaveElements, 1.0))});
    ASSERT_EQ(out.spec.axes, spec.axes);
    expectNear(out.as<float>(), straight.as<float>(), 0.02);
}

TEST(AberrationCorrection, NoEstimateYetCorrectsNothing) {
    const FrameSpec spec = planeWave();
    const HostFrame in = echoes(spec, screenOf(40e-9, kWaveElements));
    const HostFrame none = perElement(1, std::vector<double>(kWaveElements, 0.0));
    EXPECT_EQ(runStage("aberration_correction", HostFrames{in, none, none}).bytes, in.bytes);
    const HostFrame delays = perElement(1, screenOf(40e-9, kWaveElements));
    const HostFrame ones = perElement(1, std::vector<double>(kWaveElements, 1.0));
    EXPECT_EQ(
        runStage("aberration_correction", HostFrames{in, delays, ones}, {{"strength", 0.0}}).bytes,
        in.bytes);
}

TEST(AberrationCorrection, AmplitudesAreEqualisedOrTrusted) {
    const FrameSpec spec = planeWave();
    const HostFrame in = echoes(spec, std::vector<double>(kWaveElements, 0.0));
    const HostFrame delays = perElement(1, std::vector<double>(kWaveElements, 0.0));
    const HostFrame twos = perElement(1, std::vector<double>(kWaveElements, 2.0));
    const auto first = [&](const char* weights) {
        const HostFrame out = runStage("aberration_correction", HostFrames{in, delays, twos},
                                       {{"weights", std::string(weights)}});
        return std::abs(out.as<float>()[210]) / std::abs(in.as<float>()[210]);
    };
    EXPECT_NEAR(first("none"), 1.0, 1e-6);
    EXPECT_NEAR(first("equalised"), 0.5, 1e-6);
    EXPECT_NEAR(first("matched"), 2.0, 1e-6);
}

TEST(AberrationCorrection, SeveralPatchesMakeAnEnsemble) {
    const FrameSpec spec = planeWave();
    std::vector<double> delays(2 * kWaveElements, 0.0);
    for (std::size_t e = kWaveElements; e < delays.size(); ++e) delays[e] = 50e-9;
    const HostFrame in = echoes(spec, std::vector<double>(kWaveElements, 0.0));
    const HostFrame out =
        runStage("aberration_correction",
                 HostFrames{in, perElement(2, delays),
                            perElement(2, std::vector<double>(2 * kWaveElements, 1.0))});
    ASSERT_TRUE(out.spec.isEnsemble());
    const auto samples = static_cast<std::size_t>(spec.count());
    const auto made = out.as<float>();
    for (std::size_t i = 0; i + 1 < samples; i += 97) {
        EXPECT_EQ(made[i], in.as<float>()[i]);
        if ((i + 1) % kWaveSamples == 0) continue;
        EXPECT_NEAR(made[samples + i], in.as<float>()[i + 1], 0.01) << "50 ns are one sample";
    }
}

TEST(AberrationCorrection, RefusesAFilterOfAnotherArray) {
    const FrameSpec spec = planeWave();
    const HostFrame in(spec);
    const HostFrame wrong = perElement(1, std::vector<double>(7, 0.0));
    EXPECT_THAT(refusal([&] {
                    runStage("aberration_correction", HostFrames{in, wrong, wrong});
                }),
                testing::HasSubstr("32 elements"));
}

TEST(AberrationFilter, HandsOnWhatItWasGiven) {
    const FrameSpec spec = planeWave();
    const HostFrame in(spec);
    const std::vector<double> screen = screenOf(40e-9, kWaveElements);
    const StageType& type = stageType("aberration_filter");
    const auto outputsOf = [&](const Settings& settings) {
        return StageRunner(type, spec, paramsFor(type, spec, settings)).runAll({in});
    };
    const HostFrames given =
        outputsOf({{"delays", screen}, {"amplitudes", std::vector<double>(kWaveElements, 0.5)}});
    for (std::size_t e = 0; e < screen.size(); ++e) {
        EXPECT_EQ(given[0].as<float>()[e], static_cast<float>(screen[e]));
        EXPECT_EQ(given[1].as<float>()[e], 0.5F);
    }
    const HostFrames none = outputsOf({});
    EXPECT_EQ(none[0].as<float>()[3], 0.0F);
    EXPECT_EQ(none[1].as<float>()[3], 1.0F);
    EXPECT_THAT(refusal([&] {
                    outputsOf({{"delays", std::vector<double>(7, 0.0)}});
                }),
                testing::HasSubstr("7 delays, but the array has 32 elements"));
}

TEST(PatchBlend, IsLinearBetweenTheCentresOfPatches) {
    FrameSpec image = imageSpec(1, 9);
    image.axes[1] = {AxisName::Lateral, 9, 1e-3, -4e-3, "m"};
    const FrameSpec spec = ensembleOf(image, 2);
    std::vector<float> values(18, 0.0F);
    std::fill(values.begin() + 9, values.end(), 1.0F);
    const HostFrame out = runStage("patch_blend", HostFrame(spec, values),
                                   {{"region_lateral", 0.0}, {"region_width", 8e-3}});
    // Centres at -2 and 2 mm.
    expectNear(out.as<float>(), std::vector{0.0F, 0.0F, 0.0F, 0.25F, 0.5F, 0.75F, 1.0F, 1.0F, 1.0F},
               1e-6);
}

} // namespace
} // namespace echolux::test
