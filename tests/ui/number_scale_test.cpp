// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of sliders and number fields against values worked out by hand.
#include "tests/ui/panel_fixtures.hpp"
#include "ui/controls/number_scale.hpp"
#include "ui/plots/sticky_range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux {
namespace {

using testing_support::everyRow;

TEST(NumberScale, ShowsTheDisplayUnit) {
    const NumberScale scale(everyRow("edge"));
    EXPECT_EQ(scale.textWithUnit(2.5e6), "2.5 MHz");
    EXPECT_EQ(scale.rangeText(), "0.5 to 7.5 MHz");
    EXPECT_EQ(NumberScale(everyRow("offset")).textWithUnit(-1.25e-6), "\u22121.25 \u00b5s");
}

TEST(NumberScale, AStepThatIsNotRoundInTheDisplayUnitHasTwoDigits) {
    const ParamRow row{.key = "angle",
                       .label = "Angle",
                       .unit = "rad",
                       .min = -1.0,
                       .max = 1.0,
                       .step = 0.01, // 0.573 degrees
                       .displayUnit = "deg",
                       .displayFactor = 57.29577951308232};
    EXPECT_EQ(NumberScale(row).text(-8.0 / row.displayFactor), "\u22128.00");
}

TEST(NumberScale, ShowsFurtherDigitsWhereTheValueHasThem) {
    const NumberScale scale(everyRow("edge"));
    EXPECT_EQ(scale.text(2.537e6), "2.537");
    EXPECT_EQ(scale.text(3.0e6), "3.0");
}

TEST(NumberScale, ReadsUnitsCommasAndMinusSigns) {
    const NumberScale scale(everyRow("edge"));
    EXPECT_DOUBLE_EQ(scale.read("3,25").value.value(), 3.25e6);
    EXPECT_DOUBLE_EQ(scale.read(" 3.25 MHz ").value.value(), 3.25e6);
    EXPECT_DOUBLE_EQ(NumberScale(everyRow("offset")).read("\u22121.5").value.value(), -1.5e-6);
    EXPECT_DOUBLE_EQ(scale.read("9e3").value.value(), 9e9) << "out of range is read, then clamped";
    EXPECT_FALSE(scale.read("fast").value.has_value());
    EXPECT_FALSE(scale.read("").value.has_value());
    EXPECT_FALSE(scale.read("nan").value.has_value());
    EXPECT_FALSE(scale.read("inf").value.has_value());
}

TEST(NumberScale, TextReadsBackAsTheValue) {
    for (const char* key : {"edge", "speed", "offset"}) {
        const NumberScale scale(everyRow(key));
        for (int i = 0; i <= 97; ++i) {
            const double value = scale.valueAt(i / 97.0);
            EXPECT_NEAR(scale.read(scale.text(value)).value.value(), value,
                        1e-6 * (scale.max() - scale.min()))
                << key << " at " << i;
        }
    }
}

TEST(NumberScale, LinearPlacesAreMultiplesOfTheStep) {
    const NumberScale scale(everyRow("edge"));
    EXPECT_DOUBLE_EQ(scale.valueAt(0.0), 0.5e6);
    EXPECT_DOUBLE_EQ(scale.valueAt(1.0), 7.5e6);
    EXPECT_DOUBLE_EQ(scale.valueAt(0.5), 4.0e6);
    EXPECT_NEAR(scale.valueAt(0.333), 2.8e6, 1e-3);
    EXPECT_DOUBLE_EQ(scale.position(4.0e6), 0.5);
}

TEST(NumberScale, LogarithmicMiddleIsTheGeometricMean) {
    const NumberScale scale(everyRow("speed"));
    EXPECT_NEAR(scale.valueAt(0.5), 2650.0, 1e-9) << "sqrt(1000 * 7000) = 2645.8, three digits";
    EXPECT_NEAR(scale.position(std::sqrt(7.0) * 1000.0), 0.5, 1e-12);
}

TEST(NumberScale, OddNumbersStayOdd) {
    const NumberScale scale(everyRow("taps"));
    EXPECT_EQ(scale.clamped(4.0), 5.0);
    EXPECT_EQ(scale.clamped(300.0), 255.0);
    EXPECT_EQ(scale.clamped(-7.0), 3.0);
    EXPECT_EQ(scale.stepped(63.0, 1.0, false), 65.0);
    EXPECT_EQ(scale.stepped(63.0, -1.0, true), 61.0) << "no odd number is nearer";
    for (int i = 0; i <= 1000; ++i) {
        EXPECT_EQ(std::fmod(scale.valueAt(i / 1000.0), 2.0), 1.0) << i;
    }
}

TEST(NumberScale, FineStepsAreATenth) {
    const NumberScale scale(everyRow("edge"));
    EXPECT_NEAR(scale.stepped(2.5e6, 1.0, false), 2.6e6, 1e-3);
    EXPECT_NEAR(scale.stepped(2.5e6, -1.0, true), 2.49e6, 1e-3);
    EXPECT_DOUBLE_EQ(scale.stepped(7.5e6, 5.0, false), 7.5e6);
}

TEST(NumberScale, NaNAndEmptyRangesDoNoHarm) {
    EXPECT_EQ(NumberScale(everyRow("edge")).clamped(std::nan("")), 0.5e6);
    ParamRow row{.key = "k", .label = "K", .min = 2.0, .max = 2.0, .step = 0.0};
    const NumberScale scale(row);
    EXPECT_EQ(scale.position(2.0), 0.0);
    EXPECT_EQ(scale.valueAt(0.7), 2.0);
    EXPECT_EQ(scale.stepped(2.0, 3.0, false), 2.0);
}

TEST(StickyRange, GrowsAtOnceAndShrinksAfterPatience) {
    StickyRange range(3);
    EXPECT_EQ(range.update(37.0), 50.0);
    EXPECT_EQ(range.update(51.0), 100.0);
    EXPECT_EQ(range.update(60.0), 100.0) << "more than half: stays";
    EXPECT_EQ(range.update(12.0), 100.0);
    EXPECT_EQ(range.update(13.0), 100.0);
    EXPECT_EQ(range.update(12.0), 20.0) << "third calm update: the largest of them, 13";
    EXPECT_EQ(range.update(std::numeric_limits<double>::infinity()), 20.0);
}

TEST(StickyRange, FitsDataThatStandStillAtOnce) {
    StickyRange range;
    range.update(90.0);
    EXPECT_EQ(range.fit(12.0), 20.0);
    EXPECT_EQ(range.fit(0.0), 20.0) << "silence has no range of its own";
}

TEST(NumberScale, SliderOfItsOwnRangeLeavesTheLimits) {
    NumberScale scale(everyRow("speed"));
    scale.setSliderRange(1350.0, 1750.0);
    EXPECT_DOUBLE_EQ(scale.valueAt(0.0), 1350.0);
    EXPECT_DOUBLE_EQ(scale.valueAt(1.0), 1750.0);
    EXPECT_DOUBLE_EQ(scale.position(6000.0), 1.0);
    EXPECT_DOUBLE_EQ(scale.clamped(6000.0), 6000.0);
    EXPECT_EQ(scale.rangeText(), "1000 to 7000 m/s");
    scale.setSliderRange(9e9, 9e9);
    EXPECT_DOUBLE_EQ(scale.valueAt(1.0), 7000.0) << "no range at all: that of the table";
}

TEST(StickyRange, OneLoudFrameStartsThePatienceAgain) {
    StickyRange range(3);
    range.update(90.0);
    range.update(10.0);
    range.update(10.0);
    range.update(80.0);
    EXPECT_EQ(range.update(10.0), 100.0);
}

} // namespace
} // namespace echolux
