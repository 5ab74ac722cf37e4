// SPDX-License-Identifier: GPL-3.0-or-later
// The native recording keeps elevation, faces, long elements, apertures and channels, and refuses
// what contradicts itself.
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "tests/dataset/native_samples.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux {

namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

/// Two transmits of three channels that hear six elements: three columns and three rows.
Acquisition rowColumn() {
    Acquisition acquisition = test::sampleAcquisition(2, 6);
    Probe& probe = acquisition.probe;
    probe.elementHeightM = 9e-3;
    probe.elevationFocusM = 25e-3;
    for (int i = 0; i < 6; ++i) {
        probe.longAxes.push_back(i < 3 ? LongAxis::Elevation : LongAxis::Lateral);
        probe.normals.push_back({std::sin(0.1 * i), 0.0, std::cos(0.1 * i)});
    }
    acquisition.steering = Steering::Projections;
    acquisition.transmitSpeedMps = 1466.0;
    acquisition.transmits[0].elevationRad = -0.2;
    acquisition.transmits[0].apodization = {1.0F, 0.5F, 0.25F, 0.0F, 0.0F, 0.0F};
    acquisition.transmits[1].origin = {1e-3, 2e-3, 3e-3};
    acquisition.receiveElements = {3, 4, 5, 0, 1, 2};
    acquisition.rangeWeights = {{0.0F, 0.1F, 0.25F, 0.5F, 1.0F, 3.0F}, -1e-3, 7e-3};
    return acquisition;
}

FrameSpec specOf(Acquisition acquisition) {
    FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 30);
    spec.acquisition = std::make_shared<const Acquisition>(std::move(acquisition));
    return spec;
}

std::optional<std::int64_t> versionOf(const std::filesystem::path& path) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    return hdf5::readInteger(file.get(), native::kVersionName);
}

TEST(NativeArrays, everyFactComesBack) {
    const TemporaryFolder folder;
    const Acquisition written = rowColumn();
    test::writeSample(folder / "a.h5", specOf(written), 3);
    const auto recording = openNative(folder / "a.h5");
    const Acquisition& read = *recording->info().frame.acquisition;
    EXPECT_EQ(read.probe.elements, written.probe.elements);
    EXPECT_EQ(read.probe.normals, written.probe.normals);
    EXPECT_EQ(read.probe.longAxes, written.probe.longAxes);
    EXPECT_EQ(read.probe.elementHeightM, 9e-3);
    EXPECT_EQ(read.probe.elevationFocusM, 25e-3);
    EXPECT_EQ(read.steering, Steering::Projections);
    EXPECT_EQ(read.receiveElements, written.receiveElements);
    EXPECT_EQ(read.rangeWeights, written.rangeWeights);
    EXPECT_EQ(read.transmitSpeedMps, 1466.0);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read.transmits[i].angleRad, written.transmits[i].angleRad);
        EXPECT_EQ(read.transmits[i].elevationRad, written.transmits[i].elevationRad);
        EXPECT_EQ(read.transmits[i].origin, written.transmits[i].origin);
        EXPECT_EQ(read.transmits[i].apodization, written.transmits[i].apodization);
    }
    test::expectFrames(*recording);
}

TEST(NativeArrays, onlyWhatOlderProgramsWouldMisreadHasTheNewVersion) {
    const TemporaryFolder folder;
    int count = 0;
    const auto versionWith = [&](auto change) {
        FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 30);
        Acquisition acquisition = *spec.acquisition;
        change(acquisition);
        spec.acquisition = std::make_shared<const Acquisition>(acquisition);
        const auto path = folder / fmt::format("{}.h5", count++);
        test::writeSample(path, spec, 1);
        return versionOf(path);
    };
    using A = Acquisition;
    EXPECT_EQ(versionWith([](A&) {}), 1);
    EXPECT_EQ(versionWith([](A& a) { a.probe.elementHeightM = 5e-3; }), 1);
    EXPECT_EQ(versionWith([](A& a) { a.transmits[1].origin.x = 1e-3; }), 1);
    EXPECT_EQ(versionWith([](A& a) { a.transmits[1].apodization = {0.0F, 1.0F, 1.0F}; }), 1);
    EXPECT_EQ(versionWith([](A& a) { a.transmits[1].elevationRad = 0.1; }), 3);
    EXPECT_EQ(versionWith([](A& a) { a.receiveElements = {0, 1, 2, 2, 1, 0}; }), 3);
    EXPECT_EQ(versionWith([](A& a) { a.probe.longAxes.assign(3, LongAxis::Lateral); }), 3);
    EXPECT_EQ(versionWith([](A& a) { a.rangeWeights = {{1.0F, 0.5F, 0.0F}, 0.0, 1e-3}; }), 4);
}

