// SPDX-License-Identifier: GPL-3.0-or-later
// The native recording gives back what was written, and refuses what it must.
#include "app/dataset/native/native_recording.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "gpu/core/error.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/native_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace echolux {

namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

/// The sentence with which opening fails.
std::string refusal(const std::filesystem::path& path) {
    try {
        openNative(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "opened";
}

Hdf5Handle openToDamage(const std::filesystem::path& path) {
    return Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
}

void expectSame(const FrameSpec& a, const FrameSpec& b) {
    EXPECT_EQ(a.dtype, b.dtype);
    EXPECT_EQ(a.axes, b.axes);
    EXPECT_EQ(a.codeOffset, b.codeOffset);
    EXPECT_EQ(a.codeScale, b.codeScale);
    EXPECT_EQ(a.converterRange, b.converterRange);
    EXPECT_EQ(a.centreFrequencyHz, b.centreFrequencyHz);
    EXPECT_EQ(a.demodulationFrequencyHz, b.demodulationFrequencyHz);
    ASSERT_TRUE(a.acquisition && b.acquisition);
    EXPECT_EQ(a.acquisition->soundSpeedMps, b.acquisition->soundSpeedMps);
    EXPECT_EQ(a.acquisition->receiveWeights, b.acquisition->receiveWeights);
    const Probe& p = a.acquisition->probe;
    const Probe& q = b.acquisition->probe;
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.pitchM, q.pitchM);
    EXPECT_EQ(p.elementWidthM, q.elementWidthM);
    EXPECT_EQ(p.centreFrequencyHz, q.centreFrequencyHz);
    EXPECT_EQ(p.fractionalBandwidth, q.fractionalBandwidth);
    ASSERT_EQ(p.elements.size(), q.elements.size());
    for (std::size_t i = 0; i < p.elements.size(); ++i) {
        EXPECT_EQ(p.elements[i].x, q.elements[i].x);
        EXPECT_EQ(p.elements[i].y, q.elements[i].y);
        EXPECT_EQ(p.elements[i].z, q.elements[i].z);
    }
    ASSERT_EQ(a.acquisition->transmits.size(), b.acquisition->transmits.size());
    for (std::size_t i = 0; i < a.acquisition->transmits.size(); ++i) {
        const Transmit& t = a.acquisition->transmits[i];
        const Transmit& u = b.acquisition->transmits[i];
        EXPECT_EQ(t.wave, u.wave);
        EXPECT_EQ(t.angleRad, u.angleRad);
        EXPECT_EQ(t.source.x, u.source.x);
        EXPECT_EQ(t.source.y, u.source.y);
        EXPECT_EQ(t.source.z, u.source.z);
        EXPECT_EQ(t.firstSampleS, u.firstSampleS);
        EXPECT_EQ(t.iqPhaseZeroS, u.iqPhaseZeroS);
    }
}

class NativeRoundTrip : public testing::TestWithParam<DType> {};

TEST_P(NativeRoundTrip, keepsEveryByteAndFact) {
    const TemporaryFolder folder;
    const auto path = folder / "a.echolux.h5";
    FrameSpec spec = test::sampleSpec(GetParam(), 3, 5, 41);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (int i = 0; i < 15; ++i) acquisition->receiveWeights.push_back(static_cast<float>(i % 3));
    spec.acquisition = acquisition;
    test::writeSample(path, spec, 7);

    EXPECT_TRUE(isNative(path));
    const auto recording = openNative(path);
    EXPECT_EQ(recording->info().frameCount, 7);
    EXPECT_EQ(recording->info().frameRateHz, 25.0);
    EXPECT_TRUE(recording->info().warnings.empty());
    expectSame(recording->info().frame, spec);
    test::expectFrames(*recording);
}

INSTANTIATE_TEST_SUITE_P(EachType, NativeRoundTrip,
                         testing::Values(DType::U8, DType::I16, DType::U16, DType::Packed12,
                                         DType::F32, DType::ComplexI16, DType::ComplexF32),
                         [](const auto& each) { return std::string(nameOf(each.param)); });

TEST(NativeRecording, keepsProvenance) {
    const TemporaryFolder folder;
    test::writeSample(folder / "a.h5", test::sampleSpec(DType::I16, 1, 2, 30), 1);
    const auto notes = openNative(folder / "a.h5")->info().notes;
    EXPECT_THAT(notes, Contains(Pair("program", "echolux test")));
    EXPECT_THAT(notes, Contains(Pair("source", "a test")));
    EXPECT_THAT(notes, Contains(Pair("created", "2026-01-02T03:04:05Z")));
    EXPECT_THAT(notes, Contains(Pair("seed", "18446744073709551615")));
    EXPECT_THAT(notes, Contains(Pair("air", "none µ")));
    EXPECT_EQ(notes.back().first, "empty") << "notes keep their order";
}

TEST(NativeRecording, aRecordingOfARecordingHasNamesOfNotesTwice) {
    const TemporaryFolder folder;
    const FrameSpec spec = test::sampleSpec(DType::I16, 1, 2, 30);
    test::writeSample(folder / "a.h5", spec, 1);
    const auto first = openNative(folder / "a.h5");
    Provenance provenance;
    provenance.program = "echolux again";
    provenance.notes = first->info().notes;
    provenance.notes.emplace_back("program", "echolux long ago");
    std::vector<std::byte> frame(spec.bytes());
    first->readFrame(0, frame);
    NativeWriter writer(folder / "b.h5", spec, 25.0, provenance);
    writer.append(frame);
    writer.close();
    const auto notes = openNative(folder / "b.h5")->info().notes;
    EXPECT_THAT(notes, Contains(Pair("program", "echolux again")));
    EXPECT_THAT(notes, Contains(Pair("program", "echolux test")));
    EXPECT_THAT(notes, Contains(Pair("program (2)", "echolux long ago")));
}

TEST(NativeRecording, keepsLargeFramesInSeveralChunks) {
    const TemporaryFolder folder;
    test::writeSample(folder / "a.h5", test::sampleSpec(DType::I16, 6, 64, 4096), 2);
    const auto recording = openNative(folder / "a.h5");
    EXPECT_EQ(recording->info().frameCount, 2);
    test::expectFrames(*recording);
}

TEST(NativeRecording, knownByContentNotByName) {
    const TemporaryFolder folder;
    test::writeSample(folder / "picture.png", test::sampleSpec(DType::U8, 1, 2, 30), 1);
    EXPECT_TRUE(isNative(folder / "picture.png"));
    EXPECT_FALSE(isNative(folder / "missing.echolux.h5"));
    test::writeBytes(folder / "text.echolux.h5", std::string("no recording"));
    EXPECT_FALSE(isNative(folder / "text.echolux.h5"));
    const auto foreign = folder / "foreign.echolux.h5";
    Hdf5Handle(H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)).close();
    EXPECT_FALSE(isNative(foreign));
    EXPECT_THAT(refusal(foreign), HasSubstr("without the attribute 'echolux_format_version'"));
    EXPECT_THAT(refusal(folder / "text.echolux.h5"), HasSubstr("no HDF5 file"));
    EXPECT_THAT(refusal(folder / "missing.echolux.h5"), HasSubstr("missing.echolux.h5"));
}

