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
    Mask parts;
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
            .mask(&Sample::parts, {.key = "parts", .label = "Parts", .min = 0, .max = 1})
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

TEST(ParamTable, AMaskIsAWordOrItsEntries) {
    Params params(table());
    const auto after = [&](const ParamValue& value) {
        params.set("demo", "parts", value);
        return params.get("parts");
    };
    EXPECT_EQ(params.get("parts"), ParamValue(std::string("all")));
    EXPECT_EQ(after(std::string("middle")), ParamValue(std::string("middle")));
    EXPECT_EQ(params.as<Sample>().parts, (Mask{"middle", {}}));
    EXPECT_EQ(after(std::vector{0.0, 1.0}), ParamValue(std::vector{0.0, 1.0}));
    EXPECT_EQ(after(std::vector<double>{}), ParamValue(std::string("all"))) << "of older files";
    const ParamRow& row = *table().find("parts");
    EXPECT_EQ(ParamTable::parse("demo", row, " last "), ParamValue(std::string("last")));
    EXPECT_EQ(ParamTable::parse("demo", row, "[1, 0]"), ParamValue(std::vector{1.0, 0.0}));
    EXPECT_EQ(refusal("parts", std::string("centre")),
              "demo: parameter 'parts' cannot be centre: choose one of all, first, middle, last, "
              "or give a list with 0 or 1 for each.");
    EXPECT_THAT(refusal("parts", std::vector{0.0, 2.0}), testing::HasSubstr("0 to 1"));
    EXPECT_THAT(refusal("parts", 1.0), testing::HasSubstr("choose one of all"));
}

TEST(ParamTable, MaskWordsMeanTheirItems) {
    const auto on = [](const Mask& mask, std::int64_t count) {
        std::string items;
        for (std::int64_t i = 0; i < count; ++i) items += mask.isOn(i, count) ? '1' : '0';
        return items;
    };
    EXPECT_EQ(on({"all", {}}, 3), "111");
    EXPECT_EQ(on({"first", {}}, 3), "100");
    EXPECT_EQ(on({"middle", {}}, 7), "0001000");
    EXPECT_EQ(on({"middle", {}}, 2), "01");
    EXPECT_EQ(on({"middle", {}}, 1), "1");
    EXPECT_EQ(on({"last", {}}, 3), "001");
    EXPECT_EQ(on({"", {1.0, 0.0}}, 2), "10");
    EXPECT_TRUE((Mask{"middle", {}}.fits(9)));
    EXPECT_FALSE((Mask{"", {1.0, 0.0}}.fits(3)));
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
