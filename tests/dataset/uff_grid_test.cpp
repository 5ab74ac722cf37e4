// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of USTB's images stand: listed one by one, on lines, and in sectors. Each pixel
// holds its own place as a number.
#include "gpu/core/sector.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class UffGrid : public testing::Test {
protected:
    using Change = std::function<void(const Hdf5Editor&)>;

    /// A file whose only images are `a_data`.
    std::filesystem::path images(const Change& change) const {
        const auto path = uffCopy(m_folder, "uff_sector_and_lines.uff");
        const Hdf5Editor file(path);
        file.remove("channel_data");
        file.remove("b_data");
        file.remove("a_data/data");
        change(file);
        return path;
    }
    static void scan(const Hdf5Editor& file, const std::string& kind) {
        file.remove("a_data/scan");
        file.group("a_data/scan");
        file.textAttribute("a_data/scan", "class", kind);
    }
    static void pixels(const Hdf5Editor& file, std::size_t count) {
        file.numbers("a_data/data", {1, 1, 1, count}, countedUp<double>(count));
    }
    /// Four lines of three depths; the first lines start at `origins`, or all at one point.
    static void sector(const Hdf5Editor& file, const std::vector<double>& angles,
                       const std::vector<std::array<double, 2>>& origins) {
        scan(file, "uff.sector_scan");
        file.numbers("a_data/scan/azimuth_axis", {angles.size()}, angles);
        file.numbers("a_data/scan/depth_axis", {3}, {5e-3, 10e-3, 15e-3});
        for (std::size_t i = 0; i < origins.size(); ++i) {
            const std::string point = "a_data/scan/origin/origin_000" + std::to_string(i + 1);
            const auto [x, z] = origins[i];
            file.group(point);
            file.number(point + "/distance", std::hypot(x, z));
            file.number(point + "/azimuth", std::atan2(x, z));
        }
        pixels(file, 3 * angles.size());
    }
    TemporaryFolder m_folder;
};

/// A volume of 3 lines, 2 planes and 4 depths: the places of its pixels, the axes in `order` (0
/// lateral, 1 elevation, 2 depth; the slowest first), and their numbers.
struct ListedPixels {
    static constexpr std::array<int, 3> kSizes{3, 2, 4};
    std::array<std::vector<double>, 3> places;
    std::vector<double> values;

    explicit ListedPixels(const std::array<std::size_t, 3>& order) {
        std::array<int, 3> at{};
        for (at[order[0]] = 0; at[order[0]] < kSizes[order[0]]; ++at[order[0]])
            for (at[order[1]] = 0; at[order[1]] < kSizes[order[1]]; ++at[order[1]])
                for (at[order[2]] = 0; at[order[2]] < kSizes[order[2]]; ++at[order[2]]) {
                    places[0].push_back(-0.5e-3 + 0.5e-3 * at[0]);
                    places[1].push_back(1e-3 + 0.25e-3 * at[1]);
                    places[2].push_back(8e-3 + 0.1e-3 * at[2]);
                    values.push_back(100 * at[1] + 10 * at[2] + at[0]);
                }
    }
    void write(const Hdf5Editor& file) const {
        constexpr std::array kNames{"x", "y", "z"};
        for (std::size_t i = 0; i < 3; ++i)
            file.numbers(std::string("a_data/scan/") + kNames[i], {places[i].size()}, places[i]);
        file.numbers("a_data/data", {1, 1, 1, values.size()}, values);
    }
};

TEST_F(UffGrid, ListedPixelsMayComeInAnyOrderOfAxes) {
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        const ListedPixels listed(order);
        const auto recording = openRecording(images([&](const Hdf5Editor& file) {
            scan(file, "uff.scan");
            listed.write(file);
        }));
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "f32 [elevation 2][depth 4][lateral 3]");
        EXPECT_NEAR(frame.find(AxisName::Lateral)->origin, -0.5e-3, 1e-9);
        EXPECT_NEAR(frame.find(AxisName::Elevation)->spacing, 0.25e-3, 1e-9);
        EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 8e-3, 1e-9);
        EXPECT_NEAR(frame.find(AxisName::Depth)->spacing, 0.1e-3, 1e-9);
        EXPECT_THAT(frameOf(*recording),
                    ElementsAre(0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 100, 101, 102, 110,
                                111, 112, 120, 121, 122, 130, 131, 132));
    } while (std::ranges::next_permutation(order).found);
}

