// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles: what takes them makes of each frame what it makes of that frame alone, what does not
// says so, and what ends them picks or averages.
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace echolux::test {
namespace {

using testing_support::refusal;

constexpr std::int64_t kFrames = 3;

HostFrame noisy(const FrameSpec& spec, unsigned seed) {
    HostFrame frame(spec);
    const std::vector<float> values = noise(frame.bytes.size() / sizeof(float), seed);
    std::memcpy(frame.bytes.data(), values.data(), frame.bytes.size());
    return frame;
}

/// Transmits that begin at different times, so that they cannot stand for each other.
FrameSpec channels(DType dtype = DType::F32) {
    FrameSpec spec = channelSpec(2, 5, 127);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[1].firstSampleS = 2.37e-6;
    spec.acquisition = acquisition;
    spec.dtype = dtype;
    if (isComplex(dtype)) spec.demodulationFrequencyHz = spec.centreFrequencyHz;
    return spec;
}

HostFrame ensembleFrom(const std::vector<HostFrame>& frames) {
    HostFrame all(ensembleOf(frames.front().spec, std::ssize(frames)));
    std::size_t at = 0;
    for (const HostFrame& frame : frames) {
        std::ranges::copy(frame.bytes, all.bytes.begin() + static_cast<std::ptrdiff_t>(at));
        at += frame.bytes.size();
    }
    return all;
}

std::vector<HostFrame> differentFrames(const FrameSpec& spec) {
    std::vector<HostFrame> frames;
    for (unsigned f = 0; f < kFrames; ++f) frames.push_back(noisy(spec, f + 1));
    return frames;
}

void expectFrameByFrame(const char* stage, const FrameSpec& spec, const Settings& settings = {}) {
    SCOPED_TRACE(std::string(stage) + " of " + spec.describe());
    const std::vector<HostFrame> frames = differentFrames(spec);
    const HostFrame together = runStage(stage, ensembleFrom(frames), settings);
    ASSERT_TRUE(together.spec.isEnsemble());
    std::vector<HostFrame> alone;
    for (const HostFrame& frame : frames) alone.push_back(runStage(stage, frame, settings));
    EXPECT_TRUE(oneFrameOf(together.spec).sameLayout(alone.front().spec));
    EXPECT_EQ(together.bytes, ensembleFrom(alone).bytes);
    EXPECT_NE(alone[0].bytes, alone[1].bytes);
}

TEST(Ensembles, StagesThatWorkLineByLineTreatEachFrameAlike) {
    for (const char* stage : {"to_float", "dc_removal", "bandpass", "analytic", "iq_demod", "tgc"})
        expectFrameByFrame(stage, channels());
    expectFrameByFrame("bandpass", channels(), {{"direction", std::string("forward")}});
    expectFrameByFrame("envelope", channels());
    expectFrameByFrame("tgc", imageSpec(37, 9), {{"gain_db", 3.0}});
}

TEST(Ensembles, EachFrameHasItsImage) {
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        expectFrameByFrame("beamform", channels(dtype));
        expectFrameByFrame("beamform", channels(dtype), {{"delays", std::string("table")}});
        expectFrameByFrame("beamform", channels(dtype), {{"coherence_factor", true}});
    }
    expectFrameByFrame("envelope", imageSpec(37, 9));
    expectFrameByFrame("envelope", imageSpec(37, 9), {{"kind", std::string("fir_hilbert")}});
}

/// Spectra of repeated B-scans, with a background, a curve of wavenumbers and a dispersion.
FrameSpec spectra() {
    FrameSpec spec = octSpec(0, 7, 64);
    auto spectrometer = std::make_shared<Spectrometer>(*spec.spectrometer);
    for (int m = 0; m < 64; ++m) {
        const double u = m / 63.0;
        spectrometer->background.push_back(static_cast<float>(u));
        spectrometer->resampling.push_back(63.0 * (u + 0.1 * u * (1.0 - u)));
        spectrometer->dispersionRad.push_back(3.0 * u * u);
    }
    spec.spectrometer = std::move(spectrometer);
    return spec;
}

TEST(Ensembles, StagesOfSpectraTreatEachFrameAlike) {
    for (const char* stage : {"spectrum_to_float", "background_subtract", "dc_removal_moving",
                              "k_linearize", "window", "dispersion", "inverse_fft"})
        expectFrameByFrame(stage, spectra());
    for (const std::int64_t lines : {0, 3})
        expectFrameByFrame("background_subtract", spectra(),
                           {{"source", std::string("frame_mean")}, {"lines", lines}});
    expectFrameByFrame("dc_removal_moving", spectra(), {{"method", std::string("fourier_bins")}});
    expectFrameByFrame("k_linearize", spectra(), {{"method", std::string("linear")}});
    expectFrameByFrame("inverse_fft", spectra(), {{"padding", std::string("twice")}});
    FrameSpec scans = octSpec(0, 7, 30);
    scans.axes.back().name = AxisName::Depth;
    scans.dtype = DType::ComplexF32;
    for (const char* method : {"mean", "minimum_variance"})
        expectFrameByFrame("fixed_pattern", scans, {{"method", std::string(method)}});
}

TEST(Ensembles, NothingOfOneFrameComesIntoAnother) {
    std::vector<HostFrame> frames(kFrames, HostFrame(channels()));
    frames[1] = noisy(channels(), 7);
    const HostFrame images = runStage("beamform", ensembleFrom(frames));
    const auto pixels = images.as<float>();
    const std::size_t each = pixels.size() / kFrames;
    const auto isZero = [](float value) { return value == 0.0F; };
    EXPECT_TRUE(std::ranges::all_of(pixels.first(each), isZero));
    EXPECT_FALSE(std::ranges::all_of(pixels.subspan(each, each), isZero));
    EXPECT_TRUE(std::ranges::all_of(pixels.last(each), isZero));
}

TEST(Ensembles, BeamformSaysThatItHasNoImagesOfTransmits) {
    const StageType& type = stageType("beamform");
    const auto planOf = [&](const FrameSpec& spec) {
        return type.plan(spec, type.defaultsFor(spec));
    };
    EXPECT_EQ(planOf(channels()).onlyFirstOutput, "");
    EXPECT_THAT(planOf(ensembleOf(channels(), 2)).onlyFirstOutput,
                testing::AllOf(testing::HasSubstr("'transmits'"), testing::HasSubstr("one_frame"),
                               testing::EndsWith(".")));
}

TEST(Ensembles, OtherStagesRefuseThemByTheirAxis) {
    const FrameSpec images = ensembleOf(imageSpec(6, 5), 4);
    for (const char* stage : {"median", "persistence", "log_compression", "linear_map"}) {
        const std::string told = refusal([&] { runStage(stage, HostFrame(images)); });
        EXPECT_THAT(told, testing::AllOf(testing::HasSubstr(std::string("'") + stage + "'"),
                                         testing::HasSubstr("[frame 4][depth 6][lateral 5]"),
                                         testing::HasSubstr("one_frame, ensemble_mean or flow")));
    }
    const std::string told =
        refusal([] { runStage("one_transmit", HostFrame(ensembleOf(channels(), 2))); });
    EXPECT_THAT(told, testing::HasSubstr("takes frames with the axes transmit, channel, sample"));
    EXPECT_THAT(refusal([&] {
                    runStage("compare", HostFrames{HostFrame(images), HostFrame(images)});
                }),
                testing::HasSubstr("Port 'in' of stage 'compare' takes single frames"));
}

TEST(Ensembles, TheFrameAxisIsInSecondsWhereTheRateIsKnown) {
    FrameSpec frame = channels();
    EXPECT_EQ(ensembleOf(frame, 8).axes.front().unit, "");
    frame.frameIntervalS = 2e-3;
    const Axis axis = ensembleOf(frame, 8).axes.front();
    EXPECT_EQ(axis.name, AxisName::Frame);
    EXPECT_EQ(axis.size, 8);
    EXPECT_EQ(axis.spacing, 2e-3);
    EXPECT_EQ(axis.unit, "s");
    EXPECT_TRUE(ensembleOf(frame, 1).sameLayout(frame));
    EXPECT_TRUE(oneFrameOf(ensembleOf(frame, 8)).sameLayout(frame));
}

TEST(OneFrame, GivesThatFrameAsItIsTheLastByDefault) {
    FrameSpec scan = octSpec(0, 6, 5);
    scan.axes.back().name = AxisName::Depth;
    for (const FrameSpec& spec : {channels(), channels(DType::ComplexF32), imageSpec(6, 5), scan}) {
        const std::vector<HostFrame> frames = differentFrames(spec);
        const HostFrame all = ensembleFrom(frames);
        EXPECT_EQ(runStage("one_frame", all).bytes, frames.back().bytes);
        for (std::int64_t f = 0; f < kFrames; ++f) {
            const HostFrame one = runStage("one_frame", all, {{"frame", f + 1}});
            EXPECT_EQ(one.bytes, frames[static_cast<std::size_t>(f)].bytes);
            EXPECT_TRUE(one.spec.sameLayout(spec));
            EXPECT_EQ(one.spec.acquisition, spec.acquisition);
        }
    }
}

TEST(OneFrame, RefusesFramesThatThereAreNot) {
    const HostFrame all(ensembleOf(imageSpec(2, 3), 4));
    EXPECT_EQ(refusal([&] {
                  runStage("one_frame", all, {{"frame", std::int64_t{5}}});
              }),
              "Stage 'one_frame': parameter 'frame' is 5, but the ensemble has 4 frames; choose 1 "
              "to 4.");
    EXPECT_THAT(refusal([] { runStage("one_frame", HostFrame(imageSpec(2, 3))); }),
                testing::HasSubstr("takes frames with the axes frame, transmit, channel, sample or "
                                   "frame, depth, lateral"));
}

TEST(EnsembleMean, OfSamplesAndOfMagnitudes) {
    const FrameSpec real = ensembleOf(imageSpec(1, 3), 4);
    const HostFrame values(real, std::vector<float>{1, -2, 3, 1, 2, 3, 1, -2, -3, 1, 2, 9});
    EXPECT_THAT(runStage("ensemble_mean", values).as<float>(),
                testing::ElementsAre(1.0F, 0.0F, 3.0F));
    EXPECT_THAT(runStage("ensemble_mean", values, {{"of", std::string("magnitudes")}}).as<float>(),
                testing::ElementsAre(1.0F, 2.0F, 4.5F));

    FrameSpec complex = imageSpec(1, 2);
    complex.dtype = DType::ComplexF32;
    complex.demodulationFrequencyHz = 5e6;
    const HostFrame pairs(ensembleOf(complex, 2), std::vector<float>{3, 4, 0, 1, -3, -4, 0, 3});
    const HostFrame samples = runStage("ensemble_mean", pairs);
    EXPECT_EQ(samples.spec.dtype, DType::ComplexF32);
    EXPECT_THAT(samples.as<float>(), testing::ElementsAre(0.0F, 0.0F, 0.0F, 2.0F));
    const HostFrame magnitudes =
        runStage("ensemble_mean", pairs, {{"of", std::string("magnitudes")}});
    EXPECT_EQ(magnitudes.spec.dtype, DType::F32);
    EXPECT_EQ(magnitudes.spec.demodulationFrequencyHz, 0.0);
    EXPECT_THAT(magnitudes.as<float>(), testing::ElementsAre(5.0F, 2.0F));
}

TEST(EnsembleMean, LeavesOfNoiseWhatTheRootOfTheFramesLeaves) {
    constexpr std::int64_t kMany = 64;
    std::vector<HostFrame> frames;
    for (unsigned f = 0; f < kMany; ++f) frames.push_back(noisy(imageSpec(40, 50), f + 1));
    const auto rms = [](const HostFrame& frame) {
        double sum = 0.0;
        for (const float value : frame.as<float>()) sum += value * value;
        return std::sqrt(sum / static_cast<double>(frame.as<float>().size()));
    };
    const HostFrame mean = runStage("ensemble_mean", ensembleFrom(frames));
    EXPECT_NEAR(rms(mean) / rms(frames.front()), 1.0 / 8.0, 0.01);
}

} // namespace
} // namespace echolux::test
