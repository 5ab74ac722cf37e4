// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that other software placed (tests/dataset/vectors/make_poses.py), exported to each format
// that holds a pose: the bright voxel stays where it lay.
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/posed.hpp"
#include "tests/commands/golden.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::HasSubstr;
using Place = std::array<double, 3>;

std::filesystem::path posedFolder() {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/poses";
}

std::string bytesIn(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Where the brightest voxel lies in the pose's space. [mm]
Place brightPlaceOf(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    std::vector<std::byte> bytes(frame.bytes());
    recording.readFrame(0, bytes);
    const auto at = [&](std::size_t i) {
        if (frame.dtype == DType::I16) {
            std::int16_t code = 0;
            std::memcpy(&code, bytes.data() + i * sizeof code, sizeof code);
            return static_cast<double>(code);
        }
        float value = 0.0F;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        return static_cast<double>(value);
    };
    std::size_t brightest = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(frame.count()); ++i)
        if (at(i) > at(brightest)) brightest = i;
    auto rest = static_cast<std::int64_t>(brightest);
    Point place;
    for (auto axis = frame.axes.rbegin(); axis != frame.axes.rend(); ++axis) {
        const double metres = axis->origin + static_cast<double>(rest % axis->size) * axis->spacing;
        (axis->name == AxisName::Lateral ? place.x
         : axis->name == AxisName::Depth ? place.z
                                         : place.y) = metres;
        rest /= axis->size;
    }
    const Point in = placedBy(*frame.pose, place);
    return {1e3 * in.x, 1e3 * in.y, 1e3 * in.z};
}

