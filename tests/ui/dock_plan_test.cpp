// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of docks side by side: they fit, keep the order, and have as many places as any plan.
#include "ui/window/dock_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace echolux {
namespace {

constexpr int kGap = 5;
using Tabs = DockPlan::Tabs;
using Column = DockPlan::Column;

std::vector<QSize> alike(std::size_t count, QSize least) {
    return std::vector<QSize>(count, least);
}

std::vector<std::size_t> inOrder(const DockPlan& plan) {
    std::vector<std::size_t> docks;
    for (const Column& column : plan.columns)
        for (const Tabs& tabs : column) docks.insert(docks.end(), tabs.begin(), tabs.end());
    return docks;
}

std::size_t places(const DockPlan& plan) {
    std::size_t count = 0;
    for (const Column& column : plan.columns) count += column.size();
    return count;
}

bool fits(const DockPlan& plan, const std::vector<QSize>& least, QSize room) {
    int width = -kGap;
    for (const Column& column : plan.columns) {
        int columnWidth = 0;
        int height = -kGap;
        for (const Tabs& tabs : column) {
            int tallest = 0;
            for (const std::size_t dock : tabs) {
                columnWidth = std::max(columnWidth, least[dock].width());
                tallest = std::max(tallest, least[dock].height());
            }
            height += kGap + tallest;
        }
        width += kGap + columnWidth;
        if (height > room.height()) return false;
    }
    return width <= room.width();
}

TEST(DockPlanTest, OneColumnWhereAllFitBelowEachOther) {
    const DockPlan plan = planDocks(alike(3, {240, 300}), {900, 910}, kGap);
    EXPECT_EQ(plan, (DockPlan{{{{0}, {1}, {2}}}}));
}

TEST(DockPlanTest, ASecondColumnBeforeTabs) {
    const DockPlan plan = planDocks(alike(4, {240, 300}), {485, 700}, kGap);
    EXPECT_EQ(plan, (DockPlan{{{{0}, {1}}, {{2}, {3}}}}));
}

TEST(DockPlanTest, TabsForWhatDoesNotFit) {
    EXPECT_EQ(planDocks(alike(4, {240, 300}), {484, 700}, kGap), (DockPlan{{{{0, 1}, {2, 3}}}}));
    const DockPlan narrow = planDocks(alike(6, {240, 300}), {485, 700}, kGap);
    EXPECT_EQ(narrow.columns.size(), 2U);
    EXPECT_EQ(places(narrow), 4U);
    for (const Column& column : narrow.columns)
        for (const Tabs& tabs : column) EXPECT_LE(tabs.size(), 2U);
}

TEST(DockPlanTest, ATallDockHasAColumnOfItsOwn) {
    const std::vector<QSize> least{{240, 300}, {240, 300}, {300, 690}};
    EXPECT_EQ(planDocks(least, {600, 700}, kGap), (DockPlan{{{{0}, {1}}, {{2}}}}));
}

TEST(DockPlanTest, NoRoomMeansOnePlace) {
    EXPECT_EQ(planDocks(alike(3, {240, 300}), {100, 100}, kGap), (DockPlan{{{{0, 1, 2}}}}));
    EXPECT_TRUE(planDocks({}, {900, 900}, kGap).columns.empty());
}

TEST(DockPlanTest, AnyPlanFitsInOrder) {
    std::mt19937 random(7);
    const auto from = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<QSize> least(static_cast<std::size_t>(from(1, 7)));
        for (QSize& size : least) size = QSize(from(200, 400), from(200, 500));
        const QSize room(from(400, 2000), from(500, 1600));
        const DockPlan plan = planDocks(least, room, kGap);
        EXPECT_TRUE(fits(plan, least, room)) << trial;
        std::vector<std::size_t> all(least.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        EXPECT_EQ(inOrder(plan), all) << trial;
        // One more column of one more place would not fit either.
        if (places(plan) < least.size()) {
            DockPlan apart;
            for (std::size_t i = 0; i < least.size(); ++i) apart.columns.push_back({Tabs{i}});
            EXPECT_FALSE(fits(apart, least, room)) << trial;
        }
    }
}

} // namespace
} // namespace echolux
