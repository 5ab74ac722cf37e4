// SPDX-License-Identifier: GPL-3.0-or-later
// Ensembles in pipelines: how a file asks for them and what is refused, what stages take, that they
// run as their frames do alone, and that the fused front end serves them.
#include "app/pipeline/runner.hpp"
#include "gpu/fused/fusion.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/front_end_chains.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::chainOf;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;

FrameSpec channelCodes(std::int64_t transmits, std::int64_t channels, std::int64_t samples) {
    FrameSpec spec = test::channelSpec(transmits, channels, samples);
    spec.dtype = DType::I16;
    return spec;
}

PipelineConfig ensembles(const std::vector<std::string>& types, std::int64_t frames) {
    PipelineConfig config = chainOf(types);
    config.recording.ensemble = frames;
    return config;
}

std::string refusalOfFile(const std::string& recording) {
    return refusal([&] {
        parsePipeline("version = 2\n" + recording + "\n[[stage]]\ntype = \"to_float\"\n",
                      "test.toml");
    });
}

TEST(EnsembleConfig, WritingAndReadingAgree) {
    for (const std::int64_t frames : {1, 2, 8, 1024}) {
        const PipelineConfig config = ensembles({"to_float", "one_frame"}, frames);
        const std::string text = toToml(config);
        EXPECT_EQ(text.find("ensemble") != std::string::npos, frames > 1) << text;
        EXPECT_EQ(parsePipeline(text, "again").recording.ensemble, frames);
    }
    const SnapshotPtr snapshot =
        instantiate(ensembles({"to_float", "one_frame"}, 5), channelCodes(1, 4, 8));
    EXPECT_EQ(toConfig(*snapshot).recording.ensemble, 5);
    EXPECT_EQ(toFullConfig(*snapshot).recording.ensemble, 5);
}

TEST(EnsembleConfig, RepeatsFollowTheRecording) {
    PipelineConfig config = chainOf({"to_float", "one_frame"});
    config.recording.repeats = 4;
    EXPECT_EQ(parsePipeline(toToml(config), "again").recording, config.recording);
    FrameSpec raw = channelCodes(1, 4, 8);
    const auto ensembleFor = [&](std::int64_t repeats) {
        raw.stack = {.bscansPerVolume = 2 * repeats, .spacingM = 1e-5, .repeats = repeats};
        const SnapshotPtr snapshot = instantiate(config, raw);
        EXPECT_EQ(toConfig(*snapshot).recording, config.recording);
        EXPECT_EQ(withInput(*snapshot, snapshot->input)->ensemble(), snapshot->ensemble());
        return snapshot;
    };
    EXPECT_EQ(ensembleFor(1)->ensemble(), 4) << "the recording does not know";
    EXPECT_EQ(ensembleFor(1)->imageStack(), VolumeStack{}) << "2 B-scans are no 4";
    EXPECT_EQ(ensembleFor(3)->ensemble(), 3);
    EXPECT_EQ(ensembleFor(3)->imageStack(), (VolumeStack{2, 1e-5, 1}));
    EXPECT_THAT(refusalOfFile("[recording]\nensemble = 2\nrepeats = 2"),
                AllOf(HasSubstr("line 4"), HasSubstr("keep 'ensemble' or 'repeats'")));
    EXPECT_THAT(refusalOfFile("[recording]\nrepeats = 0"), HasSubstr("'repeats' is 0"));
}

TEST(EnsembleConfig, ImagesOfEnsemblesMakeSmallerVolumes) {
    const VolumeStack stack{.bscansPerVolume = 24, .spacingM = 1e-5, .repeats = 4};
    EXPECT_EQ(stackOfEnsembles(stack, 1), stack);
    EXPECT_EQ(stackOfEnsembles(stack, 4), (VolumeStack{6, 1e-5, 1}));
    EXPECT_EQ(stackOfEnsembles(stack, 2), (VolumeStack{12, 1e-5, 2}));
    EXPECT_EQ(stackOfEnsembles({24, 0.25}, 3), (VolumeStack{8, 0.75, 1})) << "neighbours";
    EXPECT_EQ(stackOfEnsembles({24, 1e-5}, 5), VolumeStack{});
    EXPECT_EQ(stackOfEnsembles({}, 4), VolumeStack{});
}

