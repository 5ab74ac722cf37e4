// SPDX-License-Identifier: GPL-3.0-or-later
// The pose of the probe in zea's files: a place, and a rotation as a quaternion.
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ZeaPose : public testing::Test {
protected:
    /// A copy of a file of zea with these tables [frame][3] and [frame][4].
    std::filesystem::path with(const std::string& rotation, const std::vector<double>& places,
                               const std::vector<double>& turns) const {
        const auto path = uffCopy(m_folder, "zea_told.hdf5");
        const Hdf5Editor file(path);
        file.numbers(kPose + "translation", {places.size() / 3, 3}, places);
        file.numbers(kPose + "rotation", {turns.size() / 4, 4}, turns);
        if (!rotation.empty()) file.text(kPose + "rotation_representation", rotation);
        return path;
    }
    std::shared_ptr<const Pose> pose(const std::string& rotation, const std::vector<double>& places,
                                     const std::vector<double>& turns) const {
        return openRecording(with(rotation, places, turns))->info().frame.pose;
    }
    const std::string kPose = "metadata/probe_pose/";
    const std::vector<double> kHere{1e-3, 2e-3, 3e-3};
    TemporaryFolder m_folder;
};

TEST_F(ZeaPose, QuaternionsTurnInBothOrders) {
    const double half = std::sqrt(0.5); // a quarter turn about z takes x to y, and y to -x
    for (const auto& found : {pose("quaternion_wxyz", kHere, {half, 0, 0, half}),
                              pose("quaternion_xyzw", kHere, {0, 0, half, half})}) {
        ASSERT_NE(found, nullptr);
        EXPECT_NEAR(found->along[0].y, 1.0, 1e-6);
        EXPECT_NEAR(found->along[1].x, -1.0, 1e-6);
        EXPECT_NEAR(found->along[2].z, 1.0, 1e-6);
        EXPECT_NEAR(found->origin.x, 1e-3, 1e-9);
        EXPECT_NEAR(found->origin.z, 3e-3, 1e-9);
        EXPECT_EQ(found->space, "zea");
    }
}

TEST_F(ZeaPose, AProbeThatMovedIsSaid) {
    const auto warnings = [&](double x) {
        return openRecording(with("quaternion_wxyz", {1e-3, 2e-3, 3e-3, x, 2e-3, 3e-3},
                                  {1, 0, 0, 0, 1, 0, 0, 0}))
            ->info()
            .warnings;
    };
    EXPECT_THAT(warnings(1.5e-3), Contains(HasSubstr("probe moved")));
    EXPECT_THAT(warnings(1e-3), Not(Contains(HasSubstr("probe moved"))));
}

TEST_F(ZeaPose, WhatIsNoPoseIsLeftOutOrRefused) {
    EXPECT_THAT(openRecording(with("euler_xyz", kHere, {0, 0, 0, 0}))->info().warnings,
                Contains(HasSubstr("its rotation is 'euler_xyz'")));
    EXPECT_THAT(openRecording(with("", kHere, {1, 0, 0, 0}))->info().warnings,
                Contains(HasSubstr("its rotation is ''")));
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(pose("quaternion_wxyz", kHere, {0, 0, 0, 0}), nullptr);
    EXPECT_EQ(pose("quaternion_wxyz", kHere, {1, 0, 0, kNone}), nullptr);
    EXPECT_EQ(pose("quaternion_wxyz", {1e-3, kNone, 0}, {1, 0, 0, 0}), nullptr);
    for (const auto& [places, turns] : {std::pair{std::size_t{2}, std::size_t{1}}, {1, 2}}) {
        EXPECT_THAT(refusalOf(with("quaternion_wxyz", std::vector<double>(3 * places),
                                   std::vector<double>(4 * turns, 1.0))),
                    HasSubstr("do not fit each other"));
    }
}

} // namespace
} // namespace echolux::test