TEST_F(UffGrid, ListedPixelsOfOnePlaneAreAnImage) {
    const auto recording = openRecording(images([](const Hdf5Editor& file) {
        scan(file, "uff.scan");
        file.numbers("a_data/scan/x", {6}, {0, 0, 1e-3, 1e-3, 2e-3, 2e-3});
        file.numbers("a_data/scan/y", {6}, std::vector<double>(6));
        file.numbers("a_data/scan/z", {6}, {5e-3, 6e-3, 5e-3, 6e-3, 5e-3, 6e-3});
        pixels(file, 6);
    }));
    EXPECT_EQ(recording->info().frame.describe(), "f32 [depth 2][lateral 3]");
    EXPECT_THAT(frameOf(*recording), ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST_F(UffGrid, ListedPixelsThatMakeNoGridAreRefused) {
    const auto refusal = [&](const std::function<void(ListedPixels&)>& change) {
        ListedPixels listed({0, 1, 2});
        change(listed);
        return refusalOf(images([&](const Hdf5Editor& file) {
            scan(file, "uff.scan");
            listed.write(file);
        }));
    };
    EXPECT_THAT(refusal([](auto& listed) { listed.places[2][3] += 0.05e-3; }),
                HasSubstr("even steps"));
    EXPECT_THAT(refusal([](auto& listed) { std::swap(listed.places[2][0], listed.places[2][1]); }),
                AllOf(HasSubstr("24 pixels"), HasSubstr("crossings of a grid")));
    EXPECT_THAT(refusal([](auto& listed) { listed.places[1].pop_back(); }),
                HasSubstr("crossings of a grid"));
    EXPECT_THAT(refusal([](auto& listed) { listed.places[0][7] = NAN; }),
                HasSubstr("a place that is no number"));
    EXPECT_THAT(refusal([](auto& listed) { listed.places[1].clear(); }), HasSubstr("'a_data/scan"));
    EXPECT_THAT(refusalOf(images([](const Hdf5Editor& file) {
                    scan(file, "uff.scan");
                    pixels(file, 6);
                })),
                AllOf(HasSubstr("a_data/scan/x"), HasSubstr("nobody knows where")));
}

TEST_F(UffGrid, PixelsOnLinesMayBeStoredRowByRow) {
    std::vector<double> x;
    std::vector<double> z;
    for (int row = 0; row < 57; ++row)
        for (int line = 0; line < 17; ++line) {
            x.push_back(-4e-3 + 0.5e-3 * line);
            z.push_back(7e-3 + 0.125e-3 * row);
        }
    const auto opened = [&] {
        return openRecording(images([&](const Hdf5Editor& file) {
            file.numbers("a_data/scan/x", {x.size()}, x);
            file.numbers("a_data/scan/z", {z.size()}, z);
            pixels(file, x.size());
        }));
    };
    {
        const auto rows = opened();
        EXPECT_EQ(frameOf(*rows)[17 + 3], 17 + 3);
        EXPECT_THAT(rows->info().warnings, testing::IsEmpty());
    }
    x[5] += 1e-3;
    const auto other = opened();
    EXPECT_THAT(other->info().warnings, testing::Contains(HasSubstr("listed places")));
    EXPECT_EQ(frameOf(*other)[1], 57) << "down a line first, as USTB does";
}

TEST_F(UffGrid, TurnedLinesAndPlanesOfVolumesAreSaid) {
    const auto warnings = [&](const std::string& kind, const char* x, const char* z) {
        return openRecording(images([&](const Hdf5Editor& file) {
                   scan(file, kind);
                   file.numbers(std::string("a_data/scan/") + x, {3}, {0, 1e-3, 2e-3});
                   file.numbers(std::string("a_data/scan/") + z, {2}, {5e-3, 6e-3});
                   pixels(file, 6);
               }))
            ->info()
            .warnings;
    };
    EXPECT_THAT(warnings("uff.linear_scan_rotated", "x_axis", "z_axis"),
                ElementsAre(HasSubstr("turned in space")));
    EXPECT_THAT(warnings("uff.linear_3D_scan", "radial_axis", "axial_axis"),
                ElementsAre(HasSubstr("a plane in a volume")));
    EXPECT_THAT(refusalOf(images([](const Hdf5Editor& file) { scan(file, "uff.spiral_scan"); })),
                HasSubstr("uff.spiral_scan"));
}

TEST_F(UffGrid, LinesOfASectorMayStartOnAnArcOrSideBySide) {
    const std::vector<double> angles{-0.3, -0.1, 0.1, 0.3};
    std::vector<std::array<double, 2>> arc;
    for (const double angle : angles)
        arc.push_back({40e-3 * std::sin(angle), 40e-3 * std::cos(angle) - 40e-3});
    {
        const auto curved =
            openRecording(images([&](const Hdf5Editor& f) { sector(f, angles, arc); }));
        const Sector& found = *curved->info().frame.sector;
        EXPECT_NEAR(found.radiusM, 40e-3, 1e-6);
        EXPECT_NEAR(found.apexXM, 0.0, 1e-6);
        EXPECT_NEAR(found.apexZM, -40e-3, 1e-6);
        EXPECT_NEAR(found.anglesRad.back(), 0.3, 1e-7);
    }
    const std::vector<std::array<double, 2>> line{
        {-1.5e-3, 1e-3}, {-0.5e-3, 1e-3}, {0.5e-3, 1e-3}, {1.5e-3, 1e-3}};
    {
        const auto straight = openRecording(images([&](const Hdf5Editor& f) {
            sector(f, {0, 0, 0, 0}, line);
        }));
        const FrameSpec& frame = straight->info().frame;
        EXPECT_EQ(frame.sector, nullptr);
        EXPECT_NEAR(frame.find(AxisName::Lateral)->origin, -1.5e-3, 1e-8);
        EXPECT_NEAR(frame.find(AxisName::Lateral)->spacing, 1e-3, 1e-8);
        EXPECT_NEAR(frame.find(AxisName::Depth)->origin, 6e-3, 1e-8) << "below the first origin";
    }
    {
        const auto trapezoid = openRecording(images([&](const Hdf5Editor& f) {
            sector(f, {-0.4, -0.1, 0.1, 0.4}, line);
        }));
        EXPECT_FALSE(trapezoid->info().frame.sector->hasOneApex());
    }
    const auto refusal = [&](const std::vector<double>& at,
                             std::vector<std::array<double, 2>> from) {
        return refusalOf(images([&](const Hdf5Editor& file) { sector(file, at, from); }));
    };
    EXPECT_THAT(refusal({0.4, 0.1, -0.1, -0.4}, line), HasSubstr("meet or cross"));
    EXPECT_THAT(refusal({0.4, 0.1, -0.1, -0.4}, {}), HasSubstr("does not rise from line to line"));
    EXPECT_THAT(refusal(angles, {line[0], line[1]}),
                AllOf(HasSubstr("has 2 points"), HasSubstr("4 lines")));
}

} // namespace
} // namespace echolux::test
