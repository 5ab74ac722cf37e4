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

/// Ten frames of 1 x 3 x 4 samples in chunks of one frame, of which only `written` are written.
void writeUnfinished(const std::filesystem::path& path, const std::vector<hsize_t>& written) {
    const Hdf5Builder file(path);
    const std::vector<hsize_t> extent{10, 1, 3, 4};
    const std::vector<hsize_t> one{1, 1, 3, 4};
    const hid_t space = H5Screate_simple(4, extent.data(), nullptr);
    const hid_t memory = H5Screate_simple(4, one.data(), nullptr);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 4, one.data());
    const hid_t dataset =
        H5Dcreate2(file.id(), "rf", H5T_STD_I16LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    for (const hsize_t frame : written) {
        const std::vector<hsize_t> start{frame, 0, 0, 0};
        const std::vector<std::int16_t> values(12, static_cast<std::int16_t>(100 + frame));
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr);
        H5Dwrite(dataset, H5T_NATIVE_INT16, memory, space, H5P_DEFAULT, values.data());
    }
    H5Dclose(dataset);
    H5Pclose(layout);
    H5Sclose(memory);
    H5Sclose(space);
}

TEST_F(SidecarTest, Hdf5FramesThatWereNeverWrittenAreLeftOut) {
    m_path = m_folder / "partial.h5";
    writeFile(m_folder / "partial.h5.toml",
              "sound_speed = 1540\n[data]\narray = \"rf\"\n"
              "axes = [\"frame\", \"transmit\", \"channel\", \"sample\"]\n"
              "[probe]\npitch = 0.3e-3\n"
              "[signal]\nsampling_frequency = 20e6\ncentre_frequency = 5e6\n");
    writeUnfinished(m_path, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frameCount, 9);
    EXPECT_THAT(recording->info().warnings,
                testing::Contains(AllOf(HasSubstr("never finished"), HasSubstr("first 9"))));
    EXPECT_EQ(frameOf(*recording, 0)[0], 100.0);
    EXPECT_EQ(frameOf(*recording, 8)[11], 108.0);
    recording.reset(); // HDF5 replaces no file that is open
    writeUnfinished(m_path, {0, 1, 5, 9});
    recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(frameOf(*recording, 1)[0], 101.0);
    recording.reset();
    writeUnfinished(m_path, {3});
    EXPECT_THAT(refusalOf(m_path), HasSubstr("claims 240 bytes"));
    writeUnfinished(m_path, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frameCount, 10);
    EXPECT_THAT(recording->info().warnings,
                testing::Not(testing::Contains(HasSubstr("never finished"))));
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
