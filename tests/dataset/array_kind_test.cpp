// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays are called by their shape.
#include "app/dataset/transmit/array_kind.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <gtest/gtest.h>

namespace echolux {

namespace {

Probe probeAt(std::vector<Point> elements) {
    Probe probe;
    probe.elements = std::move(elements);
    probe.centreFrequencyHz = 5e6; // 0.308 mm
    return probe;
}

std::string kindOf(const Probe& probe) { return describe(arrayKindOf(probe, 1540.0)); }

TEST(ArrayKind, linesAndArcs) {
    EXPECT_EQ(kindOf(probeAt(linearArray(128, 0.3e-3))), "linear array, 128 elements");
    EXPECT_EQ(kindOf(probeAt(linearArray(64, 0.15e-3))), "phased array, 64 elements");
    EXPECT_EQ(kindOf(probeAt(convexArray(96, 0.5e-3, 60e-3))),
              "curved array, 96 elements, radius 60 mm");
    EXPECT_EQ(kindOf(probeAt({{0.0, 0.0, 0.0}})), "linear array, 1 element");
    EXPECT_EQ(kindOf(probeAt({})), "array of 0 elements");
    std::vector<Point> bent = linearArray(9, 1e-3);
    bent[2].z = 3e-3;
    EXPECT_EQ(kindOf(probeAt(bent)), "array of 9 elements");
}

TEST(ArrayKind, gridsAndLongLines) {
    std::vector<Point> grid;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 6; ++column)
            grid.push_back({0.3e-3 * column, 0.4e-3 * row, 0.0});
    EXPECT_EQ(kindOf(probeAt(grid)), "matrix array, 6 x 4 elements");
    grid.erase(grid.begin());
    EXPECT_EQ(kindOf(probeAt(grid)), "matrix array, 23 elements in 6 x 4 places");
    std::vector<Point> cloud;
    for (int i = 0; i < 9; ++i) cloud.push_back({1e-4 * i * i, 2e-4 * i, 0.0});
    EXPECT_EQ(kindOf(probeAt(cloud)), "array of 9 elements");
    Probe cross = probeAt(linearArray(3, 0.2e-3));
    cross.elements.push_back({0.0, 0.2e-3, 0.0});
    cross.longAxes = {LongAxis::Elevation, LongAxis::Elevation, LongAxis::Elevation,
                      LongAxis::Lateral};
    EXPECT_EQ(kindOf(cross), "row-column array, 3 + 1 lines");
}

/// Files without a word for lines describe them by where they stand and how high they are.
TEST(ArrayKind, TwoCrossingRowsOfHighElementsAreLines) {
    for (const std::size_t lines : {4U, 5U}) { // five have an element of each row at the crossing
        Probe cross = probeAt(linearArray(lines, 0.5e-3));
        for (const Point& p : linearArray(lines, 0.5e-3)) cross.elements.push_back({0.0, p.x, 0.0});
        cross.elementHeightM = 0.5e-3 * static_cast<double>(lines);
        std::vector<LongAxis> expected(lines, LongAxis::Elevation);
        expected.resize(2 * lines, LongAxis::Lateral);
        EXPECT_EQ(crossedLines(cross), expected);
        cross.elementHeightM = 0.4e-3; // a cross of small elements
        EXPECT_TRUE(crossedLines(cross).empty());
    }
    Probe linear = probeAt(linearArray(8, 0.3e-3));
    linear.elementHeightM = 5e-3;
    EXPECT_TRUE(crossedLines(linear).empty());
}

} // namespace

} // namespace echolux
