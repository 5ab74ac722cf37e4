// SPDX-License-Identifier: GPL-3.0-or-later
// Half precision against the standard's own values; a volume's projections and reductions against
// plain loops.
#include "gpu/volume/volume.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace echolux {
namespace {

TEST(Half, KnownValues) {
    const std::pair<float, Half> kKnown[] = {
        {0.0F, 0x0000},           {-0.0F, 0x8000},          {1.0F, 0x3c00},
        {-2.0F, 0xc000},          {0.1F, 0x2e66},           {65504.0F, 0x7bff},
        {1e9F, 0x7bff},           {-1e9F, 0xfbff},          {0x1p-14F, 0x0400},
        {0x1p-24F, 0x0001},       {0x1p-25F, 0x0000},       {0x1.8p-24F, 0x0002},
        {1.00048828125F, 0x3c00}, {1.00146484375F, 0x3c02}, {-60.0F, 0xd380}};
    for (const auto& [value, bits] : kKnown) EXPECT_EQ(toHalf(value), bits) << value;
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(toHalf(-infinity), 0xfbff) << "saturates";
    EXPECT_TRUE(std::isnan(fromHalf(toHalf(std::numeric_limits<float>::quiet_NaN()))));
    EXPECT_EQ(fromHalf(0x7c00), infinity);
}

TEST(Half, EveryNumberComesBackAndTheNearestIsTaken) {
    for (unsigned bits = 0; bits < 0x7c00U; ++bits) {
        const float value = fromHalf(static_cast<Half>(bits));
        ASSERT_EQ(toHalf(value), bits);
        if (bits == 0) continue;
        const float below = fromHalf(static_cast<Half>(bits - 1));
        ASSERT_LT(below, value);
        ASSERT_EQ(toHalf(std::nextafter(0.5F * (below + value), value)), bits);
        ASSERT_EQ(toHalf(std::nextafter(0.5F * (below + value), below)), bits - 1);
    }
}

/// 5 B-scans of 4 lines with 7 bins of integers, which half precision keeps.
struct SmallVolume {
    VolumeShape shape{5, 4, 7};
    std::vector<float> frame;
    std::vector<Half> voxels;