TEST(NativeArrays, refusesWhatContradictsItself) {
    const TemporaryFolder folder;
    const auto refusal = [&](auto change) -> std::string {
        Acquisition acquisition = rowColumn();
        change(acquisition);
        try {
            test::writeSample(folder / "a.h5", specOf(acquisition), 1);
        } catch (const Error& error) {
            return error.what();
        }
        return "written";
    };
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    using A = Acquisition;
    EXPECT_THAT(refusal([](A& a) { a.receiveElements.clear(); }),
                HasSubstr("6 elements for 3 channels"));
    EXPECT_THAT(refusal([](A& a) { a.receiveElements.pop_back(); }),
                AllOf(HasSubstr("5 receiving elements"), HasSubstr("2 transmits"),
                      HasSubstr("3 channels")));
    EXPECT_THAT(refusal([](A& a) { a.receiveElements[4] = 6; }),
                AllOf(HasSubstr("channel 2"), HasSubstr("transmit 2"), HasSubstr("element 6"),
                      HasSubstr("0 to 5")));
    EXPECT_THAT(refusal([](A& a) { a.receiveElements[0] = -1; }), HasSubstr("element -1"));
    EXPECT_THAT(refusal([](A& a) { a.probe.normals.pop_back(); }),
                HasSubstr("5 normals for 6 elements"));
    EXPECT_THAT(refusal([](A& a) { a.probe.normals[2].z = 2.0; }),
                AllOf(HasSubstr("normal"), HasSubstr("element 2"), HasSubstr("length 2.0")));
    EXPECT_THAT(refusal([=](A& a) { a.probe.normals[2].z = kNaN; }), HasSubstr("length nan"));
    EXPECT_THAT(refusal([](A& a) { a.probe.longAxes.resize(2); }),
                AllOf(HasSubstr("2 long axes"), HasSubstr("6 elements")));
    EXPECT_THAT(refusal([](A& a) { a.transmits[0].apodization.resize(3); }),
                AllOf(HasSubstr("transmit 1"), HasSubstr("3 weights"), HasSubstr("6 elements")));
    EXPECT_THAT(refusal([](A& a) { a.transmits[0].apodization.assign(6, 0.0F); }),
                AllOf(HasSubstr("no element fires"), HasSubstr("transmit 1")));
    EXPECT_THAT(refusal([](A& a) { a.transmits[0].apodization[1] = NAN; }),
                HasSubstr("weights of its transmit 1"));
    EXPECT_THAT(refusal([](A& a) { a.probe.elementHeightM = -1e-3; }),
                HasSubstr("element height -0.001"));
    EXPECT_THAT(refusal([=](A& a) { a.probe.pitchM = kNaN; }), HasSubstr("pitch nan"));
    EXPECT_THAT(refusal([=](A& a) { a.transmits[1].elevationRad = kNaN; }),
                HasSubstr("not finite"));
    EXPECT_THAT(refusal([=](A& a) { a.transmits[1].origin.y = kNaN; }), HasSubstr("not finite"));
    EXPECT_THAT(refusal([](A& a) { a.rangeWeights.values.pop_back(); }),
                AllOf(HasSubstr("5 receive weights"), HasSubstr("each of 3")));
    EXPECT_THAT(refusal([](A& a) { a.rangeWeights.values[1] = -0.5F; }),
                HasSubstr("negative or not finite"));
    EXPECT_THAT(refusal([](A& a) { a.rangeWeights.values[1] = NAN; }),
                HasSubstr("negative or not finite"));
    EXPECT_THAT(refusal([](A& a) { a.rangeWeights.stepM = 0.0; }), HasSubstr("in steps of 0 m"));
    EXPECT_THAT(refusal([=](A& a) { a.rangeWeights.firstM = kNaN; }), HasSubstr("begin at nan m"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
}

TEST(NativeArrays, damagedTablesAreSentences) {
    const TemporaryFolder folder;
    int count = 0;
    const auto damaged = [&](const char* group, const char* name, std::vector<hsize_t> extent,
                             double value) -> std::string {
        const auto path = folder / fmt::format("{}.h5", count++);
        test::writeSample(path, specOf(rowColumn()), 1);
        {
            const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
            const Hdf5Handle at(H5Gopen2(file.get(), group, H5P_DEFAULT));
            H5Ldelete(at.get(), name, H5P_DEFAULT);
            hsize_t cells = 1;
            for (const hsize_t size : extent) cells *= size;
            hdf5::writeTable(at.get(), name, extent, std::vector<double>(cells, value));
        }
        try {
            openNative(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "opened";
    };
    EXPECT_THAT(damaged("transmits", "receive_element", {2, 3}, 2.5), HasSubstr("says 2.5"));
    EXPECT_THAT(damaged("transmits", "apodization", {2, 3}, 1.0),
                AllOf(HasSubstr("'apodization'"), HasSubstr("missing")));
    EXPECT_THAT(damaged("transmits", "elevation_rad", {3}, 0.0), HasSubstr("'elevation_rad'"));
    EXPECT_THAT(damaged("probe", "element_normal", {6, 2}, 0.0), HasSubstr("'element_normal'"));
    EXPECT_THAT(damaged("receive_weights", "weight", {2, 4}, 1.0), HasSubstr("'weight'"));
    EXPECT_THAT(damaged("receive_weights", "weight", {6}, 1.0), HasSubstr("'weight'"));
    EXPECT_THAT(damaged("receive_weights", "weight", {3, 4}, -1.0), HasSubstr("negative"));
}

} // namespace

} // namespace echolux
