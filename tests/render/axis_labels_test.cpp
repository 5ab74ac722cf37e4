// SPDX-License-Identifier: GPL-3.0-or-later
// Words beside turned boxes of any proportion: none over another, none over the box, none cut.
#include "render/view/axis_labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

/// Lengths in metres.
VolumeBox boxOf(double lateral, double depth, double elevation) {
    const auto axis = [](AxisName name, double length) {
        return Axis{name, 64, length / 64.0, 0.0, "m"};
    };
    FrameSpec spec;
    spec.axes = {axis(AxisName::Elevation, elevation), axis(AxisName::Lateral, lateral),
                 axis(AxisName::Depth, depth)};
    return VolumeBox::of(spec);
}

Vec2 sizeOf(const std::string& text) { return {8.0 * static_cast<double>(text.size()), 17.0}; }

std::ptrdiff_t titlesIn(const std::vector<AxisLabel>& labels) {
    return std::ranges::count_if(labels, &AxisLabel::isTitle);
}

TEST(AxisLabels, TurnedWordsOverlapWhereTheirLettersDo) {
    const AxisLabel lying{"word", {0.0, 0.0}, {100.0, 10.0}};
    AxisLabel other{"word", {0.0, 30.0}, {100.0, 10.0}};
    EXPECT_FALSE(overlap(lying, other));
    other.angleRad = 0.5 * std::numbers::pi;
    EXPECT_TRUE(overlap(lying, other));
    other = {"word", {70.0, 70.0}, {100.0, 10.0}, -0.25 * std::numbers::pi};
    EXPECT_FALSE(overlap(lying, other)) << "their bounding boxes would";
}

TEST(AxisLabels, NoneLiesOverAnotherHoweverTheBoxIsTurned) {
    const Rect kRooms[] = {{0.0, 0.0, 280.0, 250.0}, {0.0, 0.0, 600.0, 500.0}};
    const VolumeBox kBoxes[] = {boxOf(10e-3, 10e-3, 10e-3), boxOf(6e-3, 30e-3, 6e-3),
                                boxOf(1e-3, 2e-3, 40e-3), boxOf(20e-3, 0.5e-3, 20e-3),
                                boxOf(0.2e-3, 4e-3, 4e-3)};
    int layouts = 0;
    int titles = 0;
    int wanted = 0;
    for (const Rect& room : kRooms) {
        const Rect corner{room.right - 110.0, 8.0, room.right - 16.0, 25.0};
        for (const VolumeBox& box : kBoxes) {
            Orbit orbit;
            orbit.zoomBy(0.8);
            for (int turn = 0; turn < 60; ++turn) {
                const VolumeProjection projection(box, orbit, room);
                const auto labels = layOutLabels(projection, room, {&corner, 1}, sizeOf);
                const AxisLabel taken{"", corner.centre(), {corner.width(), corner.height()}};
                for (std::size_t i = 0; i < labels.size(); ++i) {
                    EXPECT_FALSE(overlap(labels[i], taken)) << labels[i].text;
                    for (std::size_t j = 0; j < i; ++j)
                        EXPECT_FALSE(overlap(labels[i], labels[j]))
                            << labels[i].text << " and " << labels[j].text << ", turn " << turn;
                    for (const Vec2 p : labels[i].corners())
                        EXPECT_TRUE(room.contains(p)) << labels[i].text;
                }
                ++layouts;
                titles += static_cast<int>(titlesIn(labels));
                wanted += static_cast<int>(projection.axisMarks().size());
                orbit.turnBy({37.0, 23.0 - turn % 7}, room);
            }
        }
    }
    EXPECT_EQ(layouts, 600);
    EXPECT_GT(titles, wanted * 95 / 100) << "of " << wanted;
}

TEST(AxisLabels, ASlenderBoxKeepsTheTitlesOfItsShortEdges) {
    const Rect room{0.0, 0.0, 350.0, 380.0};
    Orbit orbit;
    orbit.zoomBy(0.8);
    const VolumeProjection projection(boxOf(6e-3, 30e-3, 6e-3), orbit, room);
    EXPECT_EQ(titlesIn(layOutLabels(projection, room, {}, sizeOf)), 3);
    orbit.lookAtBscan();
    orbit.zoomBy(0.9); // its short edges are close to the room's
    const VolumeProjection front(boxOf(6e-3, 30e-3, 6e-3), orbit, {0.0, 0.0, 430.0, 320.0});
    EXPECT_EQ(titlesIn(layOutLabels(front, {0.0, 0.0, 430.0, 320.0}, {}, sizeOf)), 2);
}

TEST(AxisLabels, WhereThereIsRoomTitlesStandBesideTheMiddleOfTheirEdges) {
    const Rect room{0.0, 0.0, 700.0, 700.0};
    Orbit orbit;
    orbit.zoomBy(0.8);
    const VolumeProjection projection(boxOf(10e-3, 10e-3, 10e-3), orbit, room);
    const auto labels = layOutLabels(projection, room, {}, sizeOf);
    for (const auto& axis : projection.axisMarks()) {
        const auto title = std::ranges::find(labels, axis.title, &AxisLabel::text);
        ASSERT_NE(title, labels.end());
        const Vec2 middle{0.5 * (axis.from.x + axis.to.x), 0.5 * (axis.from.y + axis.to.y)};
        EXPECT_NEAR(title->centre.x, middle.x + 40.0 * axis.outwards.x, 1e-6) << axis.title;
        EXPECT_NEAR(title->centre.y, middle.y + 40.0 * axis.outwards.y, 1e-6) << axis.title;
    }
}

} // namespace
} // namespace echolux