    SmallVolume() : frame(static_cast<std::size_t>(shape.count())), voxels(frame.size()) {
        std::mt19937 random(5);
        for (float& value : frame) value = static_cast<float>(random() % 200) - 100.0F;
        storeBscans({}, voxels.data(), shape, frame.data(), 0, shape.bscans);
    }
    float at(std::int64_t bscan, std::int64_t line, std::int64_t bin) const {
        return frame[static_cast<std::size_t>((bscan * shape.lines + line) * shape.bins + bin)];
    }
};

TEST(Volume, BscansGoRoundTheVolume) {
    SmallVolume made;
    const std::vector<Half> before = made.voxels;
    storeBscans({}, made.voxels.data(), made.shape, made.frame.data(), 4, 2); // to 4 and 0
    const auto slice = static_cast<std::size_t>(made.shape.slice());
    for (std::size_t i = 0; i < slice; ++i) {
        EXPECT_EQ(made.voxels[4 * slice + i], before[i]);
        EXPECT_EQ(made.voxels[i], before[slice + i]);
        EXPECT_EQ(made.voxels[2 * slice + i], before[2 * slice + i]);
    }
    fillVolume({}, made.voxels.data(), made.shape, -60.0F);
    EXPECT_TRUE(std::ranges::all_of(made.voxels, [](Half h) { return fromHalf(h) == -60.0F; }));
}

TEST(Volume, SlicesOfEchoesAreTurned) {
    const SmallVolume made;
    std::vector<float> slices(made.frame.size());
    for (std::int64_t i = 0; i < made.shape.count(); ++i) {
        const std::int64_t bscan = i / made.shape.slice();
        const std::int64_t bin = i / made.shape.lines % made.shape.bins;
        slices[static_cast<std::size_t>(i)] = made.at(bscan, i % made.shape.lines, bin);
    }
    std::vector<Half> voxels(made.voxels.size());
    storeTurnedBscans({}, voxels.data(), made.shape, slices.data(), 0, made.shape.bscans);
    EXPECT_EQ(voxels, made.voxels);
    fillVolume({}, voxels.data(), made.shape, 0.0F);
    storeTurnedBscans({}, voxels.data(), made.shape, slices.data(), 4, 2); // to 4 and 0
    const auto slice = static_cast<std::size_t>(made.shape.slice());
    for (std::size_t i = 0; i < slice; ++i) {
        EXPECT_EQ(voxels[4 * slice + i], made.voxels[i]);
        EXPECT_EQ(voxels[i], made.voxels[slice + i]);
        EXPECT_EQ(fromHalf(voxels[2 * slice + i]), 0.0F);
    }
}

TEST(Volume, APlaneAcrossIsOneLineOfEachBscan) {
    const SmallVolume made;
    std::vector<float> plane(static_cast<std::size_t>(made.shape.bscans * made.shape.bins));
    cutAlongLine({}, made.voxels.data(), made.shape, 2, plane.data());
    for (std::int64_t bscan = 0; bscan < made.shape.bscans; ++bscan) {
        for (std::int64_t bin = 0; bin < made.shape.bins; ++bin)
            EXPECT_EQ(plane[static_cast<std::size_t>(bscan * made.shape.bins + bin)],
                      made.at(bscan, 2, bin));
    }
}

TEST(Volume, EnFaceIsMaximumOrMeanOfTheWindow) {
    const SmallVolume made;
    for (const BinWindow window : {BinWindow{0, 7}, {2, 5}, {6, 7}, {-3, 99}, {9, 9}}) {
        const std::int64_t first = std::clamp<std::int64_t>(window.first, 0, 6);
        const std::int64_t last = std::clamp<std::int64_t>(window.last, first + 1, 7);
        std::vector<float> highest(20, 1e9F);
        std::vector<float> mean(20, 1e9F);
        projectBscans({}, made.voxels.data(), made.shape, Projection::Maximum, window, 4, 3,
                      highest.data());
        projectBscans({}, made.voxels.data(), made.shape, Projection::Mean, window, 4, 3,
                      mean.data());
        for (std::int64_t bscan = 0; bscan < 5; ++bscan) {
            for (std::int64_t line = 0; line < 4; ++line) {
                const auto i = static_cast<std::size_t>(bscan * 4 + line);
                if (bscan == 2 || bscan == 3) { // 4, 0 and 1 were asked for
                    EXPECT_EQ(highest[i], 1e9F);
                    continue;
                }
                float most = -1e9F;
                double sum = 0.0;
                for (std::int64_t bin = first; bin < last; ++bin) {
                    most = std::max(most, made.at(bscan, line, bin));
                    sum += made.at(bscan, line, bin);
                }
                EXPECT_EQ(highest[i], most);
                EXPECT_NEAR(mean[i], sum / static_cast<double>(last - first), 1e-4);
            }
        }
    }
}

TEST(Volume, ShrinksByMaxima) {
    const SmallVolume made;
    const Shrink shrink{2, 3, 4};
    const VolumeShape small = shrink.of(made.shape);
    EXPECT_EQ(small, (VolumeShape{3, 2, 2}));
    std::vector<Half> out(static_cast<std::size_t>(small.count()));
    shrinkBscans({}, made.voxels.data(), made.shape, shrink, 0, 3, out.data());
    std::vector<Half> last(static_cast<std::size_t>(small.slice()));
    shrinkBscans({}, made.voxels.data(), made.shape, shrink, 2, 1, last.data());
    for (std::int64_t b = 0; b < 3; ++b) {
        for (std::int64_t l = 0; l < 2; ++l) {
            for (std::int64_t z = 0; z < 2; ++z) {
                float most = -1e9F;
                for (std::int64_t bscan = 2 * b; bscan < std::min<std::int64_t>(2 * b + 2, 5);
                     ++bscan)
                    for (std::int64_t line = 3 * l; line < std::min<std::int64_t>(3 * l + 3, 4);
                         ++line)
                        for (std::int64_t bin = 4 * z; bin < std::min<std::int64_t>(4 * z + 4, 7);
                             ++bin)
                            most = std::max(most, made.at(bscan, line, bin));
                const auto i = static_cast<std::size_t>((b * 2 + l) * 2 + z);
                EXPECT_EQ(fromHalf(out[i]), most) << b << " " << l << " " << z;
                if (b == 2) {
                    EXPECT_EQ(last[i - 8], out[i]);
                }
            }
        }
    }
}

TEST(Volume, IsShrunkNoMoreThanNeeded) {
    EXPECT_TRUE(shrinkToFit({100, 200, 300}, std::size_t{1} << 40U, 2048).none());
    const Shrink bytes = shrinkToFit({512, 512, 1024}, std::size_t{256} << 20U, 2048);
    EXPECT_EQ(bytes, (Shrink{1, 1, 2})) << "512 x 512 x 512 x 2 bytes are 256 MiB";
    EXPECT_EQ(shrinkToFit({4, 9000, 4}, std::size_t{1} << 40U, 2048), (Shrink{1, 5, 1}));
    const Shrink tiny = shrinkToFit({64, 64, 64}, 1, 2048);
    EXPECT_EQ(tiny.of({64, 64, 64}), (VolumeShape{1, 1, 1})) << "ends even where nothing fits";
}

} // namespace
} // namespace echolux
