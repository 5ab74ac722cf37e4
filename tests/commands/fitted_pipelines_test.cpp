// SPDX-License-Identifier: GPL-3.0-or-later
// Shipped pipelines on recordings of other kinds than they were written for: IQ, and arrays whose
// beams fan out. `render --grid` and `--output-of` there.
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "tests/commands/shipped.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

std::string bundled(const std::string& name) {
    return std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + name;
}

class FittedPipelines : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }

    /// IQ channel data of the RF recording's first two frames: what `analytic` makes of them.
    std::string asIq(const std::string& rf, const std::string& pipeline) const {
        const std::string out = file("iq.echolux.h5");
        const auto run =
            runEcholux({"export", rf, "-o", out, "--force", "--pipeline", pipeline, "--output-of",
                        "analytic", "--frames", "1:2", "--backend", "cpu"});
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_TRUE(isComplex(openRecording(out)->info().frame.dtype));
        return out;
    }
    /// One virtual source behind a curved array of 32 elements.
    std::string curved() const {
        const std::string out = file("curved.echolux.h5");
        const auto run = runEcholux(
            {"simulate", "diverging", "--array",   "curved", "--elements", "32", "--pitch", "0.5",
             "--radius", "30",        "--fc",      "3",      "--frames",   "1",  "--depth", "40",
             "--waves",  "1",         "--backend", "cpu",    "-o",         out,  "--force"});
        EXPECT_EQ(run.status, 0) << run.err;
        return out;
    }
    /// The axes beside an array.
    nlohmann::json axesOf(const std::string& array) const {
        std::ifstream stream(std::filesystem::path(array).replace_extension(".json"));
        return nlohmann::json::parse(stream).at("axes");
    }
    test::TemporaryFolder m_folder;
};

TEST_F(FittedPipelines, IqDataAreImagedLikeTheRfThatTheyCameFrom) {
    const std::string rf = bundled("aberrated_cine.echolux.h5");
    const std::string iq = asIq(rf, "aberration");
    // A trial's screen of no delays, which stands before the filters of RF.
    const std::vector<std::string> more{"--frames", "2"};
    const std::vector<std::string> noScreen{"--frames", "2",
                                            "--set",    "aberrating_screen.delay_rms=0",
                                            "--set",    "aberrating_screen.amplitude_rms=0"};
    for (const char* pipeline : {"aberration", "aberration_feedback", "aberration_split",
                                 "compounding", "aberration_trial"}) {
        SCOPED_TRACE(pipeline);
        const auto& options = std::string(pipeline) == "aberration_trial" ? noScreen : more;
        const std::string view = shippedPipeline(pipeline).views.front().id;
        test::expectSame(test::runViews(pipeline, iq, "cpu", {view}, options)[view],
                         test::runViews(pipeline, rf, "cpu", {view}, options)[view], 1e-3);
    }
}

TEST_F(FittedPipelines, TheLoopOnTransmitTakesIq) {
    const std::string iq = asIq(test::simulatedFullMatrix(), "rf");
    for (const char* pipeline : {"aberration_transmit", "aberration_transmit_trial"}) {
        SCOPED_TRACE(pipeline);
        const auto images = test::runViews(pipeline, iq, "cpu", {"image"}, {"--frames", "2"});
        ASSERT_TRUE(images.contains("image"));
        const auto& image = images.at("image");
        EXPECT_GT(*std::ranges::max_element(image), -3.0F) << "below the brightest so far";
    }
}

TEST_F(FittedPipelines, WhatAPipelineIsAboutIsNotLeftOut) {
    const std::string iq = asIq(bundled("aberrated_cine.echolux.h5"), "rf");
    for (const char* pipeline : {"zero_phase", "fir_linear_gray"}) {
        const auto run = runEcholux({"run", pipeline, iq, "--backend", "cpu", "--frames", "1"});
        EXPECT_EQ(run.status, 2);
        EXPECT_THAT(run.err, AllOf(HasSubstr("Stage 'bandpass'"), HasSubstr("complex_f32")));
    }
}

/// Each view of each pipeline on the recording has places in metres.
void expectPlaces(const std::string& recording, const std::vector<std::string>& pipelines) {
    const test::TemporaryFolder folder;
    for (const std::string& pipeline : pipelines) {
        SCOPED_TRACE(pipeline);
        std::vector<std::string> words{"run", pipeline,   recording, "--backend",
                                       "cpu", "--frames", "1"};
        std::vector<std::string> views;
        for (const ViewConfig& view : shippedPipeline(pipeline).views) views.push_back(view.id);
        if (views.empty()) views.emplace_back("image");
        for (const std::string& view : views) {
            words.emplace_back("--write");
            words.push_back(view + "=" + (folder / (pipeline + view + ".npy")).string());
        }
        const auto run = runEcholux(words);
        ASSERT_EQ(run.status, 0) << run.err;
        for (const std::string& view : views) {
            SCOPED_TRACE(view);
            std::ifstream stream(folder / (pipeline + view + ".json"));
            const auto axes = nlohmann::json::parse(stream).at("axes");
            ASSERT_EQ(axes.size(), 2U);
            for (const auto& axis : axes) EXPECT_EQ(axis.at("unit"), "m") << axis;
        }
    }
}

TEST_F(FittedPipelines, ViewsOfFanningBeamsLieInThePlane) {
    const std::vector<std::string> pipelines{
        "rf",          "rf_sum",         "aberration",      "aberration_split",
        "compounding", "low_resolution", "delayed_channel", "frame_difference",
        "beamformers", "refocused",      "compressed"};
    expectPlaces(bundled("sector.h5"), pipelines);
    expectPlaces(curved(), {"aberration", "aberration_split", "fir_linear_gray"});
}

