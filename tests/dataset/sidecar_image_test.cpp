// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars of images: data that were beamformed before they were recorded.
#include "tests/dataset/sidecar_fixture.hpp"

#include "gpu/core/sector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class SidecarImage : public testing::Test {
protected:
    SidecarImage() { writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(48))); }
    void describe(const std::string& data, const std::string& image) const {
        writeFile(m_folder / "lines.raw.toml",
                  "sound_speed = 1500\n[data]\ndtype = \"<i2\"\n" + data + "[image]\n" + image);
    }
    std::unique_ptr<Recording> open(const std::string& data, const std::string& image) {
        describe(data, image);
        return openRecording(m_path);
    }
    std::string refusal(const std::string& data, const std::string& image) {
        describe(data, image);
        return refusalOf(m_path);
    }
    const std::string m_frames = "shape = [-1, 4, 6]\naxes = [\"frame\", \"lateral\", \"depth\"]\n";
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "lines.raw";
};

TEST_F(SidecarImage, LinesOfRfHaveTheirPlaces) {
    const auto recording =
        open(m_frames, "form = \"beamformed\"\nsampling_frequency = 25e6\ndepth_first = 5e-3\n"
                       "lateral_step = 0.2e-3\ncentre_frequency = 6e6\nframe_rate = 30\n");
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [depth 6][lateral 4]");
    EXPECT_EQ(info.frame.recordedForm, RecordedForm::Beamformed);
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_EQ(info.frameRateHz, 30.0);
    EXPECT_EQ(info.frame.centreFrequencyHz, 6e6);
    const Axis& depth = info.frame.axes[0];
    EXPECT_NEAR(depth.spacing, 1500.0 / 50e6, 1e-15);
    EXPECT_EQ(depth.origin, 5e-3);
    EXPECT_NEAR(info.frame.axes[1].origin, -0.3e-3, 1e-15);
    EXPECT_THAT(info.warnings, IsEmpty());
    EXPECT_EQ(frameOf(*recording, 1)[1], 30.0); // depth 0 of line 1
}

TEST_F(SidecarImage, PairsHaveACarrier) {
    const auto recording =
        open("shape = [4, 6, 2]\naxes = [\"depth\", \"lateral\", \"iq\"]\n",
             "form = \"beamformed\"\ndemodulation_frequency = 5e6\ndepth_step = 0.1e-3\n"
             "lateral_step = 0.2e-3\nlateral_first = 1e-3\n");
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "complex_i16 [depth 4][lateral 6]");
    EXPECT_EQ(frame.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(frame.centreFrequencyHz, 5e6);
    EXPECT_EQ(frame.axes[1].origin, 1e-3);
}

TEST_F(SidecarImage, VolumesOfLevels) {
    const auto recording =
        open("shape = [2, 4, 6]\naxes = [\"elevation\", \"depth\", \"lateral\"]\n"
             "code_scale = 0.5\n",
             "form = \"decibels\"\ndepth_step = 1e-4\nlateral_step = 2e-4\n"
             "elevation_step = 3e-4\nshown_range = [-60, 0]\n");
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "i16 [elevation 2][depth 4][lateral 6]");
    EXPECT_NEAR(frame.axes[0].origin, -1.5e-4, 1e-15);
    EXPECT_EQ(frame.codeScale, 0.5);
    ASSERT_TRUE(frame.valueRange);
    EXPECT_EQ(frame.valueRange->min, -60.0);
    EXPECT_EQ(frame.valueRange->unit, "dB");
}

TEST_F(SidecarImage, SectorsFanOut) {
    const std::string sector = "form = \"envelope\"\ndepth_step = 1e-4\nradius = 0.06\n"
                               "apex = [0, -0.06]\n";
    auto recording = open(m_frames, sector + "angles_deg = [-30, -10, 10, 30]\n");
    const FrameSpec& frame = recording->info().frame;
    ASSERT_NE(frame.sector, nullptr);
    EXPECT_NEAR(frame.sector->anglesRad[3], 30 * kDeg, 1e-12);
    EXPECT_EQ(frame.sector->radiusM, 0.06);
    EXPECT_EQ(frame.sector->apexZM, -0.06);
    EXPECT_NEAR(frame.axes[1].spacing, 20 * kDeg, 1e-12);
    recording = open(m_frames, sector + "angle_step_deg = 20\n");
    EXPECT_NEAR(recording->info().frame.sector->anglesRad[0], -30 * kDeg, 1e-12);
}

TEST_F(SidecarImage, PicturesNeedNoScale) {
    const auto recording =
        open("shape = [8, 6]\naxes = [\"depth\", \"lateral\"]\n", "form = \"picture\"\n");
    EXPECT_THAT(recording->info().warnings,
                AllOf(Contains(HasSubstr("depth_step")), Contains(HasSubstr("lateral_step"))));
    EXPECT_EQ(recording->info().frame.axes[0].unit, "");
}

TEST_F(SidecarImage, ContradictionsAreRefused) {
    const std::string lines = "form = \"beamformed\"\ndepth_step = 1e-4\nlateral_step = 1e-4\n";
    EXPECT_THAT(refusal(m_frames, "depth_step = 1e-4\n"), HasSubstr("image.form"));
    EXPECT_THAT(refusal(m_frames, "form = \"volume\"\n"), HasSubstr("decibels"));
    EXPECT_THAT(refusal(m_frames, lines + "sampling_frequency = 1e6\n"), HasSubstr("keep one"));
    EXPECT_THAT(refusal(m_frames, lines + "angle_step_deg = 1\n"), HasSubstr("sector"));
    EXPECT_THAT(refusal(m_frames, lines + "radius = 0.06\n"), HasSubstr("belong to a sector"));
    EXPECT_THAT(refusal(m_frames, lines + "shown_range = [-60, 0]\n"), HasSubstr("decibels"));
    EXPECT_THAT(refusal(m_frames, lines + "demodulation_frequency = 1e6\n"), HasSubstr("real"));
    EXPECT_THAT(refusal(m_frames, "form = \"envelope\"\nlateral_first = 1e-3\n"),
                HasSubstr("lateral_step"));
    EXPECT_THAT(refusal(m_frames, "form = \"envelope\"\ndepth_step = 1e-4\n"
                                  "angles_deg = [0, 2, 1, 3]\n"),
                HasSubstr("do not rise"));
    EXPECT_THAT(refusal(m_frames, "form = \"envelope\"\nangles_deg = [0, 1]\n"),
                HasSubstr("4 lines"));
    EXPECT_THAT(refusal("shape = [4, 6, 2]\naxes = [\"depth\", \"lateral\", \"iq\"]\n",
                        "form = \"envelope\"\n"),
                HasSubstr("no phase"));
    EXPECT_THAT(refusal("shape = [8, 6]\naxes = [\"channel\", \"sample\"]\n", lines),
                HasSubstr("axes of images"));
    EXPECT_THAT(refusal(m_frames, lines + "[probe]\npitch = 1\n"), HasSubstr("'probe'"));
}

} // namespace
} // namespace echolux::test
