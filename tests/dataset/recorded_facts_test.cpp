// SPDX-License-Identifier: GPL-3.0-or-later
// Facts in Echolux recordings that cannot be, and what hinders their writer.
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/native/written_file.hpp"
#include "app/dataset/recording/aberration_truth.hpp"
#include "tests/dataset/crafted_hdf5.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Shape = std::vector<hsize_t>;
using Path = std::filesystem::path;

/// Replaces an attribute; H5T_NATIVE_DOUBLE or H5T_NATIVE_INT64.
template <class T> void setAttribute(const Path& path, const std::string& where, const char* name,
                                     const std::vector<T>& values) {
    const hid_t type = std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110); // for long ones
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()));
    const Hdf5Handle object(H5Oopen(file.get(), where.c_str(), H5P_DEFAULT));
    H5Adelete(object.get(), name);
    const hsize_t count = values.size();
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr));
    const Hdf5Handle made(
        H5Acreate2(object.get(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Awrite(made.get(), type, values.data()), 0);
}

FrameSpec richEchoes() {
    FrameSpec echoes = sampleSpec(DType::I16, 2, 3, 20);
    auto rich = std::make_shared<Acquisition>(*echoes.acquisition);
    rich->steering = Steering::Projections;
    rich->receiveElements = {0, 1, 2, 2, 1, 0};
    rich->rangeWeights = {.values = {1, 1, 1, 1, 1, 1}, .firstM = 0.0, .stepM = 1e-3};
    rich->probe.longAxes.assign(3, LongAxis::Elevation);
    echoes.acquisition = std::move(rich);
    echoes.pose = std::make_shared<const Pose>(
        Pose{.along = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .origin = {1, 2, 3}, .space = "room"});
    return echoes;
}

FrameSpec plainImage() {
    FrameSpec image;
    image.dtype = DType::F32;
    image.recordedForm = RecordedForm::Envelope;
    image.axes = {{AxisName::Depth, 5, 1e-3, 0.0, "m"}, {AxisName::Lateral, 3, 1e-3, 0.0, "m"}};
    return image;
}

/// Contiguous numbers that lie in another file.
void putOutside(const Path& path, const std::string& name, const Shape& extent) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT);
    const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_external(plist.get(), "/etc/hostname", 0, H5F_UNLIMITED);
    const Hdf5Handle space(
        H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
    Hdf5Handle(H5Dcreate2(file.get(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                          plist.get(), H5P_DEFAULT));
}

void putNames(const Path& path, const std::string& name, const std::vector<std::string>& names) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT);
    hdf5::writeNames(file.get(), name, names);
}