class PoseExport : public testing::Test {
protected:
    void SetUp() override {
        const auto truth = nlohmann::json::parse(bytesIn(posedFolder() / "truth.json"));
        m_bright = truth["bright"].get<std::array<int, 3>>();
        for (const auto& [name, place] : truth["places"].items())
            m_places.emplace_back(name, place.get<Place>());
        ASSERT_EQ(m_places.size(), 10U);
    }
    /// Path of the written file.
    std::string exported(const std::string& name, const std::string& ending,
                         const std::vector<std::string>& more = {"--output-of", "recording"}) {
        const std::string out = (m_folder / ("out" + ending)).string();
        std::vector<std::string> words{
            "export", (posedFolder() / name).string(), "-o", out, "--backend", "cpu", "--force"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = test::runEcholux(words);
        EXPECT_EQ(run.status, 0) << run.err;
        m_said = run.out + run.err;
        return out;
    }
    static void expectAt(const Place& is, const Place& wanted) {
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(is[i], wanted[i], 1e-5) << i;
    }

    test::TemporaryFolder m_folder;
    std::array<int, 3> m_bright{};
    std::vector<std::pair<std::string, Place>> m_places; ///< mm, LPS
    std::string m_said;                                  ///< by the last export
};

TEST_F(PoseExport, VoxelsStayWhereTheyLie) {
    for (const char* ending : {".nrrd", ".mha", ".nii", ".nii.gz", ".hdf5"}) {
        for (const auto& [name, place] : m_places) {
            SCOPED_TRACE(name + " to " + ending);
            const bool scanner = name == "pynrrd_scanner.nrrd";
            const std::string file = exported(name, ending);
            const auto copy = openRecording(file);
            const FrameSpec& frame = copy->info().frame;
            if (name == "nibabel_sheared.nii" && ending == std::string(".hdf5")) {
                EXPECT_EQ(frame.pose, nullptr);
                EXPECT_THAT(m_said, HasSubstr("not perpendicular"));
                continue;
            }
            ASSERT_NE(frame.pose, nullptr);
            if (scanner && std::string(ending).starts_with(".nii")) {
                EXPECT_THAT(m_said, HasSubstr("'scanner-xyz'")); // which NIfTI cannot name
                continue;
            }
            EXPECT_EQ(frame.pose->space, scanner ? "scanner-xyz" : "LPS");
            expectAt(brightPlaceOf(*copy), place);
        }
    }
}

TEST_F(PoseExport, PipelinesKeepThePose) {
    for (const auto& [name, place] : m_places) {
        SCOPED_TRACE(name);
        const auto copy = openRecording(exported(name, ".nrrd", {}));
        ASSERT_NE(copy->info().frame.pose, nullptr);
        expectAt(brightPlaceOf(*copy), place);
    }
}

/// nifti1.h: places of sform and qform, of the voxel (i, j, k).
class NiftiPlaces {
public:
    explicit NiftiPlaces(std::string bytes) : m_bytes(std::move(bytes)) {}
    float real(std::size_t at) const {
        float value = 0.0F;
        std::memcpy(&value, m_bytes.data() + at, sizeof value);
        return value;
    }
    std::int16_t whole(std::size_t at) const {
        std::int16_t value = 0;
        std::memcpy(&value, m_bytes.data() + at, sizeof value);
        return value;
    }
    Place bySform(const std::array<int, 3>& voxel) const {
        Place place{};
        for (std::size_t row = 0; row < 3; ++row) {
            place[row] = real(280 + 16 * row + 12);
            for (std::size_t i = 0; i < 3; ++i)
                place[row] += real(280 + 16 * row + 4 * i) * voxel[i];
        }
        return place;
    }
    Place byQform(const std::array<int, 3>& voxel) const {
        const double b = real(256);
        const double c = real(260);
        const double d = real(264);
        const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
        const double rows[3][3] = {
            {a * a + b * b - c * c - d * d, 2 * b * c - 2 * a * d, 2 * b * d + 2 * a * c},
            {2 * b * c + 2 * a * d, a * a + c * c - b * b - d * d, 2 * c * d - 2 * a * b},
            {2 * b * d - 2 * a * c, 2 * c * d + 2 * a * b, a * a + d * d - c * c - b * b}};
        Place place{};
        for (std::size_t row = 0; row < 3; ++row) {
            place[row] = real(268 + 4 * row);
            for (std::size_t i = 0; i < 3; ++i)
                place[row] += rows[row][i] * real(80 + 4 * i) * voxel[i] * (i == 2 ? real(76) : 1);
        }
        return place;
    }

private:
    std::string m_bytes;
};

TEST_F(PoseExport, NiftiSaysThePlaceTwice) {
    for (const auto& [name, place] : m_places) {
        if (name == "pynrrd_scanner.nrrd") continue;
        SCOPED_TRACE(name);
        const NiftiPlaces head(bytesIn(exported(name, ".nii")));
        const Place ras{-place[0], -place[1], place[2]};
        EXPECT_EQ(head.whole(254), 1);
        expectAt(head.bySform(m_bright), ras);
        EXPECT_EQ(head.whole(252), name == "nibabel_sheared.nii" ? 0 : 1);
        if (head.whole(252) == 1) expectAt(head.byQform(m_bright), ras);
    }
}

TEST_F(PoseExport, ArraysHoldThePose) {
    const std::string file = exported("itk.mha", ".npz");
    const std::string archive = bytesIn(file);
    for (const char* name : {"pose_along.npy", "pose_origin.npy", "pose_space.npy"})
        EXPECT_NE(archive.find(name), std::string::npos) << name;
}

TEST_F(PoseExport, ImagesWithoutAPoseGetNone) {
    const std::string cine = test::bundledCine();
    for (const char* ending : {".nii", ".nrrd", ".mha", ".hdf5"}) {
        SCOPED_TRACE(ending);
        const std::string out = (m_folder / (std::string("plain") + ending)).string();
        const auto run =
            test::runEcholux({"export", cine, "-o", out, "--backend", "cpu", "--frames", "1"});
        ASSERT_EQ(run.status, 0) << run.err;
        const auto original = test::runEcholux({"info", out, "--json"});
        EXPECT_EQ(nlohmann::json::parse(original.out).count("pose"), 0U);
    }
}

TEST_F(PoseExport, InfoSaysWhereTheAxesPoint) {
    const auto run = test::runEcholux({"info", (posedFolder() / "itk.mha").string(), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto pose = nlohmann::json::parse(run.out).at("pose");
    EXPECT_EQ(pose.at("space"), "LPS");
    // turned(75, -40) of make_poses.py: first column, then the second one, reversed.
    const double a = 75 * std::acos(-1.0) / 180;
    const double b = -40 * std::acos(-1.0) / 180;
    const std::vector<double> lateral{std::cos(a), std::cos(b) * std::sin(a),
                                      std::sin(b) * std::sin(a)};
    const std::vector<double> depth{std::sin(a), -std::cos(b) * std::cos(a),
                                    -std::sin(b) * std::cos(a)};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(pose.at("lateral").at(i).get<double>(), lateral[i], 1e-9);
        EXPECT_NEAR(pose.at("depth").at(i).get<double>(), depth[i], 1e-9);
    }
    const auto words = test::runEcholux({"info", (posedFolder() / "itk.mha").string()});
    EXPECT_THAT(words.out, HasSubstr("LPS"));
    EXPECT_THAT(words.out, HasSubstr("towards PIL"));
}

} // namespace
} // namespace echolux
