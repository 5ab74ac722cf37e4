// SPDX-License-Identifier: GPL-3.0-or-later
// Regions against geometry worked out by hand.
#include "render/view/region.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

TEST(Region, RectanglesAreOrdered) {
    const Region region = Region::rectangleOf({4.0, 1.0}, {-2.0, 3.0});
    EXPECT_TRUE(region.rectangle);
    EXPECT_EQ(region.bounds(), (Rect{-2.0, 1.0, 4.0, 3.0}));
    EXPECT_DOUBLE_EQ(region.area(), 12.0);
    EXPECT_TRUE(region.contains({0.0, 2.0}));
    EXPECT_FALSE(region.contains({5.0, 2.0}));
    EXPECT_EQ(region.movedBy({1.0, -1.0}).bounds(), (Rect{-1.0, 0.0, 5.0, 2.0}));
}

TEST(Region, AnOutlineHoldsWhatItRunsAround) {
    // A U: open at the top.
    const Region region{{{0, 0}, {1, 0}, {1, 2}, {2, 2}, {2, 0}, {3, 0}, {3, 3}, {0, 3}}, false};
    EXPECT_TRUE(region.contains({0.5, 1.0}));
    EXPECT_FALSE(region.contains({1.5, 1.0})) << "within the bounds, but outside";
    EXPECT_TRUE(region.contains({1.5, 2.5}));
    EXPECT_DOUBLE_EQ(region.area(), 7.0);
}

TEST(Region, IsKeptWithinTheImage) {
    const Region cut = within(Region::rectangleOf({-5.0, -5.0}, {2.0, 2.0}), {0.0, 0.0, 4.0, 4.0});
    EXPECT_EQ(cut.bounds(), (Rect{0.0, 0.0, 2.0, 2.0}));
}

} // namespace
} // namespace echolux