TEST_F(FittedPipelines, ComparedSectorsDifferNowhereBesideThem) {
    const std::string sector = bundled("sector.h5");
    auto images = test::runViews("compounding", sector, "cpu", {"coherent", "middle", "difference"},
                                 {"--frames", "1"});
    const auto& coherent = images["coherent"];
    const auto& middle = images["middle"];
    const auto& difference = images["difference"];
    ASSERT_FALSE(coherent.empty());
    ASSERT_EQ(difference.size(), coherent.size());
    for (std::size_t i = 0; i < coherent.size(); ++i) {
        const float expected = coherent[i] - middle[i];
        ASSERT_EQ(std::isnan(difference[i]), std::isnan(expected)) << i;
        if (!std::isnan(expected)) {
            ASSERT_EQ(difference[i], expected) << i;
        }
    }
    EXPECT_TRUE(std::isnan(difference.front())) << "a corner, where no beam goes";
    test::expectSame(coherent,
                     test::runByHand({{"to_float"},
                                      {"dc_removal"},
                                      {"bandpass"},
                                      {"analytic"},
                                      {"beamform"},
                                      {"envelope"},
                                      {"log_compression"},
                                      {"scan_conversion"}},
                                     sector, "cpu", {"--frames", "1"}),
                     0.0);
}

TEST_F(FittedPipelines, AnImageGridNeedsNoScanConversion) {
    const std::string out = file("image.npy");
    const std::string recording = curved();
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, std::vector<std::string>{"--output-of", "envelope"}}) {
        std::vector<std::string> words{"render", recording, "-o",
                                       out,      "--force", "--backend",
                                       "cpu",    "--set",   "beamform.grid=image"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = runEcholux(words);
        ASSERT_EQ(run.status, 0) << run.err;
        for (const auto& axis : axesOf(out)) EXPECT_EQ(axis.at("unit"), "m");
    }
    // Of somebody's own pipeline, too, what stands behind the output does not count.
    const std::string own = file("own.toml");
    std::ofstream(own) << "version = 1\n[[stage]]\ntype = \"to_float\"\n"
                          "[[stage]]\ntype = \"analytic\"\n"
                          "[[stage]]\ntype = \"beamform\"\nset = { grid = \"image\" }\n"
                          "[[stage]]\ntype = \"envelope\"\n"
                          "[[stage]]\ntype = \"scan_conversion\"\n";
    const auto whole = runEcholux(
        {"render", recording, "-o", out, "--force", "--backend", "cpu", "--pipeline", own});
    EXPECT_EQ(whole.status, 2);
    EXPECT_THAT(whole.err, HasSubstr("needs beams that fan out"));
    for (const char* command : {"render", "export"}) {
        const auto part = runEcholux({command, recording, "-o", out, "--force", "--backend", "cpu",
                                      "--pipeline", own, "--output-of", "envelope"});
        EXPECT_EQ(part.status, 0) << part.err;
    }
}

/// Each output of a stage, as export takes them.
TEST_F(FittedPipelines, AnyOutputOfAStageIsRendered) {
    const std::string out = file("quality.npy");
    const auto render = [&](const std::string& output) {
        return runEcholux({"render", bundled("phantom_cine.echolux.h5"), "-o", out, "--force",
                           "--backend", "cpu", "--pipeline", "strain", "--output-of", output});
    };
    for (const char* output : {"quality@displacement", "displacement", "quality"}) {
        const auto run = render(output);
        EXPECT_EQ(run.status, 0) << output << ": " << run.err;
    }
    EXPECT_THAT(render("quality@strain").err, HasSubstr("'strain' has no output 'quality'"));
    EXPECT_THAT(render("recording").err, HasSubstr("echolux export"));
}

TEST_F(FittedPipelines, AGridOfPointsIsXAndZOnBeamsToo) {
    const std::string recording = bundled("sector.h5");
    const std::string out = file("grid.npy");
    const std::vector<std::string> words{
        "render", recording, "-o", out, "--force", "--backend", "cpu", "--output-of", "envelope"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return runEcholux(more);
    };
    const auto grid = with({"--grid", "-10:10:81,20:60:161"});
    ASSERT_EQ(grid.status, 0) << grid.err;
    EXPECT_THAT(grid.err, HasSubstr("transmit_aperture=shadow"));
    const auto axes = axesOf(out);
    EXPECT_EQ(axes[0].at("name"), "depth");
    EXPECT_EQ(axes[0].at("size"), 161);
    EXPECT_NEAR(axes[0].at("origin").get<double>(), 20e-3, 1e-9);
    EXPECT_EQ(axes[1].at("unit"), "m");
    EXPECT_EQ(axes[1].at("size"), 81);
    EXPECT_NEAR(axes[1].at("origin").get<double>(), -10e-3, 1e-9);
    EXPECT_NEAR(axes[1].at("spacing").get<double>(), 0.25e-3, 1e-9);
    const std::vector<float> points = test::npyValues(out);
    const auto explicitly =
        with({"--set", "beamform.grid=image", "--set", "beamform.transmit_aperture=shadow",
              "--grid", "-10:10:81,20:60:161"});
    ASSERT_EQ(explicitly.status, 0) << explicitly.err;
    EXPECT_EQ(test::npyValues(out), points);
    const auto both = with({"--set", "beamform.grid=beams", "--grid", "-10:10:81,20:60:161"});
    EXPECT_EQ(both.status, 2);
    EXPECT_THAT(both.err, AllOf(HasSubstr("points in x and z"), HasSubstr("leave one")));
}

} // namespace
} // namespace echolux
