// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that other software placed (tests/dataset/vectors/make_poses.py), exported to each format
// that holds a pose: the bright voxel stays where it lay.
#include "app/dataset/container/hdf5_file.hpp"
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
    for (const char* ending : {".nrrd", ".mha", ".nii", ".nii.gz"}) {
        for (const auto& [name, place] : m_places) {
            SCOPED_TRACE(name + " to " + ending);
            const bool scanner = name == "pynrrd_scanner.nrrd";
            const auto copy = openRecording(exported(name, ending));
            const FrameSpec& frame = copy->info().frame;
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

/// Levels with a bright voxel, which zea calls an image. `along`: "(x,y,z) (x,y,z) (x,y,z)" in mm.
std::string levelsWithPose(const std::filesystem::path& path, const std::string& along) {
    std::vector<float> levels(4 * 5 * 3, -60.0F);
    levels[2 + 4 * (3 + 5 * 1)] = 0.0F;
    std::ofstream file(path, std::ios::binary);
    file << "NRRD0004\ntype: float\ndimension: 3\nspace: left-posterior-superior\nsizes: 4 5 3\n"
         << "space directions: " << along << "\nspace origin: (7,-8,9)\nendian: little\n"
         << "encoding: raw\necholux_content:=decibels\n\n";
    file.write(reinterpret_cast<const char*>(levels.data()),
               static_cast<std::streamsize>(levels.size() * sizeof(float)));
    return path.string();
}

TEST_F(PoseExport, ZeaHoldsItAsARotation) {
    struct Case {
        const char* along;
        Place bright; ///< first + 2 lateral + 3 depth + 1 elevation
    };
    const Case cases[] = {
        {"(0.2,0,0) (0,0.3,0) (0,0,0.5)", {7.4, -7.1, 9.5}}, // left-handed in a frame
        {"(0.2,0,0) (0,0,0.3) (0,0.5,0)", {7.4, -7.5, 9.9}},
        {"(0,-0.2,0) (0.3,0,0) (0,0,-0.5)", {7.9, -8.4, 8.5}},
        {"(0.12,0.16,0) (0,0,-0.3) (0.4,-0.3,0)", {7.64, -7.98, 8.1}},
        {"(0.12,0.16,0) (0,0,-0.3) (-0.4,0.3,0)", {6.84, -7.38, 8.1}}}; // left-handed
    for (const Case& each : cases) {
        SCOPED_TRACE(each.along);
        const std::string in = levelsWithPose(m_folder / "levels.nrrd", each.along);
        const std::string out = (m_folder / "levels.hdf5").string();
        const auto run = test::runEcholux(
            {"export", in, "-o", out, "--backend", "cpu", "--force", "--output-of", "recording"});
        ASSERT_EQ(run.status, 0) << run.err;
        // By zea's convention: coordinates (z, x, y, 3) turned by w, x, y, z, then moved. [m]
        const auto numbers = [&](const std::string& where) {
            const auto file = Hdf5File::openReadOnly(out);
            return readNumbers(out, *file->open(where), where);
        };
        const std::vector<double> values = numbers("tracks/track_0/data/image/values");
        const std::vector<double> places = numbers("tracks/track_0/data/image/coordinates");
        const std::vector<double> q = numbers("metadata/probe_pose/rotation");
        const std::vector<double> moved = numbers("metadata/probe_pose/translation");
        const auto at = std::ranges::max_element(values) - values.begin();
        const double* p = places.data() + 3 * at;
        // v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z) of the quaternion
        const auto cross = [](const Place& a, const Place& b) {
            return Place{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
        };
        const Place u{q[1], q[2], q[3]};
        const Place once = cross(u, {p[0], p[1], p[2]});
        const Place twice = cross(u, once);
        Place place{};
        for (std::size_t i = 0; i < 3; ++i)
            place[i] = 1e3 * (moved[i] + p[i] + 2 * q[0] * once[i] + 2 * twice[i]);
        expectAt(place, each.bright);
        const auto copy = openRecording(out);
        ASSERT_NE(copy->info().frame.pose, nullptr);
        EXPECT_EQ(copy->info().frame.pose->space, "LPS");
        EXPECT_FALSE(isLeftHanded(*copy->info().frame.pose));
        expectAt(brightPlaceOf(*copy), each.bright);
    }
    const std::string sheared = exported("nibabel_sheared.nii", ".hdf5");
    EXPECT_THAT(m_said, HasSubstr("not perpendicular"));
    EXPECT_EQ(bytesIn(sheared).find("probe_pose"), std::string::npos);
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
