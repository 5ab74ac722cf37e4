// SPDX-License-Identifier: GPL-3.0-or-later
// What is written and read back: numbers of MATLAB's classes, frames as NumPy arrays with their
// axes, stamps of frames, and facts in words.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "gpu/core/sector.hpp"
#include "tests/dataset/altered_hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T> matvar_t* ofClass(const char* name, matio_classes kind, matio_types stored) {
    std::vector<T> values{T{0}, T{1}, std::numeric_limits<T>::max()};
    std::size_t dims[2] = {1, 3};
    return Mat_VarCreate(name, kind, stored, 2, dims, values.data(), 0);
}

TEST(MatClasses, AllNumbersAreRead) {
    const TemporaryFolder folder;
    const auto path = folder / "classes.mat";
    for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
        std::filesystem::remove(path);
        {
            MatBuilder mat(path, version, MAT_COMPRESSION_NONE);
            mat.add(ofClass<std::int8_t>("i1", MAT_C_INT8, MAT_T_INT8));
            mat.add(ofClass<std::uint8_t>("u1", MAT_C_UINT8, MAT_T_UINT8));
            mat.add(ofClass<std::int16_t>("i2", MAT_C_INT16, MAT_T_INT16));
            mat.add(ofClass<std::uint16_t>("u2", MAT_C_UINT16, MAT_T_UINT16));
            mat.add(ofClass<std::int32_t>("i4", MAT_C_INT32, MAT_T_INT32));
            mat.add(ofClass<std::uint32_t>("u4", MAT_C_UINT32, MAT_T_UINT32));
            mat.add(ofClass<std::int64_t>("i8", MAT_C_INT64, MAT_T_INT64));
            mat.add(ofClass<std::uint64_t>("u8", MAT_C_UINT64, MAT_T_UINT64));
            mat.add(ofClass<float>("f4", MAT_C_SINGLE, MAT_T_SINGLE));
            mat.add(ofClass<double>("f8", MAT_C_DOUBLE, MAT_T_DOUBLE));
        }
        const MatVariables all =
            version == MAT_FT_MAT5 ? readMat5(InputFile(path)) : readMat73(path);
        const auto mostOf = [&](const std::string& name) {
            const auto at = std::ranges::find(all, name, &MatVariables::value_type::first);
            EXPECT_NE(at, all.end()) << name;
            const std::vector<double> values = at->second.numbers();
            EXPECT_EQ(values.size(), 3U) << name;
            EXPECT_EQ(values[1], 1.0) << name;
            return values[2];
        };
        EXPECT_EQ(mostOf("i1"), 127.0);
        EXPECT_EQ(mostOf("u1"), 255.0);
        EXPECT_EQ(mostOf("i2"), 32767.0);
        EXPECT_EQ(mostOf("u2"), 65535.0);
        EXPECT_EQ(mostOf("i4"), 2147483647.0);
        EXPECT_EQ(mostOf("u4"), 4294967295.0);
        EXPECT_EQ(mostOf("i8"), 0x1p63);
        EXPECT_EQ(mostOf("u8"), 0x1p64);
        EXPECT_EQ(mostOf("f4"), static_cast<double>(std::numeric_limits<float>::max()));
        EXPECT_EQ(mostOf("f8"), std::numeric_limits<double>::max());
    }
}

TEST(FramesAsNumpy, HaveTheirAxesBesideThem) {
    const TemporaryFolder folder;
    FrameSpec spec;
    spec.dtype = DType::F32;
    spec.axes = {{AxisName::Depth, 2, 1e-3, 0.0, "m"}, {AxisName::Lateral, 3, 1.0, 0.0, ""}};
    spec.sector =
        std::make_shared<const Sector>(Sector{.radiusM = 10e-3, .anglesRad = {-0.1, 0.0, 0.2}});
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", "maximum"};
    const std::vector<float> values{0, 1, 2, 3, 4, 5};
    writeNpy(folder / "image.npy", spec, std::as_bytes(std::span(values)));
    const std::string bytes = readFile(folder / "image.npy");
    EXPECT_THAT(bytes, HasSubstr("'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, )"));
    EXPECT_EQ(bytes.size() % 64, 24U) << "the header ends at a multiple of 64";
    const auto axes = nlohmann::json::parse(readFile(folder / "image.json"));
    EXPECT_EQ(axes["axes"][0]["spacing"], 1e-3);
    EXPECT_EQ(axes["lines"]["angle_rad"], (std::vector<double>{-0.1, 0.0, 0.2}));
    EXPECT_NEAR(axes["lines"]["x_m"][2].get<double>(), 10e-3 * std::sin(0.2), 1e-12);
    EXPECT_NEAR(axes["lines"]["z_m"][1].get<double>(), 10e-3, 1e-12);
    EXPECT_EQ(axes["value_range"]["unit"], "dB");
    spec.dtype = DType::ComplexF32;
    const std::vector<float> pairs(12);
    writeNpy(folder / "pairs.npy", spec, std::as_bytes(std::span(pairs)));
    EXPECT_THAT(readFile(folder / "pairs.npy"), HasSubstr("'<c8'"));
    spec.dtype = DType::I16;
    EXPECT_THROW(writeNpy(folder / "codes.npy", spec, std::as_bytes(std::span(values))), Error);
}

