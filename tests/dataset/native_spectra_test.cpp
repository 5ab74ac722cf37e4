// SPDX-License-Identifier: GPL-3.0-or-later
// The native recording of OCT spectra: what was written comes back, also after a crash, and what
// contradicts itself is refused.
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/native/native_recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/dataset/native_samples.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux {

namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

std::string spectraRefusal(const std::filesystem::path& path) {
    try {
        openRecording(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "opened";
}

void expectSame(const Spectrometer& a, const Spectrometer& b) {
    EXPECT_EQ(a.centreWavelengthM, b.centreWavelengthM);
    EXPECT_EQ(a.bandwidthM, b.bandwidthM);
    EXPECT_EQ(a.background, b.background);
    EXPECT_EQ(a.resampling, b.resampling);
    EXPECT_EQ(a.dispersionRad, b.dispersionRad);
}

class NativeSpectra : public testing::TestWithParam<DType> {};

TEST_P(NativeSpectra, keepEveryByteAndFact) {
    const TemporaryFolder folder;
    const auto path = folder / "a.echolux.h5";
    const FrameSpec spec = test::spectraSpec(GetParam(), 6, 34);
    test::writeSample(path, spec, 5);

    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(recording->info().frameRateHz, 25.0);
    EXPECT_TRUE(recording->info().warnings.empty());
    const FrameSpec& got = recording->info().frame;
    EXPECT_EQ(got.dtype, spec.dtype);
    EXPECT_EQ(got.axes, spec.axes);
    EXPECT_EQ(got.codeOffset, spec.codeOffset);
    EXPECT_EQ(got.codeScale, spec.codeScale);
    EXPECT_EQ(got.acquisition, nullptr);
    ASSERT_NE(got.spectrometer, nullptr);
    expectSame(*got.spectrometer, *spec.spectrometer);
    EXPECT_EQ(got.stack, spec.stack);
    test::expectFrames(*recording);
}

INSTANTIATE_TEST_SUITE_P(EachType, NativeSpectra,
                         testing::Values(DType::U8, DType::U16, DType::Packed12, DType::F32),
                         [](const auto& each) { return std::string(nameOf(each.param)); });

TEST(NativeSpectraFile, keepsFramesOfSeveralBscansAndUnknownFacts) {
    const TemporaryFolder folder;
    FrameSpec spec = test::spectraSpec(DType::U16, 8, 32);
    spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, 4, 1.0, 0.0, ""});
    spec.axes[1] = {AxisName::Lateral, 8, 1.0, 0.0, ""};
    spec.spectrometer = std::make_shared<const Spectrometer>();
    test::writeSample(folder / "a.h5", spec, 2);
    const auto recording = openRecording(folder / "a.h5");
    EXPECT_EQ(recording->info().frame.axes, spec.axes);
    expectSame(*recording->info().frame.spectrometer, Spectrometer{});
    test::expectFrames(*recording);
}

TEST(NativeSpectraFile, channelDataKeepsTheFirstVersion) {
    const TemporaryFolder folder;
    const auto versionOf = [&](const FrameSpec& spec, const std::string& name) {
        test::writeSample(folder / name, spec, 1);
        const Hdf5Handle file(H5Fopen((folder / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        return hdf5::readInteger(file.get(), native::kVersionName);
    };
    EXPECT_EQ(versionOf(test::sampleSpec(DType::I16, 1, 2, 30), "us.h5"), 1);
    EXPECT_EQ(versionOf(test::spectraSpec(DType::U16, 2, 30), "oct.h5"), 2);
}

/// Every cut of the file gives a whole beginning or a sentence.
TEST(NativeSpectraFile, opensUpToItsLastWholeFrame) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    test::writeSample(path, test::spectraSpec(DType::Packed12, 64, 256), 8);
    const std::vector<char> whole = test::bytesOfFile(path);
    const auto cut = folder / "cut.h5";
    std::int64_t most = 0;
    const test::Hdf5MayLeak leak;
    for (std::size_t part = 1; part < 20; ++part) {
        test::writeBytes(cut, std::span(whole).first(whole.size() * part / 20));
        try {
            const auto recording = openRecording(cut);
            EXPECT_EQ(recording->info().warnings.size(), 1U);
            EXPECT_GE(recording->info().frameCount, most);
            most = recording->info().frameCount;
            test::expectFrames(*recording);
        } catch (const Error& error) {
            EXPECT_EQ(most, 0) << error.what();
        }
    }
    EXPECT_GE(most, 6);
}

TEST(NativeSpectraFile, refusesContradictions) {
    const TemporaryFolder folder;
    const auto damaged = [&](const std::string& name, auto damage) {
        test::writeSample(folder / name, test::spectraSpec(DType::U16, 3, 40), 2);
        {
            const Hdf5Handle file(H5Fopen((folder / name).c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
            const Hdf5Handle group(H5Gopen2(file.get(), native::kSpectrometer, H5P_DEFAULT));
            damage(group.get());
        }
        return spectraRefusal(folder / name);
    };
    const auto table = [](hid_t at, const char* name, std::vector<double> values) {
        H5Ldelete(at, name, H5P_DEFAULT);
        hdf5::writeTable(at, name, std::vector<hsize_t>{values.size()}, values);
    };
    EXPECT_THAT(
        damaged("short.h5",
                [&](hid_t at) { table(at, native::kResampling, std::vector<double>(39, 1.0)); }),
        AllOf(HasSubstr("'resampling'"), HasSubstr("missing")));
    EXPECT_THAT(
        damaged("flat.h5",
                [&](hid_t at) { table(at, native::kResampling, std::vector<double>(40, 1.0)); }),
        HasSubstr("not monotonic"));
    EXPECT_THAT(
        damaged("nan.h5",
                [&](hid_t at) { table(at, native::kDispersion, std::vector<double>(40, NAN)); }),
        AllOf(HasSubstr("value 0"), HasSubstr("dispersion phase"), HasSubstr("finite")));
    EXPECT_THAT(damaged("volume.h5",
                        [](hid_t at) {
                            H5Adelete(at, native::kBscansPerVolume);
                            hdf5::writeInteger(at, native::kBscansPerVolume, 0);
                        }),
                HasSubstr("volumes have 0 B-scans"));
    for (const auto& [repeats, sentence] :
         {std::pair{0, "0 B-scans at each place"}, {2, "not a multiple of the 2"}}) {
        const auto damage = [&](hid_t at) {
            H5Adelete(at, native::kBscansPerPlace);
            hdf5::writeInteger(at, native::kBscansPerPlace, repeats);
        };
        EXPECT_THAT(damaged(fmt::format("place{}.h5", repeats), damage), HasSubstr(sentence));
    }
}

TEST(NativeSpectraFile, isNotWrittenWhereItContradictsItself) {
    const TemporaryFolder folder;
    const auto write = [&](const FrameSpec& spec) {
        NativeWriter(folder / "a.h5", spec, 25.0, {});
    };
    FrameSpec spec = test::spectraSpec(DType::U16, 3, 40);
    auto facts = std::make_shared<Spectrometer>(*spec.spectrometer);
    facts->background.pop_back();
    spec.spectrometer = facts;
    EXPECT_THROW(write(spec), Error);
    spec = test::spectraSpec(DType::U16, 3, 40);
    std::swap(spec.axes[0], spec.axes[1]);
    EXPECT_THROW(write(spec), Error);
    spec = test::spectraSpec(DType::U16, 3, 40);
    spec.axes[0].name = AxisName::Channel;
    EXPECT_THROW(write(spec), Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
}

} // namespace

} // namespace echolux