TEST(EnsembleConfig, OtherValuesAreRefusedWithTheirLine) {
    const auto numbers = AllOf(HasSubstr("line 3"), HasSubstr("'ensemble'"),
                               HasSubstr("a whole number of frames, 1 to 1024"));
    for (const char* value : {"0", "-3", "1025", "5000", "\"eight\"", "2.5", "true", "[2]"})
        EXPECT_THAT(refusalOfFile(std::string("[recording]\nensemble = ") + value), numbers)
            << value;
    EXPECT_THAT(refusalOfFile("recording = 8"), HasSubstr("'recording' must be a table"));
    EXPECT_THAT(refusalOfFile("[recording]\nensembel = 8"),
                AllOf(HasSubstr("'ensembel' is not known"), HasSubstr("ensemble")));
    EXPECT_EQ(refusalOfFile("[recording]\nensemble = 1024"), "accepted");
    EXPECT_EQ(refusalOfFile("[recording]"), "accepted");
}

TEST(EnsembleSnapshot, StagesTakeAllItsFramesUntilOneEndsIt) {
    FrameSpec raw = channelCodes(3, 8, 64);
    raw.frameIntervalS = 0.04;
    const SnapshotPtr snapshot = instantiate(
        ensembles({"to_float", "dc_removal", "beamform", "envelope", "one_frame", "median"}, 4),
        raw);
    EXPECT_EQ(snapshot->input.describe(), "i16 [frame 4][transmit 3][channel 8][sample 64]");
    EXPECT_EQ(snapshot->input.axes.front().spacing, 0.04);
    const FrameSpec& images = snapshot->stage("envelope").plan.outputs[0];
    ASSERT_EQ(images.axes.size(), 3U);
    EXPECT_EQ(images.axes.front().name, AxisName::Frame);
    EXPECT_EQ(snapshot->output().axes.size(), 2U);
    // An ensemble is no other kind of recording: what is planned anew from it gathers afresh.
    const SnapshotPtr single = instantiate(chainOf({"to_float"}), snapshot->input);
    EXPECT_TRUE(single->input.sameLayout(raw));
    const SnapshotPtr longer = instantiate(ensembles({"to_float"}, 9), snapshot->input);
    EXPECT_EQ(longer->input.axes.front().size, 9);
    EXPECT_FALSE(sameGraph(*single, *instantiate(ensembles({"to_float"}, 9), raw)));
    EXPECT_FALSE(differsOnlyLive(*single, *longer));
}

TEST(EnsembleSnapshot, WhatTakesSingleFramesSaysSo) {
    const FrameSpec raw = channelCodes(3, 8, 64);
    const auto refused = [&](const std::vector<std::string>& chain) {
        return refusal([&] { instantiate(ensembles(chain, 4), raw); });
    };
    EXPECT_THAT(refused({"to_float", "beamform", "envelope", "persistence", "one_frame"}),
                AllOf(HasSubstr("'persistence' takes frames with the axes depth, lateral"),
                      HasSubstr("[frame 4][depth"), HasSubstr("put one_frame")));
    EXPECT_THAT(refused({"to_float", "beamform", "envelope", "log_compression"}),
                HasSubstr("'log_compression' takes single frames"));
    EXPECT_THAT(refused({"to_float", "one_transmit"}), HasSubstr("put one_frame"));
    EXPECT_EQ(refused({"to_float", "beamform", "envelope", "one_frame", "persistence"}),
              "accepted");
    EXPECT_THAT(refusal([&] {
                    instantiate(chainOf({"to_float", "one_frame"}), raw);
                }),
                HasSubstr("takes frames with the axes frame, transmit, channel, sample"));
}

TEST(EnsembleSnapshot, NobodyReadsImagesOfTransmits) {
    const FrameSpec raw = channelCodes(3, 8, 64);
    PipelineConfig read = ensembles({"to_float", "beamform", "envelope", "one_transmit"}, 4);
    read.links.push_back({{"transmits", "beamform"}, {"in", "one_transmit"}});
    EXPECT_THAT(refusal([&] { instantiate(read, raw); }),
                HasSubstr("gives its outputs 'transmits', 'delayed' and 'pairs' of single frames"));
    PipelineConfig shown = ensembles({"to_float", "beamform", "envelope", "one_frame"}, 4);
    shown.views = {{"low", "", {"transmits", "beamform"}}, {"sum", "", {"out", "one_frame"}}};
    EXPECT_THAT(refusal([&] { instantiate(shown, raw); }),
                HasSubstr("gives its outputs 'transmits', 'delayed' and 'pairs' of single frames"));
    shown.recording.ensemble = 1;
    shown.stages.pop_back();
    shown.views[1].from = {"out", "envelope"};
    EXPECT_NO_THROW(instantiate(shown, raw));
}