TEST(RecordedFacts, ThatCannotBeAreRefusedByName) {
    struct Case {
        const char* name;
        void (*change)(const Path&);
        const char* refusal;
    };
    const std::vector<Case> cases{
        {"version 0",
         [](const Path& p) { setAttribute<std::int64_t>(p, "/", native::kVersionName, {0}); },
         "format version 0 never existed"},
        {"two sizes of three axes",
         [](const Path& p) {
             setAttribute<std::int64_t>(p, native::kFrames, native::kAxisSize, {2, 3});
         },
         "differ in number"},
        {"more spacings than an attribute of ours has",
         [](const Path& p) {
             setAttribute(p, native::kFrames, native::kAxisSpacing, std::vector<double>(9000));
         },
         "axis_spacing"},
        {"eight numbers of a turn",
         [](const Path& p) {
             setAttribute(p, native::kPose, native::kPoseAlong, std::vector<double>(8));
         },
         "along"},
        {"a turn that is no number",
         [](const Path& p) {
             setAttribute(p, native::kPose, native::kPoseAlong,
                          std::vector<double>(9, std::nan("")));
         },
         "along"},
        {"a turn of whole numbers",
         [](const Path& p) {
             setAttribute(p, native::kPose, native::kPoseAlong, std::vector<std::int64_t>(9));
         },
         "along"},
        {"an unknown wave",
         [](const Path& p) {
             putNames(p, "transmits/wave", {"plane", "sideways"});
         },
         "wave"},
        {"waves that are numbers",
         [](const Path& p) {
             Hdf5Editor(p).numbers("transmits/wave", {2}, {1, 2});
         },
         "wave"},
        {"names of 100 letters",
         [](const Path& p) {
             putNames(p, "transmits/wave", {"plane", std::string(100, 'x')});
         },
         "wave"},
        {"names that are not written",
         [](const Path& p) {
             const Hdf5Handle file(H5Fopen(p.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
             H5Ldelete(file.get(), "transmits/wave", H5P_DEFAULT);
             const Hdf5Handle type(H5Tcopy(H5T_C_S1));
             H5Tset_size(type.get(), 9);
             hdf5_crafts::dataset(file.get(), "transmits/wave", type.get(), {2});
         },
         "wave"},
        {"an unknown axis",
         [](const Path& p) {
             putNames(p, "probe/long_axis", {"up", "up", "up"});
         },
         "long_axis"},
        {"an unknown steering",
         [](const Path& p) { Hdf5Editor(p).textAttribute("transmits", "steering", "sideways"); },
         "steering"},
        {"an element that the probe lacks",
         [](const Path& p) {
             Hdf5Editor(p).numbers("transmits/receive_element", {2, 3}, {0, 1, 2, 2, 1, 3});
         },
         "counted from 0 to 2"},
        {"half an element",
         [](const Path& p) {
             Hdf5Editor(p).numbers("transmits/receive_element", {2, 3}, {0, 1, 2, 2, 1, 0.5});
         },
         "counted from 0 to 2"},
        {"too many steps of weights",
         [](const Path& p) {
             Hdf5Editor(p).zeros("receive_weights/weight", {3, RangeWeights::kMostSteps + 1});
         },
         "weight"},
        {"angles in another file", [](const Path& p) { putOutside(p, "transmits/angle_rad", {2}); },
         "angle_rad"},
        {"elements in another file",
         [](const Path& p) {
             putOutside(p, "probe/element_position_m", {3, 3});
         },
         "element_position_m"},
        {"more elements than any probe",
         [](const Path& p) {
             const Hdf5Handle file(H5Fopen(p.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
             H5Ldelete(file.get(), "probe/element_position_m", H5P_DEFAULT);
             hdf5_crafts::dataset(file.get(), "probe/element_position_m", H5T_IEEE_F64LE,
                                  {hsize_t{1} << 32U, 3}, {1, 3});
         },
         "element_position_m"},
    };
    const ReadsInside inside;
    const TemporaryFolder folder;
    const auto path = folder / "facts.echolux.h5";
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        std::filesystem::remove(path);
        writeSample(path, richEchoes(), 2);
        ASSERT_THAT(refusalOf(path), IsEmpty());
        each.change(path);
        EXPECT_THAT(refusalOf(path), HasSubstr(each.refusal));
    }
}

TEST(RecordedFacts, ThatAreOptionalAreUnknownWhereTheyCannotBe) {
    const TemporaryFolder folder;
    const auto path = folder / "facts.echolux.h5";
    writeSample(path, richEchoes(), 2);
    setAttribute(path, native::kFrames, native::kConverterRange, std::vector<double>(3));
    setAttribute(path, native::kFrames, native::kFrameRate, std::vector{-5.0});
    const auto echoes = openNative(path);
    EXPECT_FALSE(echoes->info().frame.converterRange);
    EXPECT_EQ(echoes->info().frameRateHz, 0.0);
    ASSERT_NE(echoes->info().frame.pose, nullptr);
    EXPECT_EQ(echoes->info().frame.pose->space, "room");

    const auto image = folder / "image.echolux.h5";
    writeSample(image, plainImage(), 2);
    setAttribute(image, native::kImage, native::kOneWay, std::vector{0.0});
    setAttribute(image, native::kImage, native::kShownRange, std::vector{0.0});
    const auto opened = openNative(image);
    EXPECT_FALSE(opened->info().frame.isOneWay);
    EXPECT_FALSE(opened->info().frame.valueRange);
}

TEST(RecordedFacts, AFileWithoutFramesIsRefused) {
    const TemporaryFolder folder;
    const auto path = folder / "none.echolux.h5";
    writeSample(path, sampleSpec(DType::I16, 1, 2, 30), 1);
    {
        const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        const Hdf5Handle frames(H5Dopen2(file.get(), native::kFrames, H5P_DEFAULT));
        const hsize_t none[]{0, 1, 2, 30};
        ASSERT_GE(H5Dset_extent(frames.get(), none), 0);
    }
    EXPECT_THAT(refusalOf(path), HasSubstr("it holds no whole frame"));
    writeFile(path, "\x89HDF");
    EXPECT_FALSE(isNative(path));
}

TEST(RecordedFacts, FramesAreAskedForByNumberAndSize) {
    const TemporaryFolder folder;
    const auto path = folder / "asked.echolux.h5";
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    writeSample(path, spec, 2);
    const auto recording = openNative(path);
    std::vector<std::byte> small(spec.bytes() - 1);
    EXPECT_THROW(recording->readFrame(0, small), Error);
    EXPECT_THAT(recording->partsOf(-1), IsEmpty());
    EXPECT_THAT(recording->partsOf(2), IsEmpty());
    EXPECT_EQ(recording->partsOf(1).size(), 1U);
}

/// HDF5 compares the files that are open, to share those that are the same.
TEST(RecordedFacts, CutOffFilesOpenBesideEachOther) {
    const TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 300);
    std::vector<std::unique_ptr<Recording>> all;
    for (const char* name : {"a.h5", "b.h5", "c.h5"}) {
        writeSample(folder / name, spec, 4);
        std::filesystem::resize_file(folder / name,
                                     std::filesystem::file_size(folder / name) - 700);
    }
    for (const char* name : {"b.h5", "a.h5", "c.h5", "b.h5", "a.h5"})
        all.push_back(openNative(folder / name));
    for (const auto& each : all) expectFrames(*each);
}

std::string writingFails(const Path& path, const FrameSpec& spec, const Provenance& provenance = {},
                         const NativeWriterOptions& options = {}) {
    try {
        NativeWriter writer(path, spec, 25.0, provenance, options);
        writer.append(sampleFrame(spec, 0));
        writer.close();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(WrittenFacts, ThatCannotBeAreRefused) {
    struct Case {
        const char* name;
        FrameSpec (*made)();
        void (*change)(FrameSpec&);
        const char* refusal;
    };
    const auto echoes = [] { return sampleSpec(DType::I16, 2, 3, 20); };
    const auto spectra = [] { return spectraSpec(DType::U16, 3, 16); };
    const std::vector<Case> cases{
        {"image and spectra", plainImage,
         [](FrameSpec& f) { f.spectrometer = std::make_shared<const Spectrometer>(); },
         "says how signals were recorded"},
        {"image and probe", plainImage,
         [](FrameSpec& f) { f.acquisition = std::make_shared<const Acquisition>(); },
         "says how signals were recorded"},
        {"packed image", plainImage, [](FrameSpec& f) { f.dtype = DType::Packed12; }, "packed12"},
        {"complex envelope", plainImage, [](FrameSpec& f) { f.dtype = DType::ComplexF32; },
         "complex samples"},
        {"spectra and probe", spectra,
         [](FrameSpec& f) { f.acquisition = std::make_shared<const Acquisition>(); },
         "both a spectrometer and a probe"},
        {"echoes of nobody", echoes, [](FrameSpec& f) { f.acquisition = nullptr; },
         "who transmitted what"},
        {"no samples", echoes, [](FrameSpec& f) { f.axes.back().size = 0; }, "its "},
    };
    const TemporaryFolder folder;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        FrameSpec spec = each.made();
        each.change(spec);
        EXPECT_THAT(writingFails(folder / "new.echolux.h5", spec), HasSubstr(each.refusal));
        EXPECT_FALSE(std::filesystem::exists(folder / "new.echolux.h5"));
    }
}

TEST(WrittenFacts, ComeBackWhereTheyAreFew) {
    const TemporaryFolder folder;
    FrameSpec complex = plainImage();
    complex.dtype = DType::ComplexF32;
    complex.recordedForm = RecordedForm::Beamformed;
    FrameSpec single = spectraSpec(DType::U16, 3, 16);
    single.stack = {3, 20e-6, 1};
    Provenance screened;
    screened.aberration = std::make_shared<const AberrationTruth>(); // of no probe: left out
    int number = 0;
    for (const FrameSpec& spec : {plainImage(), complex, single}) {
        const auto path = folder / fmt::format("{}.echolux.h5", ++number);
        EXPECT_THAT(writingFails(path, spec, screened), IsEmpty());
        const auto recording = openNative(path);
        expectFrames(*recording);
        EXPECT_EQ(recording->info().frame.stack, spec.stack);
        EXPECT_EQ(recording->info().aberration, nullptr);
    }
}

/// 5 transmits of 307 200 bytes: 3 would fit into a chunk of 1 MiB, but 1 divides 5.
TEST(WrittenFacts, ChunksDivideTheFrame) {
    const TemporaryFolder folder;
    const auto path = folder / "large.echolux.h5";
    const FrameSpec spec = sampleSpec(DType::I16, 5, 16, 9600);
    EXPECT_THAT(writingFails(path, spec), IsEmpty());
    expectFrames(*openNative(path));
    EXPECT_EQ(openNative(path)->partsOf(0).size(), 5U);
    FrameSpec vast = sampleSpec(DType::F32, 1, 2, 1);
    vast.axes.back().size = std::int64_t{1} << 30;
    EXPECT_THROW(NativeWriter(folder / "vast.echolux.h5", vast, 25.0, {}), Error);
    EXPECT_FALSE(std::filesystem::exists(folder / "vast.echolux.h5"));
}

TEST(WrittenFacts, EqualRecordingsAreEqualFilesWhereWanted) {
    const TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    for (const char* name : {"a.h5", "b.h5"})
        EXPECT_THAT(writingFails(folder / name, spec, sampleProvenance(), {.repeatable = true}),
                    IsEmpty());
    EXPECT_EQ(bytesOfFile(folder / "a.h5"), bytesOfFile(folder / "b.h5"));
}

std::string appendFails(NativeWriter& writer, const FrameSpec& spec) {
    try {
        writer.append(sampleFrame(spec, 0));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(WrittenFiles, ThatAreDeletedOrClosedTakeNoFrame) {
    const TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    const auto path = folder / "gone.echolux.h5";
    {
        NativeWriter writer(path, spec, 25.0, {});
        EXPECT_THAT(appendFails(writer, spec), IsEmpty());
        std::filesystem::remove(path);
        EXPECT_THAT(appendFails(writer, spec), HasSubstr("its 1 frames are lost"));
        EXPECT_THAT(appendFails(writer, spec), HasSubstr("the recording is closed"));
    }
    NativeWriter lost(path, spec, 25.0, {});
    EXPECT_THAT(appendFails(lost, spec), IsEmpty());
    std::filesystem::remove(path);
    try {
        lost.close();
        ADD_FAILURE() << "it closed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("its 1 frames are lost"));
    }
    EXPECT_THAT(appendFails(lost, spec), HasSubstr("the recording is closed"));
}

TEST(WrittenFiles, AreNotReplacedWhileTheyAreWritten) {
    const TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    const auto path = folder / "now.echolux.h5";
    NativeWriter writer(path, spec, 25.0, {});
    EXPECT_THAT(appendFails(writer, spec), IsEmpty());
    writeFile(folder / "other.h5", "x");
    const NativeWriterOptions options{.overwrite = true, .inUse = {folder / "other.h5"}};
    EXPECT_THAT(writingFails(path, spec, {}, options), HasSubstr("is writing this recording now"));
    writer.close();
    EXPECT_THAT(writingFails(path, spec, {}, options), IsEmpty());
    EXPECT_FALSE(native::isBeingWritten(folder / "none.h5"));
    EXPECT_NO_THROW(checkWritable("a_file_that_nobody_has.echolux.h5"));
}

} // namespace
} // namespace echolux::test