/// Of HDF5's old form, which has no checksums, with the size of an attribute's type made larger
/// than its header: HDF5 1.10 would read beyond that.
void writeLyingAttribute(const std::filesystem::path& path, const std::string& name) {
    {
        const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        hdf5::writeInteger(file.get(), native::kVersionName, native::kVersion);
        const Hdf5Handle group(
            H5Gcreate2(file.get(), native::kProbe, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        hdf5::writeReal(group.get(), "pitch_m", 3e-4);
    }
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = bytes.find(std::string_view(name.c_str(), name.size() + 1));
    constexpr std::size_t kTypeSize = 4; // so many bytes before the name
    bytes.at(at - kTypeSize) = static_cast<char>(0xF8);
    bytes.at(at - kTypeSize + 1) = 0x7F;
    test::writeBytes(path, bytes);
}

TEST(NativeRecording, refusesAttributesThatEndBeyondTheirHeader) {
    const TemporaryFolder folder;
    const auto path = folder / "lies.echolux.h5";
    const test::Hdf5MayLeak leak;
    const test::ReadsThroughAProcess apart;
    for (const char* name : {native::kVersionName, "pitch_m"}) {
        writeLyingAttribute(path, name);
        EXPECT_THAT(test::refusalOf(path), HasSubstr("lies.echolux.h5'")) << name;
    }
}

TEST(NativeRecording, refusesVersionsOfTheFuture) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    test::writeSample(path, test::sampleSpec(DType::I16, 1, 2, 30), 1);
    {
        const Hdf5Handle file = openToDamage(path);
        ASSERT_TRUE(file);
        H5Adelete(file.get(), native::kVersionName);
        hdf5::writeInteger(file.get(), native::kVersionName, native::kVersion + 1);
    }
    EXPECT_TRUE(isNative(path));
    EXPECT_THAT(refusal(path), AllOf(HasSubstr("version 6"), HasSubstr("up to 5")));
}

TEST(NativeRecording, refusesContradictions) {
    const TemporaryFolder folder;
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 30);
    const auto damaged = [&](const std::string& name, auto damage) {
        test::writeSample(folder / name, spec, 2);
        {
            const Hdf5Handle file = openToDamage(folder / name);
            damage(file.get());
        }
        return refusal(folder / name);
    };
    const auto frames = [](hid_t file) {
        return Hdf5Handle(H5Dopen2(file, native::kFrames, H5P_DEFAULT));
    };
    EXPECT_THAT(damaged("size.h5",
                        [&](hid_t file) {
                            const Hdf5Handle at = frames(file);
                            H5Adelete(at.get(), native::kAxisSize);
                            hdf5::writeIntegers(at.get(), native::kAxisSize,
                                                std::vector<std::int64_t>{2, 3, 1LL << 39});
                        }),
                HasSubstr("2^40 samples"));
    EXPECT_THAT(damaged("extent.h5",
                        [&](hid_t file) {
                            const Hdf5Handle at = frames(file);
                            H5Adelete(at.get(), native::kAxisSize);
                            hdf5::writeIntegers(at.get(), native::kAxisSize,
                                                std::vector<std::int64_t>{2, 3, 31});
                        }),
                HasSubstr("another extent"));
    EXPECT_THAT(damaged("negative.h5",
                        [&](hid_t file) {
                            const Hdf5Handle at = frames(file);
                            H5Adelete(at.get(), native::kAxisSize);
                            hdf5::writeIntegers(at.get(), native::kAxisSize,
                                                std::vector<std::int64_t>{2, -3, 30});
                        }),
                HasSubstr("channel axis has -3"));
    EXPECT_THAT(damaged("type.h5",
                        [&](hid_t file) {
                            const Hdf5Handle at = frames(file);
                            H5Adelete(at.get(), native::kSampleType);
                            hdf5::writeText(at.get(), native::kSampleType, "u16");
                        }),
                HasSubstr("another type"));
    EXPECT_THAT(
        damaged("frames.h5", [](hid_t file) { H5Ldelete(file, native::kFrames, H5P_DEFAULT); }),
        HasSubstr("before its first frame"));
    EXPECT_THAT(
        damaged("probe.h5", [](hid_t file) { H5Ldelete(file, native::kProbe, H5P_DEFAULT); }),
        HasSubstr("'probe' is missing"));
    EXPECT_THAT(damaged("angles.h5",
                        [](hid_t file) { H5Ldelete(file, "transmits/angle_rad", H5P_DEFAULT); }),
                HasSubstr("'angle_rad' is missing"));
    EXPECT_THAT(damaged("speed.h5",
                        [](hid_t file) {
                            H5Adelete(file, "sound_speed_mps");
                            hdf5::writeReal(file, "sound_speed_mps",
                                            std::numeric_limits<double>::quiet_NaN());
                        }),
                HasSubstr("speed of sound is nan"));
}

