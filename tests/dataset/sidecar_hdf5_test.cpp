// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars of HDF5 files: datasets per frame, slices, complex numbers in two.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(SidecarTest, Hdf5DatasetsPerFrameAndTransmit) {
    const auto path = m_folder / "data.h5";
    {
        Hdf5Builder file(path);
        for (int frame = 1; frame <= 2; ++frame)
            for (int shot = 1; shot <= 2; ++shot) {
                std::vector<std::int16_t> values = countedUp<std::int16_t>(12);
                for (auto& value : values)
                    value = static_cast<std::int16_t>(value + 100 * frame + 50 * (shot - 1));
                file.add("rf/frame_" + std::to_string(frame) + "/shot_" + std::to_string(shot),
                         {3, 4}, values, shot == 2);
            }
        file.add<double>("fs", {1, 1}, {20e6});
        file.add<double>("shift", {1}, {3e-6});
        file.add<float>("angles", {2}, {-0.1F, 0.1F});
        file.add<double>("geometry", {3, 3}, {-1e-3, 0, 1e-3, 0, 0, 0, 1e-4, 0, 1e-4});
    }
    const std::string text = "sound_speed = 1540\n"
                             "[data]\narray = \"rf/frame_{frame}/shot_{transmit}\"\n"
                             "first_index = 1\naxes = [\"channel\", \"sample\"]\n"
                             "[probe]\nelements = \"geometry\"\n"
                             "[signal]\nsampling_frequency = \"fs\"\ncentre_frequency = 5e6\n"
                             "first_sample = { from = \"shift\", scale = -1 }\n"
                             "[transmit]\nangles = \"angles\"\n";
    writeFile(m_folder / "data.toml", text);
    const auto recording = openRecording(path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    EXPECT_NEAR(info.frame.acquisition->transmits[0].firstSampleS, -3e-6, 1e-15);
    EXPECT_NEAR(info.frame.acquisition->transmits[1].angleRad, 0.1, 1e-7);
    EXPECT_EQ(frameOf(*recording, 1)[0], 200.0);
    EXPECT_EQ(frameOf(*recording, 1)[13], 251.0);

    std::string wrong = text;
    wrong.replace(wrong.find("first_index = 1"), 15, "first_index = 3");
    writeFile(m_folder / "data.toml", wrong);
    EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("frame_3"), HasSubstr("'rf/frame_1/shot_1'")));
}

TEST_F(SidecarTest, Hdf5FramesAreSlicedAtAnyAxis) {
    const auto path = m_folder / "slices.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("rf", {5, 3, 4}, countedUp<float>(60), true);
        file.add<float>("last", {3, 4, 5}, countedUp<float>(60));
    }
    Parts parts;
    parts.transmit = "";
    parts.data = "array = \"rf\"\naxes = [\"frame\", \"channel\", \"sample\"]\n";
    writeFile(m_folder / "slices.toml", parts.text());
    auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(frameOf(*recording, 3)[2], 3 * 12 + 2);
    parts.data = "array = \"last\"\naxes = [\"channel\", \"sample\", \"frame\"]\n";
    writeFile(m_folder / "slices.toml", parts.text());
    recording = openRecording(path);
    EXPECT_EQ(frameOf(*recording, 3)[2], 2 * 5 + 3);
}

TEST_F(SidecarTest, RealAndImaginaryDatasets) {
    const auto path = m_folder / "iq.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("data/real", {2, 3, 4}, countedUp<float>(24));
        file.add<float>("data/imag", {2, 3, 4}, std::vector<float>(24, -7.0F));
    }
    Parts parts;
    parts.data = "array = [\"data/real\", \"data/imag\"]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    parts.signal = "sampling_frequency = 5e6\ndemodulation_frequency = 5e6\n";
    writeFile(m_folder / "iq.toml", parts.text());
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexF32);
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[10], 5.0);
    EXPECT_EQ(values[11], -7.0);
}

} // namespace
} // namespace echolux::test
