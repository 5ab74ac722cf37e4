// SPDX-License-Identifier: GPL-3.0-or-later
// Which B-scans a volume holds, and which frames bring those that are missing.
#include "app/session/volume/volume_rows.hpp"

#include <gmock/gmock.h>

namespace echolux {
namespace {

using testing::ElementsAre;

TEST(VolumeRows, AVolumeIsCountedByBscans) {
    VolumeRows rows;
    EXPECT_EQ(rows.volumeOf(3, 12), BscanSpan{}) << "no volume";
    rows.resize(6, {.perFrame = 1});
    EXPECT_EQ(rows.volumeOf(0, 12), (BscanSpan{0, 6}));
    EXPECT_EQ(rows.volumeOf(5, 12), (BscanSpan{0, 6}));
    EXPECT_EQ(rows.volumeOf(6, 12), (BscanSpan{6, 12}));
    EXPECT_EQ(rows.volumeOf(13, 15), (BscanSpan{9, 15})) << "what the last one lacks is older";
    EXPECT_EQ(rows.volumeOf(1, 4), (BscanSpan{0, 4})) << "less than one volume";
    rows.resize(6, {.perFrame = 4}); // B-scans 0 to 3, 4 to 7, 8 to 11
    EXPECT_EQ(rows.volumeOf(1, 3), (BscanSpan{0, 6})) << "where the frame begins";
    EXPECT_EQ(rows.volumeOf(2, 3), (BscanSpan{6, 12}));
}

TEST(VolumeRows, MissingIsWhatIsAnotherVolumesOrAnotherPipelines) {
    VolumeRows rows;
    rows.resize(6, {.perFrame = 1});
    EXPECT_THAT(rows.missingFrames({0, 3}), ElementsAre(0, 1, 2));
    rows.put({1, 2});
    rows.put({8, 9}); // in the row of B-scan 2
    EXPECT_THAT(rows.missingFrames({0, 4}), ElementsAre(0, 2, 3));
    EXPECT_EQ(rows.held({0, 6}), 1);
    rows.outdate();
    EXPECT_EQ(rows.held({0, 12}), 0);
    rows.resize(6, {.perFrame = 4});
    rows.put(rows.layout().ofFrame(0));
    EXPECT_THAT(rows.missingFrames({0, 6}), ElementsAre(1));
    rows.put(rows.layout().ofFrame(1)); // B-scans 6 and 7 take the rows of 0 and 1
    EXPECT_THAT(rows.missingFrames({0, 6}), ElementsAre(0));
    EXPECT_THAT(rows.framesUpTo(2, {6, 12}), ElementsAre(1, 2));
}

TEST(VolumeRows, TheLastImageOfAPlaceCounts) {
    VolumeRows rows;
    rows.resize(3, {.perFrame = 1, .framesPerPlace = 4, .ensemble = 2});
    EXPECT_EQ(rows.layout().ofFrame(7), (BscanSpan{1, 2}));
    EXPECT_EQ(rows.volumeOf(13, 24), (BscanSpan{3, 6}));
    EXPECT_EQ(rows.volumeOf(3, 11), (BscanSpan{0, 2})) << "frames 8 to 10 are no whole place";
    EXPECT_THAT(rows.missingFrames({0, 3}), ElementsAre(2, 6, 10));
    rows.put({1, 2});
    EXPECT_THAT(rows.missingFrames({0, 3}), ElementsAre(2, 10));
    EXPECT_THAT(rows.framesUpTo(10, {1, 3}), ElementsAre(4, 6, 8, 10));
    rows.resize(6, {.perFrame = 2, .framesPerPlace = 3, .ensemble = 3});
    EXPECT_EQ(rows.layout().ofFrame(5), (BscanSpan{2, 4}));
    EXPECT_THAT(rows.missingFrames({1, 5}), ElementsAre(0, 3, 6));
}

TEST(VolumeRows, RowsStayFilledWhenTheyAreOutOfDate) {
    VolumeRows rows;
    rows.resize(6, {.perFrame = 1});
    rows.put({1, 3});
    rows.put({8, 9}); // in the row of B-scan 2
    EXPECT_EQ(rows.filled(), 2);
    rows.outdate();
    EXPECT_EQ(rows.filled(), 2);
    rows.put({2, 4});
    EXPECT_EQ(rows.filled(), 3);
    rows.clear();
    EXPECT_EQ(rows.filled(), 0);
    rows.outdate();
    rows.put({2, 4});
    EXPECT_EQ(rows.filled(), 2);
}

} // namespace
} // namespace echolux