TEST(NativeRecording, believesNoClaimOfFramesThatAreNotThere) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    test::writeSample(path, test::sampleSpec(DType::I16, 2, 3, 30), 4);
    {
        const Hdf5Handle file = openToDamage(path);
        const Hdf5Handle frames(H5Dopen2(file.get(), native::kFrames, H5P_DEFAULT));
        const std::vector<hsize_t> extent{1ULL << 60, 2, 3, 30};
        ASSERT_GE(H5Dset_extent(frames.get(), extent.data()), 0);
    }
    const auto recording = openNative(path);
    EXPECT_EQ(recording->info().frameCount, 4);
    EXPECT_EQ(recording->info().warnings.size(), 1U);
    test::expectFrames(*recording);
}

TEST(NativeRecording, aDamagedChunkIsOneErrorAndTheOthersStay) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 300);
    test::writeSample(path, spec, 5);
    haddr_t address = 0;
    hsize_t size = 0;
    {
        const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        const Hdf5Handle frames(H5Dopen2(file.get(), native::kFrames, H5P_DEFAULT));
        const std::vector<hsize_t> at{2, 0, 0, 0};
        ASSERT_GE(H5Dget_chunk_info_by_coord(frames.get(), at.data(), nullptr, &address, &size), 0);
    }
    std::vector<char> bytes = test::bytesOfFile(path);
    bytes.at(address + size / 2) = static_cast<char>(bytes.at(address + size / 2) ^ 0x10);
    test::writeBytes(path, bytes);

    const auto recording = openNative(path);
    ASSERT_EQ(recording->info().frameCount, 5);
    std::vector<std::byte> got(spec.bytes());
    EXPECT_THROW(recording->readFrame(2, got), Error);
    for (const int i : {0, 1, 3, 4}) {
        recording->readFrame(i, got);
        EXPECT_TRUE(got == test::sampleFrame(spec, i));
    }
    EXPECT_THROW(recording->readFrame(5, got), Error);
    EXPECT_THROW(recording->readFrame(-1, got), Error);
}

