// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter tables: defaults, validation with clear sentences, deep copies, text round trip.
#include "gpu/core/error.hpp"
#include "gpu/stage/param_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

enum class Shape { Hann, Tukey };
struct Sample {
    double speed = 1540.0;
    std::int64_t taps = 63;
    bool on = true;
    Shape shape = Shape::Hann;
    std::vector<double> gains{0.0, 1.0};
};

const ParamTable& table() {
    static const ParamTable kTable =
        ParamTable::of<Sample>()
            .real(&Sample::speed,
                  {.key = "speed", .label = "Speed", .unit = "m/s", .min = 1000, .max = 7000})
            .integer(&Sample::taps,
                     {.key = "taps", .label = "Taps", .min = 3, .max = 255, .oddOnly = true})
            .flag(&Sample::on, {.key = "on", .label = "On"})
            .choice(&Sample::shape, {{"hann", "Hann"}, {"tukey", "Tukey"}},
                    {.key = "shape", .label = "Shape"})
            .list(&Sample::gains, {.key = "gains", .label = "Gains", .min = -1, .max = 1})
            .build();
    return kTable;
}

std::string refusal(std::string_view key, const ParamValue& value) {
    Params params(table());
    try {
        params.set("demo", key, value);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(ParamTable, DefaultsComeFromTheStruct) {
    const Params params(table());
    EXPECT_EQ(std::get<double>(params.get("speed")), 1540.0);
    EXPECT_EQ(std::get<std::string>(params.get("shape")), "hann");
}

TEST(ParamTable, RefusesWithOwnerKeyValueAndRange) {
    EXPECT_EQ(
        refusal("speed", 900.0),
        "demo: parameter 'speed' cannot be 900: choose a value in the range 1000 to 7000 m/s.");
    EXPECT_THAT(refusal("speed", std::nan("")), testing::HasSubstr("range"));
    EXPECT_THAT(refusal("taps", std::int64_t{4}), testing::HasSubstr("odd"));
    EXPECT_THAT(refusal("taps", 4.5), testing::HasSubstr("whole"));
    EXPECT_THAT(refusal("shape", std::string("gauss")), testing::HasSubstr("hann, tukey"));
    EXPECT_THAT(refusal("gains", std::vector<double>{0.5, 3.0}), testing::HasSubstr("-1 to 1"));
    EXPECT_THAT(refusal("wrong", true), testing::HasSubstr("choose one of speed, taps"));
}

TEST(ParamTable, CopiesAreDeep) {
    Params first(table());
    Params second = first;
    second.set("demo", "speed", 1480.0);
    EXPECT_EQ(first.as<Sample>().speed, 1540.0);
    EXPECT_EQ(second.as<Sample>().speed, 1480.0);
    EXPECT_FALSE(first == second);
    first = second;
    EXPECT_TRUE(first == second);
}

TEST(ParamTable, TextRoundTrip) {
    Params params(table());
    for (const ParamRow& row : table().rows()) {
        const ParamValue value = params.get(row.key);
        params.set("demo", row.key, ParamTable::parse("demo", row, ParamTable::format(value)));
        EXPECT_EQ(params.get(row.key), value) << row.key;
    }
    EXPECT_THROW(ParamTable::parse("demo", *table().find("speed"), "fast"), Error);
}

} // namespace
} // namespace echolux
