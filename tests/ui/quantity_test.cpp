// SPDX-License-Identifier: GPL-3.0-or-later
// Typed numbers: separators, units, and what is said where they cannot be read.
#include "gpu/core/quantity.hpp"
#include "ui/controls/number_text.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace echolux {
namespace {

const QuantityUnit kSpeed{"m/s", "m/s", 1.0};
const QuantityUnit kMHz{"Hz", "MHz", 1e-6};
const QuantityUnit kUs{"s", "\u00b5s", 1e6};
const QuantityUnit kMm{"m", "mm", 1e3};
const QuantityUnit kPlain{};

TEST(Quantity, UnitsOfOneKindAreConverted) {
    const auto read = [](const char* text, const QuantityUnit& unit) {
        return readQuantity(text, unit).value.value_or(-1.0);
    };
    EXPECT_DOUBLE_EQ(read("1540", kSpeed), 1540.0);
    EXPECT_DOUBLE_EQ(read("1.5 km/s", kSpeed), 1500.0);
    EXPECT_DOUBLE_EQ(read("1.54mm/us", kSpeed), 1540.0);
    EXPECT_DOUBLE_EQ(read("3.2 MHz", kMHz), 3.2e6);
    EXPECT_DOUBLE_EQ(read("3.2mhz", kMHz), 3.2e6);
    EXPECT_DOUBLE_EQ(read("300 kHz", kMHz), 3e5);
    EXPECT_DOUBLE_EQ(read("3.2", kMHz), 3.2e6);
    EXPECT_DOUBLE_EQ(read("5e6 Hz", kMHz), 5e6);
    EXPECT_DOUBLE_EQ(read("10 us", kUs), 1e-5);
    EXPECT_DOUBLE_EQ(read("10 \u00b5s", kUs), 1e-5) << "micro sign";
    EXPECT_DOUBLE_EQ(read("10 \u03bcs", kUs), 1e-5) << "Greek mu";
    EXPECT_DOUBLE_EQ(read("0.25 ms", kUs), 2.5e-4);
    EXPECT_DOUBLE_EQ(read("2 cm", kMm), 0.02);
    EXPECT_DOUBLE_EQ(read("-1.5 mm", kMm), -1.5e-3);
    EXPECT_DOUBLE_EQ(read("\u22121.5", kMm), -1.5e-3);
    EXPECT_DOUBLE_EQ(read("90 deg", {"rad", "rad", 1.0}), std::numbers::pi / 2.0);
    EXPECT_DOUBLE_EQ(read("64 samples", {"", "samples", 1.0}), 64.0);
}

TEST(Quantity, CommasArePointsWhereNothingElseIsMeant) {
    const auto read = [](const char* text) {
        return readQuantity(text, kPlain).value.value_or(-1.0);
    };
    EXPECT_DOUBLE_EQ(read("2,5"), 2.5);
    EXPECT_DOUBLE_EQ(read(",5"), 0.5);
    EXPECT_DOUBLE_EQ(read("0,125"), 0.125) << "no thousand begins with 0";
    EXPECT_DOUBLE_EQ(read("1540,125"), 1540.125);
    EXPECT_DOUBLE_EQ(read("1,540.5"), 1540.5);
    EXPECT_DOUBLE_EQ(read("1.540,5"), 1540.5);
    EXPECT_DOUBLE_EQ(read("1,234,567"), 1234567.0);
    EXPECT_DOUBLE_EQ(read("1 540"), 1540.0);
    const Quantity either = readQuantity("1,540", kSpeed);
    EXPECT_FALSE(either.value);
    EXPECT_EQ(either.problem, "it may mean 1.540 or 1540; write one of these");
}

TEST(Quantity, WhatCannotBeReadIsSaid) {
    for (const char* text : {"", "fast", "nan", "inf", "1.2.3", "1 5", "1e999", "--1", "1,2,3"})
        EXPECT_EQ(readQuantity(text, kSpeed).problem, "it is no number") << text;
    EXPECT_EQ(readQuantity("3 MHz", kSpeed).problem, "\"MHz\" cannot be turned into m/s");
    EXPECT_EQ(readQuantity("3 m", kPlain).problem, "this number has no unit");
}

TEST(NumberText, SignsAndPowersAreTrue) {
    EXPECT_EQ(numberText(-12.34, 1), QStringLiteral("\u221212.3"));
    EXPECT_EQ(numberText(-0.01, 1), "0.0");
    EXPECT_EQ(significantText(-1.25e-5, 3), QStringLiteral("\u22121.25\u00b710\u207b\u2075"));
    EXPECT_EQ(significantText(12345678.0, 3), QStringLiteral("1.23\u00b710\u2077"));
    EXPECT_EQ(significantText(0.5, 3), "0.5");
    EXPECT_EQ(significantText(-0.0, 3), "0");
}

} // namespace
} // namespace echolux