TEST(NativeWriter, refusesWhatItCannotReplace) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 1, 2, 30);
    test::writeSample(path, spec, 3);
    const auto create = [&](const std::filesystem::path& where, NativeWriterOptions options) {
        NativeWriter writer(where, spec, 25.0, {}, options);
        writer.append(test::sampleFrame(spec, 0));
    };
    EXPECT_THROW(create(path, {}), Error);
    EXPECT_THROW(create(path, {.overwrite = true, .inUse = {path}}), Error);
    EXPECT_THROW(create(folder / "no" / "a.h5", {}), Error);
    EXPECT_THROW(create(folder / ".", {.overwrite = true}), Error);
    EXPECT_EQ(openNative(path)->info().frameCount, 3);
    create(path, {.overwrite = true});
    EXPECT_EQ(openNative(path)->info().frameCount, 1);
}

TEST(NativeWriter, replacingLeavesTheOldFileToItsReader) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 1, 2, 30);
    test::writeSample(path, spec, 3);
    const auto old = openNative(path);
    {
        NativeWriter writer(path, spec, 25.0, {}, {.overwrite = true});
        writer.append(test::sampleFrame(spec, 9));
    }
    test::expectFrames(*old);
}

TEST(NativeWriter, leavesNothingWithoutAFrame) {
    const TemporaryFolder folder;
    const FrameSpec spec = test::sampleSpec(DType::I16, 1, 2, 30);
    { const NativeWriter writer(folder / "a.h5", spec, 25.0, {}); }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
    FrameSpec impossible = spec;
    impossible.axes[1].size = 7;
    EXPECT_THROW(NativeWriter(folder / "b.h5", impossible, 25.0, {}), Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "b.h5"));
    FrameSpec placeless = spec;
    placeless.acquisition = nullptr;
    EXPECT_THROW(NativeWriter(folder / "b.h5", placeless, 25.0, {}), Error);
    NativeWriter writer(folder / "c.h5", spec, 25.0, {});
    EXPECT_THROW(writer.append(std::vector<std::byte>(7)), Error);
}

} // namespace

} // namespace echolux