/// Frames whose source counts 20 per second by its own clock or, without one, by their arrival.
void writeStamped(const std::filesystem::path& path, bool device, double statedHz,
                  const Pose* pose) {
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 20);
    NativeWriter writer(path, spec, statedHz, sampleProvenance(),
                        {.overwrite = true, .stamped = true});
    for (std::int64_t i = 0; i < 21; ++i) {
        FrameStamp stamp{.number = i,
                         .deviceNs = device ? i * 50'000'000 : -1,
                         .arrivalNs = 1'000'000'000 + i * 50'000'000};
        if (pose != nullptr) stamp.pose = std::make_shared<const Pose>(*pose);
        writer.append(sampleFrame(spec, i), stamp);
    }
    writer.close();
}

TEST(StampedFrames, TellTheRateThatCounts) {
    const TemporaryFolder folder;
    const auto path = folder / "stamped.echolux.h5";
    for (const bool device : {true, false}) {
        writeStamped(path, device, 20.0, nullptr);
        EXPECT_EQ(openNative(path)->info().frameRateHz, 20.0);
        writeStamped(path, device, 25.0, nullptr);
        const auto recording = openNative(path);
        EXPECT_NEAR(recording->info().frameRateHz, 20.0, 1e-9);
        EXPECT_THAT(recording->info().warnings,
                    testing::Contains(HasSubstr(device ? "its own clock" : "their arrival")));
        writeStamped(path, device, 0.0, nullptr);
        EXPECT_NEAR(openNative(path)->info().frameRateHz, 20.0, 1e-9) << "nothing was said";
    }
}

TEST(StampedFrames, KeepTheirPosesAndOpenWhateverIsAltered) {
    const TemporaryFolder folder;
    const auto path = folder / "stamped.echolux.h5";
    Pose pose;
    pose.along = {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}};
    pose.origin = {1e-3, 0, 5e-3};
    pose.space = "tracker";
    writeStamped(path, true, 20.0, &pose);
    const auto recording = openNative(path);
    const std::vector<FrameStamp> stamps = stampsOf(*recording, 19, 2);
    ASSERT_EQ(stamps.size(), 2U);
    EXPECT_EQ(stamps[1].number, 20);
    EXPECT_EQ(stamps[1].deviceNs, 1'000'000'000);
    ASSERT_NE(stamps[1].pose, nullptr);
    EXPECT_EQ(stamps[1].pose->origin, pose.origin);
    EXPECT_EQ(stamps[1].pose->space, "tracker");
    EXPECT_GT(AlteredHdf5(path).alterEach(), 10);
}

CarriedFact factOf(const std::vector<double>& values, const std::string& unit, int components = 1) {
    CarriedFact fact{.name = "fact", .unit = unit};
    fact.layout.type = {.kind = ElementType::Kind::Real, .bytes = 8, .components = components};
    fact.layout.shape = {static_cast<std::int64_t>(values.size()) / components};
    const auto bytes = std::as_bytes(std::span(values));
    fact.numbers.assign(bytes.begin(), bytes.end());
    return fact;
}

TEST(CarriedFactsInWords, AreShort) {
    EXPECT_EQ(factOf({}, "V").inWords(), "no values");
    EXPECT_EQ(factOf({2.5}, "V").inWords(), "2.5 V");
    EXPECT_EQ(factOf({2.5}, "").inWords(), "2.5");
    EXPECT_EQ(factOf({2.5}, "\xe2\x80\x93").inWords(), "2.5") << "a dash is no unit";
    EXPECT_EQ(factOf({2, 1, 4}, "V").inWords(), "3 values from 1 to 4 V");
    EXPECT_EQ(factOf({2, 1, 4, 3}, "V", 2).inWords(), "2 complex values");
    EXPECT_EQ((CarriedFact{.name = "a", .texts = {"phantom"}}).inWords(), "'phantom'");
    EXPECT_EQ((CarriedFact{.name = "a", .texts = {"one", "two"}}).inWords(), "2 texts, 'one', ...");
    const CarriedFacts facts{
        .family = "npz",
        .facts = {{.name = "a", .texts = {"phantom"}}, {.name = "b", .texts = {"one", "two"}}}};
    EXPECT_EQ(facts.text("a"), "phantom");
    EXPECT_EQ(facts.text("b"), "") << "several";
    EXPECT_EQ(facts.text("c"), "") << "none";
    RecordingInfo info;
    info.format = "NumPy .npz";
    EXPECT_TRUE(mayCarryFacts(info));
    info.live = true;
    EXPECT_FALSE(mayCarryFacts(info));
    info = {};
    info.format = "DICOM";
    EXPECT_FALSE(mayCarryFacts(info));
    EXPECT_TRUE(carriedFactsHere(info).facts.empty());
}

TEST(StoredFrames, AreReadBackWithAndWithoutCompression) {
    const TemporaryFolder folder;
    const auto path = folder / "stored.echolux.h5";
    const FrameSpec spec = sampleSpec(DType::I16, 2, 16, 4096); // 256 KiB: several stored blocks
    for (const int level : {0, 1, 9}) {
        {
            NativeWriter writer(path, spec, 25.0, sampleProvenance(),
                                {.overwrite = true, .deflateLevel = level});
            for (int i = 0; i < 2; ++i) writer.append(sampleFrame(spec, i));
            writer.close();
        }
        expectFrames(*openNative(path));
    }
}

} // namespace
} // namespace echolux::test