TEST(EnsembleSnapshot, FramesThatEndWithinAByteStayAlone) {
    FrameSpec raw = channelCodes(1, 1, 5);
    raw.dtype = DType::Packed12;
    EXPECT_THAT(refusal([&] { instantiate(ensembles({"to_float"}, 2), raw); }),
                HasSubstr("ensemble = 1"));
    raw.axes.back().size = 6;
    EXPECT_NO_THROW(instantiate(ensembles({"to_float"}, 2), raw));
}

std::vector<float> imageOf(const SnapshotPtr& snapshot, const std::byte* raw) {
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    std::vector<float> image(static_cast<std::size_t>(snapshot->output().count()));
    runner.wait(runner.enqueue({.raw = raw, .targets = {ViewTarget{image.data()}}}));
    return image;
}

TEST(EnsembleRunner, OneFramesImageIsThatFramesImage) {
    constexpr std::int64_t kFrames = 5;
    const FrameSpec raw = channelCodes(2, 8, 200);
    const std::vector<std::byte> codes = testing_support::echoCodes(ensembleOf(raw, kFrames), 11);
    for (const char* tail : {"analytic", "iq_demod"}) {
        const std::vector<std::string> before{"to_float", "dc_removal", "bandpass", tail};
        std::vector<std::string> chain = before;
        chain.insert(chain.end(), {"beamform", "envelope", "tgc", "log_compression"});
        const SnapshotPtr alone = instantiate(chainOf(chain), raw);
        chain.insert(chain.end() - 1, "one_frame");
        const SnapshotPtr late = instantiate(ensembles(chain, kFrames), raw);
        std::vector<std::string> early = before;
        early.insert(early.end(), {"one_frame", "beamform", "envelope", "tgc", "log_compression"});
        const SnapshotPtr soon = instantiate(ensembles(early, kFrames), raw);
        for (std::int64_t f = 0; f < kFrames; ++f) {
            const std::vector<float> expected =
                imageOf(alone, codes.data() + static_cast<std::size_t>(f) * raw.bytes());
            EXPECT_EQ(imageOf(withValue(*late, "one_frame", "frame", f + 1), codes.data()),
                      expected);
            EXPECT_EQ(imageOf(withValue(*soon, "one_frame", "frame", f + 1), codes.data()),
                      expected);
        }
    }
}

/// A live edit reaches the runner without a new plan.
TEST(EnsembleRunner, AnotherFrameIsALiveEdit) {
    const FrameSpec raw = channelCodes(1, 4, 16);
    const SnapshotPtr snapshot = instantiate(ensembles({"to_float", "one_frame"}, 3), raw);
    EXPECT_EQ(std::get<std::int64_t>(snapshot->stage("one_frame").params.get("frame")), 3);
    EXPECT_TRUE(
        differsOnlyLive(*snapshot, *withValue(*snapshot, "one_frame", "frame", std::int64_t{1})));
    EXPECT_THAT(refusal([&] { withValue(*snapshot, "one_frame", "frame", std::int64_t{4}); }),
                HasSubstr("choose 1 to 3"));
}

TEST(EnsembleSteps, TheFusedFrontEndTakesThem) {
    const FrameSpec raw = channelCodes(3, 8, 1666);
    const SnapshotPtr snapshot =
        instantiate(ensembles({"to_float", "dc_removal", "bandpass", "analytic", "beamform",
                               "envelope", "one_frame"},
                              4),
                    raw);
    const std::vector<Step> steps = planSteps(*snapshot, Backend::Cuda, {}, Fusing::Allowed);
    EXPECT_EQ(steps.front().label(*snapshot), "to_float ... analytic");
}

} // namespace
} // namespace echolux
