// SPDX-License-Identifier: GPL-3.0-or-later
// Colour maps against published values: ends and middle, and what each map promises.
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace echolux {
namespace {

/// CIE 1976 lightness L* of an sRGB colour (IEC 61966-2-1), 0 to 100.
double lightness(std::uint32_t colour) {
    const auto linear = [](std::uint32_t code) {
        const double c = code / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(colour >> 16U) + 0.7152 * linear((colour >> 8U) & 0xffU) +
                     0.0722 * linear(colour & 0xffU);
    return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

TEST(ColourMap, NamesInOrder) {
    std::vector<std::string_view> names;
    for (const ColourMap& map : colourMaps()) names.push_back(map.name);
    EXPECT_THAT(names,
                testing::ElementsAre("gray", "viridis", "inferno", "magma", "plasma", "turbo",
                                     "hot", "bone", "blue-orange", "red-blue", "hue"));
}

TEST(ColourMap, PublishedEnds) {
    // First and last colour as the maps' authors publish them.
    const std::map<std::string_view, std::pair<std::uint32_t, std::uint32_t>> kEnds = {
        {"gray", {0x000000, 0xffffff}},        {"viridis", {0x440154, 0xfde725}},
        {"inferno", {0x000004, 0xfcffa4}},     {"magma", {0x000004, 0xfcfdbf}},
        {"plasma", {0x0d0887, 0xf0f921}},      {"turbo", {0x30123b, 0x7a0403}},
        {"hot", {0x000000, 0xffffff}},         {"bone", {0x000000, 0xffffff}},
        {"blue-orange", {0xbfebff, 0xffe6a6}}, {"red-blue", {0x00d9ff, 0xfff200}},
    };
    for (const auto& [name, ends] : kEnds) {
        EXPECT_EQ(colourMap(name).colour.front(), ends.first) << name;
        EXPECT_EQ(colourMap(name).colour.back(), ends.second) << name;
    }
}

TEST(ColourMap, KnownEntriesBetween) {
    EXPECT_EQ(colourMap("viridis").colour[128], 0x21918cU); // its well-known teal middle
    EXPECT_EQ(colourMap("gray").colour[77], 0x4d4d4dU);
    EXPECT_EQ(colourMap("hot").colour[128], 0xff5600U); // green: 255 (128/255 - 3/8) / (3/8)
}

TEST(ColourMap, HueIsTheCircleOfHuesAndBlackForNone) {
    const ColourMap& map = colourMap("hue");
    EXPECT_EQ(map.colour[0], 0x000000U);
    EXPECT_EQ(map.colour[85], 0x00ff00U) << "120 degrees";
    EXPECT_EQ(map.colour[170], 0x0000ffU) << "240 degrees";
    EXPECT_EQ(map.colour[255], 0xff0000U) << "360 degrees";
    EXPECT_EQ(map.colour[1], 0xff0600U) << "beside it, as the hues close to a circle";
}

TEST(ColourMap, RedBlueIsBlackInTheMiddleAndGrowsLighterToBothEnds) {
    const ColourMap& map = colourMap("red-blue");
    EXPECT_EQ(map.colour[127], 0x000000U);
    EXPECT_EQ(map.colour[128], 0x000000U);
    for (std::size_t i = 129; i < ColourMap::kEntries; ++i) {
        EXPECT_GE(lightness(map.colour[i]), lightness(map.colour[i - 1]) - 0.3) << i;
        EXPECT_GE(lightness(map.colour[255 - i]), lightness(map.colour[256 - i]) - 0.3) << i;
        EXPECT_GT(map.colour[i] >> 16U, map.colour[i] & 0xffU) << "red above";
        EXPECT_LT(map.colour[255 - i] >> 16U, map.colour[255 - i] & 0xffU) << "blue below";
    }
}

/// Without red against green, which many do not see, blue against the mean of both tells the sign.
TEST(ColourMap, BlueOrangeTellsTheSignToThoseWhoSeeNoRedAgainstGreen) {
    const ColourMap& map = colourMap("blue-orange");
    EXPECT_EQ(map.colour[127], 0x000000U);
    EXPECT_EQ(map.colour[128], 0x000000U);
    const auto blueness = [](std::uint32_t colour) {
        const auto part = [&](unsigned shift) { return int((colour >> shift) & 0xffU); };
        return part(0) - (part(16) + part(8)) / 2;
    };
    for (std::size_t i = 0; i < 120; ++i) {
        const std::uint32_t below = map.colour[i];
        const std::uint32_t above = map.colour[ColourMap::kEntries - 1 - i];
        EXPECT_GT(blueness(below), 2) << i;
        EXPECT_LT(blueness(above), -2) << i;
        EXPECT_NEAR(lightness(below), lightness(above), 9.0) << i << ": as strong either side";
    }
}

TEST(ColourMap, AllButTurboHuesAndThoseWithASignGrowLighter) {
    for (const ColourMap& map : colourMaps()) {
        if (map.name == "turbo" || map.name == "hue" || map.name == "red-blue" ||
            map.name == "blue-orange")
            continue;
        for (std::size_t i = 1; i < ColourMap::kEntries; ++i) {
            EXPECT_GE(lightness(map.colour[i]), lightness(map.colour[i - 1]) - 0.3)
                << map.name << " " << i;
        }
    }
}

TEST(ColourMap, NotANumberIsInNone) {
    for (const ColourMap& map : colourMaps()) {
        EXPECT_THAT(map.colour, testing::Not(testing::Contains(kNotANumberColour))) << map.name;
    }
}

TEST(ColourMap, UnknownNameIsRefusedWithTheNames) {
    try {
        colourMap("jet");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'jet'"));
        EXPECT_THAT(error.what(), testing::HasSubstr("gray, viridis"));
    }
}

} // namespace
} // namespace echolux
