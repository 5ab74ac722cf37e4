// SPDX-License-Identifier: GPL-3.0-or-later
// Images in the native recording: what they are comes back, beside the numbers of raw frames.
#include "app/dataset/native/native_recording.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "gpu/core/sector.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;

FrameSpec decibels() {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, 3, 1e-4, 2e-3, "m"}, {AxisName::Lateral, 2, 3e-4, -1e-4, "m"}};
    spec.recordedForm = RecordedForm::Decibels;
    spec.valueRange = ValueRange{-50.0, -3.0, "dB", "running maximum"};
    spec.centreFrequencyHz = 5e6;
    return spec;
}

FrameSpec fan() {
    FrameSpec spec = decibels();
    auto sector = std::make_shared<Sector>();
    sector->anglesRad = {-0.3, 0.2};
    sector->apexXM = 1e-3;
    sector->apexZM = -4e-3;
    sector->radiusM = 4e-3;
    spec.sector = sector;
    return spec;
}

std::vector<float> pixels(const FrameSpec& spec, int frame) {
    std::vector<float> values(static_cast<std::size_t>(spec.count()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = -10.0F * static_cast<float>(frame) - static_cast<float>(i);
    return values;
}

void append(NativeWriter& writer, const FrameSpec& spec, int frame, std::int64_t raw) {
    const std::vector<float> values = pixels(spec, frame);
    writer.append(std::as_bytes(std::span(values)), raw);
}

/// Raw frames 4, 5 and 9.
void write(const std::filesystem::path& path, const FrameSpec& spec) {
    NativeWriter writer(path, spec, 25.0, {}, {.rawFile = "take.echolux.h5"});
    for (const int frame : {0, 1, 2}) append(writer, spec, frame, std::vector{4, 5, 9}.at(frame));
    writer.close();
}

/// By HDF5 alone, as another program reads them.
template <class T>
std::vector<T> numbersIn(const std::filesystem::path& path, const char* name, hid_t type) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(data);
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return values;
}

TEST(NativeImages, ComeBackAsTheyAre) {
    const TemporaryFolder folder;
    const auto path = folder / "a.echolux.h5";
    write(path, decibels());
    const auto recording = openRecording(path);
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_EQ(recording->info().frameRateHz, 25.0);
    EXPECT_EQ(frame.axes, decibels().axes);
    EXPECT_EQ(frame.recordedForm, RecordedForm::Decibels);
    EXPECT_EQ(frame.valueRange, decibels().valueRange);
    EXPECT_EQ(frame.centreFrequencyHz, 5e6);
    EXPECT_EQ(frame.sector, nullptr);
    std::vector<float> values(6);
    recording->readFrame(2, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values, pixels(frame, 2));
}

TEST(NativeImages, KeepTheirPose) {
    const TemporaryFolder folder;
    FrameSpec posed = decibels();
    for (const char* space : {"LPS", "tracker"}) {
        const auto path = folder / (std::string(space) + ".echolux.h5");
        Pose pose{{{{0.0, 0.6, -0.8}, {1.0, 0.0, 0.0}, {0.0, 0.8, 0.6}}}, {0.1, -0.02, 3.0}, space};
        posed.pose = std::make_shared<const Pose>(pose);
        write(path, posed);
        const auto read = openRecording(path)->info().frame.pose;
        ASSERT_NE(read, nullptr);
        EXPECT_EQ(*read, pose);
    }
    write(folder / "none.echolux.h5", decibels());
    EXPECT_EQ(openRecording(folder / "none.echolux.h5")->info().frame.pose, nullptr);
}

TEST(NativeImages, KeepWhetherAnythingWasSent) {
    const TemporaryFolder folder;
    FrameSpec heard = decibels();
    heard.isOneWay = true;
    write(folder / "heard.echolux.h5", heard);
    EXPECT_TRUE(openRecording(folder / "heard.echolux.h5")->info().frame.isOneWay);
    write(folder / "sent.echolux.h5", decibels());
    EXPECT_FALSE(openRecording(folder / "sent.echolux.h5")->info().frame.isOneWay);
}

TEST(NativeImages, OtherProgramsFindTheRawFrames) {
    const TemporaryFolder folder;
    const auto path = folder / "a.echolux.h5";
    write(path, decibels());
    EXPECT_THAT(numbersIn<std::int64_t>(path, "raw_frame", H5T_NATIVE_INT64), ElementsAre(4, 5, 9));
    EXPECT_EQ(numbersIn<float>(path, "frames", H5T_NATIVE_FLOAT).size(), 18U);
}

TEST(NativeImages, KeepTheLinesOfASector) {
    const TemporaryFolder folder;
    const auto path = folder / "fan.echolux.h5";
    write(path, fan());
    const auto sector = openRecording(path)->info().frame.sector;
    ASSERT_NE(sector, nullptr);
    EXPECT_THAT(sector->anglesRad, ElementsAre(-0.3, 0.2));
    EXPECT_EQ(sector->apexXM, 1e-3);
    EXPECT_EQ(sector->apexZM, -4e-3);
    EXPECT_EQ(sector->radiusM, 4e-3);
    FrameSpec steered = fan();
    auto lines = std::make_shared<Sector>(*steered.sector);
    lines->starts = {{-1e-3, 0.0, 0.0}, {1e-3, 0.0, 5e-5}};
    steered.sector = lines;
    write(folder / "steered.echolux.h5", steered);
    const auto read = openRecording(folder / "steered.echolux.h5")->info().frame.sector;
    ASSERT_EQ(read->starts.size(), 2U);
    EXPECT_EQ(read->starts[1].x, 1e-3);
    EXPECT_EQ(read->starts[1].z, 5e-5);
}

/// As a kill would leave the file.
TEST(NativeImages, AFileThatWasNeverClosedHasEachImageAndItsNumber) {
    const TemporaryFolder folder;
    const auto copy = folder / "copy.echolux.h5";
    NativeWriter writer(folder / "a.echolux.h5", decibels(), 25.0, {}, {.rawFile = "take"});
    for (int frame = 0; frame < 40; ++frame) append(writer, decibels(), frame, 2 * frame);
    std::filesystem::copy_file(folder / "a.echolux.h5", copy);
    const auto recording = openRecording(copy);
    ASSERT_EQ(recording->info().frameCount, 40);
    std::vector<float> values(6);
    recording->readFrame(39, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values, pixels(decibels(), 39));
    const auto numbers = numbersIn<std::int64_t>(copy, "raw_frame", H5T_NATIVE_INT64);
    ASSERT_EQ(numbers.size(), 40U);
    EXPECT_EQ(numbers[39], 78);
}

TEST(NativeImages, WhatCannotBeIsNotWritten) {
    const TemporaryFolder folder;
    const auto refused = [&](const FrameSpec& spec) {
        return refusal([&] { NativeWriter(folder / "a.h5", spec, 25.0, {}); });
    };
    FrameSpec complex = decibels();
    complex.dtype = DType::ComplexF32;
    EXPECT_THAT(refused(complex), HasSubstr("the form decibels and complex samples"));
    FrameSpec endless = decibels();
    endless.valueRange->max = std::nan("");
    EXPECT_THAT(refused(endless), HasSubstr("shown from"));
    FrameSpec folded = fan();
    auto lines = std::make_shared<Sector>(*folded.sector);
    lines->anglesRad = {0.2, -0.3};
    folded.sector = lines;
    EXPECT_THAT(refused(folded), HasSubstr("order of their angles"));
    lines->anglesRad = {0.2};
    EXPECT_THAT(refused(folded), HasSubstr("1 angles"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
}

TEST(NativeImages, WhatCannotBeIsNotOpened) {
    const TemporaryFolder folder;
    FrameSpec trace = decibels();
    trace.axes[1] = {AxisName::SlowTime, 2, 1e-2, 0.0, "s"};
    write(folder / "trace.h5", trace);
    EXPECT_THAT(refusal([&] { openRecording(folder / "trace.h5"); }),
                HasSubstr("the axes depth and slow_time, and Echolux opens images with depth and "
                          "lateral; read it with h5py"));
    write(folder / "form.h5", decibels());
    const hid_t file = H5Fopen((folder / "form.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(H5Adelete_by_name(file, "image", "form", H5P_DEFAULT), 0);
    H5Fclose(file);
    EXPECT_THAT(refusal([&] { openRecording(folder / "form.h5"); }),
                HasSubstr("'form' is missing or of the wrong kind"));
}

} // namespace
} // namespace echolux
