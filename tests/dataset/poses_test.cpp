// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that lie obliquely, which other software wrote and placed (vectors/make_poses.py), and
// such as are made here.
#include "gpu/core/posed.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

std::filesystem::path posed(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/poses" / name;
}

/// Where the brightest voxel of the first frame lies in the pose's space. [mm]
std::array<double, 3> brightPlace(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    const std::vector<double> values = frameOf(recording, 0);
    auto at = std::ranges::max_element(values) - values.begin();
    Point place;
    for (auto axis = frame.axes.rbegin(); axis != frame.axes.rend(); ++axis) {
        const double metres = axis->origin + static_cast<double>(at % axis->size) * axis->spacing;
        (axis->name == AxisName::Lateral ? place.x
         : axis->name == AxisName::Depth ? place.z
                                         : place.y) = metres;
        at /= axis->size;
    }
    const Point in = placedBy(*frame.pose, place);
    return {1e3 * in.x, 1e3 * in.y, 1e3 * in.z};
}

TEST(Poses, ObliqueVolumesOfOtherSoftware) {
    const auto truth = nlohmann::json::parse(readFile(posed("truth.json")));
    ASSERT_EQ(truth["places"].size(), 10U);
    for (const auto& [name, place] : truth["places"].items()) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(posed(name));
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "i16 [elevation 3][depth 5][lateral 4]");
        ASSERT_NE(frame.pose, nullptr);
        EXPECT_EQ(frame.pose->space, name == "pynrrd_scanner.nrrd" ? "scanner-xyz" : "LPS");
        EXPECT_NEAR(frame.find(AxisName::Lateral)->spacing, 0.2e-3, 1e-9);
        EXPECT_NEAR(frame.find(AxisName::Depth)->spacing, 0.3e-3, 1e-9);
        EXPECT_NEAR(frame.find(AxisName::Elevation)->spacing, 0.5e-3, 1e-9);
        const auto found = brightPlace(*recording);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(found[i], place[i].get<double>(), 2e-6) << i; // float32 in the files
    }
}

TEST(Poses, HandednessIsThatOfTheFile) {
    // Of lateral, elevation and depth: i, k and j of the file, so right-handed files are
    // left-handed here.
    const auto leftHanded = [](const std::string& name) {
        return isLeftHanded(*openRecording(posed(name))->info().frame.pose);
    };
    EXPECT_TRUE(leftHanded("nibabel_qform.nii"));
    EXPECT_FALSE(leftHanded("nibabel_qform_mirrored.nii"));
    EXPECT_FALSE(leftHanded("nibabel_sform.nii"));
    EXPECT_FALSE(leftHanded("itk.mha"));
    EXPECT_TRUE(isSquare(*openRecording(posed("itk.mha"))->info().frame.pose));
    EXPECT_FALSE(isSquare(*openRecording(posed("nibabel_sheared.nii"))->info().frame.pose));
}

class MadePoses : public testing::Test {
protected:
    FrameSpec mha(const std::string& lines, std::size_t samples = 24) {
        writeFile(m_path, "ObjectType = Image\nElementType = MET_UCHAR\n" + lines +
                              "ElementDataFile = LOCAL\n" +
                              bytesOfValues(countedUp<std::uint8_t>(samples)));
        return openRecording(m_path)->info().frame;
    }
    FrameSpec nrrd(const std::string& lines) {
        writeFile(m_path, "NRRD0005\ntype: uchar\nencoding: raw\n" + lines + "\n" +
                              bytesOfValues(countedUp<std::uint8_t>(24)));
        return openRecording(m_path)->info().frame;
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "picture";
};

TEST_F(MadePoses, AreUnknownWhereFilesDoNotSay) {
    const std::string three =
        "NDims = 3\nDimSize = 2 3 4\nElementSpacing = 1 2 3\nOffset = 1 2 3\n";
    EXPECT_EQ(mha(three).pose, nullptr);
    EXPECT_NE(mha(three + "TransformMatrix = 1 0 0 0 1 0 0 0 1\n").pose, nullptr);
    EXPECT_EQ(mha(three + "TransformMatrix = 1 0 0 0 0 0 0 0 1\n").pose, nullptr) << "no direction";
    EXPECT_EQ(mha(three + "TransformMatrix = 1 0 0 0 1 0 0 0 1\nKinds = domain domain list\n").pose,
              nullptr);
    EXPECT_EQ(
        mha("NDims = 2\nDimSize = 6 4\nElementSpacing = 1 2\nTransformMatrix = 0 1 1 0\n").pose,
        nullptr);
    const std::string axes = "dimension: 3\nsizes: 2 3 4\n";
    EXPECT_EQ(nrrd(axes + "spacings: 1 2 3\n").pose, nullptr);
    EXPECT_EQ(nrrd(axes + "space dimension: 3\nspace origin: (1,3,2)\n"
                          "space directions: (1,0,0) (0,2,0) (0,0,3)\n")
                  .pose,
              nullptr)
        << "the axes' own coordinates";
    const std::string along = "space directions: (1,0,0) (0,0,2) (0,3,0)\n";
    const auto moved =
        nrrd(axes + "space dimension: 3\nspace directions: (0,1,0) (0,0,2) (3,0,0)\n");
    ASSERT_NE(moved.pose, nullptr);
    EXPECT_EQ(moved.pose->space, "unnamed");
    const auto patient = nrrd(axes + "space: LPS\nspace origin: (1,3,2)\n" + along);
    ASSERT_NE(patient.pose, nullptr);
    EXPECT_EQ(*patient.pose, Pose());
    EXPECT_EQ(
        nrrd("dimension: 3\nsizes: 2 3 4\nspace: LPS\nspace units: \"\" \"\" \"\"\n" + along).pose,
        nullptr)
        << "no length";
}

TEST_F(MadePoses, FlatImagesLieInSpaceToo) {
    const auto frame = nrrd("dimension: 2\nsizes: 6 4\nspace: left-posterior-superior\n"
                            "space directions: (0,-0.5,0) (0,0,-0.25)\nspace origin: (10,20,30)\n");
    ASSERT_NE(frame.pose, nullptr);
    EXPECT_FALSE(isLeftHanded(*frame.pose));
    EXPECT_EQ(frame.pose->along[0], (Point{0, -1, 0}));
    EXPECT_EQ(frame.pose->along[2], (Point{0, 0, -1}));
    EXPECT_EQ(frame.pose->along[1], (Point{-1, 0, 0})) << "depth x lateral";
    const Axis& lateral = *frame.find(AxisName::Lateral);
    const Axis& depth = *frame.find(AxisName::Depth);
    const Point first = placedBy(*frame.pose, {lateral.origin, 0.0, depth.origin});
    EXPECT_NEAR(first.x, 10e-3, 1e-12);
    EXPECT_NEAR(first.y, 20e-3, 1e-12);
    EXPECT_NEAR(first.z, 30e-3, 1e-12);
    EXPECT_EQ(sideOf(frame, AxisName::Lateral, false), "A");
    EXPECT_EQ(sideOf(frame, AxisName::Depth, false), "I");
}

} // namespace
} // namespace echolux::test
