// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of images, without widgets: against a search by steps of a pixel, and by hand.
#include "ui/views/pane_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace echolux {
namespace {

constexpr QSizeF kHeader(0.0, 32.0);
constexpr QSizeF kBar(60.0, 0.0);

double areaOfSize(QSizeF size) { return size.width() * size.height(); }

PaneWishes wishesOf(const std::vector<double>& shapes, QSizeF room, bool firstIsMain = false) {
    PaneWishes wishes;
    for (const double shape : shapes) wishes.images.push_back({shape, false});
    wishes.firstIsMain = firstIsMain;
    wishes.room = room;
    wishes.gap = 5.0;
    wishes.around = [count = shapes.size()](const PaneLines& lines) {
        return std::vector<QSizeF>(count, lines.barsInside ? kHeader : kHeader + kBar);
    };
    return wishes;
}

/// The sum of the images where all lines get one extent across, found by trying every pixel, and
/// what is over goes to lines that can use it.
double areaBySearch(const PaneWishes& wishes, const PaneLines& lines) {
    const auto length = [&](QSizeF size) { return lines.rows ? size.width() : size.height(); };
    const auto breadth = [&](QSizeF size) { return lines.rows ? size.height() : size.width(); };
    const std::vector<QSizeF> around = wishes.around(lines);
    std::vector<double> most, shapes;
    double free = breadth(wishes.room) - wishes.gap * double(lines.counts.size() - 1);
    std::size_t first = 0;
    for (const std::size_t count : lines.counts) {
        double room = length(wishes.room) - wishes.gap * double(count - 1);
        double sum = 0.0;
        double thickest = 0.0;
        for (std::size_t i = first; i < first + count; ++i) {
            const double shape = wishes.images[i].shape;
            sum += lines.rows ? shape : 1.0 / shape;
            room -= length(around[i]);
            thickest = std::max(thickest, breadth(around[i]));
        }
        most.push_back(std::max(0.0, room / sum));
        shapes.push_back(sum);
        free -= thickest;
        first += count;
    }
    double area = 0.0;
    for (double extent = 0.0; extent < 3000.0; extent += 1.0) {
        double used = 0.0;
        double now = 0.0;
        for (std::size_t line = 0; line < most.size(); ++line) {
            const double own = std::min(extent, most[line]);
            used += own;
            now += shapes[line] * own * own;
        }
        if (used <= free) area = now;
    }
    return area;
}

std::vector<PaneLines> linesOf(std::size_t panes, bool barsInside) {
    if (panes == 0) return {{true, {}, barsInside}, {false, {}, barsInside}};
    std::vector<PaneLines> all;
    for (std::size_t last = 1; last <= panes; ++last) {
        for (PaneLines lines : linesOf(panes - last, barsInside)) {
            lines.counts.push_back(last);
            all.push_back(lines);
        }
    }
    return all;
}

TEST(PanePlan, ImagesAreAsLargeAsAnyRowsOrColumnsAllow) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> shape(0.3, 3.0);
    std::uniform_real_distribution<double> side(500.0, 1800.0);
    for (int turn = 0; turn < 60; ++turn) {
        std::vector<double> shapes(2 + static_cast<std::size_t>(turn) % 4);
        std::ranges::generate(shapes, [&] { return shape(random); });
        const PaneWishes wishes = wishesOf(shapes, {side(random), side(random)});
        double best = 0.0;
        for (const PaneLines& lines : linesOf(shapes.size(), false))
            best = std::max(best, areaBySearch(wishes, lines));
        const PanePlan plan = planPanes(wishes);
        EXPECT_GE(plan.area, 0.9 * best) << turn;
        double sum = 0.0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            sum += areaOfSize(plan.images[i]);
            EXPECT_NEAR(plan.images[i].width() / plan.images[i].height(), shapes[i], 1e-9);
            EXPECT_LE(plan.images[i].width(), plan.panes[i].width() + 1e-9);
            EXPECT_LE(plan.images[i].height(), plan.panes[i].height() - 32.0 + 1e-9);
        }
        EXPECT_NEAR(plan.area, sum, 1e-6 * sum);
    }
}

TEST(PanePlan, PanesFillTheRoom) {
    const PanePlan plan = planPanes(wishesOf({0.5, 0.5, 0.5, 2.0, 1.0}, {1200.0, 800.0}));
    double across = 5.0 * double(plan.lines.counts.size() - 1);
    std::size_t pane = 0;
    for (const std::size_t count : plan.lines.counts) {
        across += plan.lines.rows ? plan.panes[pane].height() : plan.panes[pane].width();
        double along = 5.0 * double(count - 1);
        for (std::size_t i = 0; i < count; ++i, ++pane)
            along += plan.lines.rows ? plan.panes[pane].width() : plan.panes[pane].height();
        EXPECT_NEAR(along, plan.lines.rows ? 1200.0 : 800.0, 1e-9);
    }
    EXPECT_NEAR(across, plan.lines.rows ? 800.0 : 1200.0, 1e-9);
}

TEST(PanePlan, TallImagesStandSideBySideAndFlatOnesAboveEachOther) {
    const PanePlan tall = planPanes(wishesOf({0.5, 0.5, 0.5}, {1200.0, 700.0}));
    EXPECT_EQ(tall.lines.counts.size(), tall.lines.rows ? 1U : 3U);
    const PanePlan flat = planPanes(wishesOf({4.0, 4.0, 4.0}, {1200.0, 900.0}));
    EXPECT_EQ(flat.lines.counts.size(), flat.lines.rows ? 3U : 1U);
}

TEST(PanePlan, TheMainImageIsTheLargest) {
    for (const QSizeF room : {QSizeF(1300.0, 700.0), QSizeF(900.0, 700.0), QSizeF(700.0, 1200.0)}) {
        const PanePlan main = planPanes(wishesOf({1.0, 1.0, 1.0}, room, true));
        for (const QSizeF& other : main.images)
            EXPECT_LE(0.99 * areaOfSize(other), areaOfSize(main.images.front()));
    }
    const PanePlan wide = planPanes(wishesOf({1.0, 1.0, 1.0}, {1100.0, 700.0}, true));
    EXPECT_GT(areaOfSize(wide.images[0]), 2.0 * areaOfSize(wide.images[1]))
        << "one large image and a strip of two";
}

TEST(PanePlan, BarsAreInsideWhereTheyTakeTooMuchRoom) {
    EXPECT_FALSE(planPanes(wishesOf({1.0}, {1200.0, 800.0})).lines.barsInside);
    EXPECT_TRUE(planPanes(wishesOf({0.5, 0.5}, {200.0, 900.0})).lines.barsInside);
}

TEST(PanePlan, WhatTakesAnyShapeTakesTheRest) {
    PaneWishes wishes = wishesOf({1.0, 1.5}, {1600.0, 500.0});
    wishes.images[1].fills = true;
    const PanePlan plan = planPanes(wishes);
    ASSERT_EQ(plan.images.size(), 2U);
    EXPECT_NEAR(plan.images[0].width() / plan.images[0].height(), 1.0, 1e-9);
    EXPECT_NEAR(plan.panes[0].width() + plan.panes[1].width(), 1595.0, 1e-9);
    EXPECT_NEAR(plan.panes[0].width() - plan.images[0].width(), 60.0, 1e-9) << "none to the first";
}

} // namespace
} // namespace echolux
