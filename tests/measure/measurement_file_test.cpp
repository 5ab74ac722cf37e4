// SPDX-License-Identifier: GPL-3.0-or-later
// Files of measurements: there and back, and what is refused.
#include "app/measure/measurement_file.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::measure {
namespace {

const std::vector<Measurement> kAll{
    {.name = "wire", .kind = Kind::Point, .places = {{0.25, 20.0}}, .search = 1.5},
    {.name = "\"quoted\" \n name", .kind = Kind::Line, .places = {{0, 1}, {2, 3}}},
    {.name = "way", .kind = Kind::Polyline, .places = {{0, 1}, {2, 3}, {4, 5}}},
    {.name = "corner", .kind = Kind::Angle, .places = {{0, 1}, {2, 3}, {4, 4}}},
    {.name = "tissue", .kind = Kind::Rectangle, .places = {{0, 1}, {2, 3}}},
    {.name = "cyst", .kind = Kind::Ellipse, .places = {{0, 1}, {2, 3}}},
    {.name = "shape", .kind = Kind::Outline, .places = {{0, 1}, {2, 3}, {1.0 / 3.0, 0}}},
    {.name = "beat", .kind = Kind::Line, .view = "m_mode", .places = {{-200, 9}, {0, 9}}},
    {.name = "blob", .kind = Kind::Blob, .places = {{0, 1, 2}}, .search = 2.0, .threshold = 20.0},
    {.name = "in space", .kind = Kind::Line, .places = {{0, 1, -2.5}, {2, 3, 4}}},
    {.name = "wall", .kind = Kind::Calliper, .places = {{0, 1}}},
    {.name = "layer",
     .kind = Kind::Calliper,
     .places = {{0, 1}},
     .surfaces = {Surfaces::Of::Edges, Surfaces::Span{0.5, 2.5}, 0.25, 1.376}},
    {.name = "wave", .kind = Kind::Envelope, .view = "sonogram", .places = {{-900, -9}, {0, 60}}},
    {.name = "waves", .kind = Kind::Envelope, .view = "sonogram"},
    {.name = "pair", .kind = Kind::Contrast, .inside = "cyst", .outside = "tissue"},
    {.name = "system",
     .kind = Kind::Sensitivity,
     .inside = "wire",
     .outside = "tissue",
     .attenuationDb = 40.5},
};

TEST(MeasurementFile, ComesBackAsItWas) {
    EXPECT_EQ(parseMeasurements(toToml(kAll), "file"), kAll);
    EXPECT_TRUE(parseMeasurements("", "empty").empty());
}

TEST(MeasurementFile, NoneIsAListToo) {
    EXPECT_TRUE(parseMeasurements(toToml({}), "some.toml").empty());
    EXPECT_TRUE(parseMeasurements("measurement = []", "some.toml").empty());
}

TEST(MeasurementFile, IntegersArePlaces) {
    const auto read =
        parseMeasurements("[[measurement]]\nname='a'\nkind='point'\nplaces=[[0, 20]]\n", "file");
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].places[0], (Place{0.0, 20.0}));
}

struct Refused {
    const char* text;
    const char* fact;
};

class RefusedMeasurements : public testing::TestWithParam<Refused> {};

TEST_P(RefusedMeasurements, NameLineAndFact) {
    const std::string sentence =
        testing_support::refusal([] { parseMeasurements(GetParam().text, "some.toml"); });
    EXPECT_THAT(sentence, testing::ContainsRegex("^some.toml.* line "));
    EXPECT_THAT(sentence, testing::HasSubstr(GetParam().fact));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedMeasurements,
    testing::Values(
        Refused{"[[measurement", "line 1"}, Refused{"measure = 1\n", "measure"},
        Refused{"measurement = 3\n", "[[measurement]]"},
        Refused{"[[measurement]]\nname='a'\nkind='circle'\nplaces=[[0,0]]\n", "ellipse"},
        Refused{"[[measurement]]\nkind='point'\nplaces=[[0,0]]\n", "name"},
        Refused{"[[measurement]]\nname=''\nkind='point'\nplaces=[[0,0]]\n", "name"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\n", "places"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[0,0]\n", "pairs"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,1,2,3]]\n", "pairs"},
        Refused{"[[measurement]]\nname='a'\nkind='blob'\nplaces=[[0,1]]\nthreshold=0\n", "above 0"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,nan]]\n", "finite"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,'x']]\n", "finite"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,0],[1,1]]\n", "one place"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,0]]\nsearch=-1\n", "above 0"},
        Refused{"[[measurement]]\nname='a'\nkind='line'\nplaces=[[0,0],[1,1]]\nsearch=1\n",
                "search"},
        Refused{"[[measurement]]\nname='a'\nkind='ellipse'\nplaces=[[0,0],[0,1]]\n", "half axes"},
        Refused{"[[measurement]]\nname='a'\nkind='outline'\nplaces=[[0,0],[0,1]]\n", "three"},
        Refused{"[[measurement]]\nname='a'\nkind='envelope'\nplaces=[[0,0]]\n", "two opposite"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0],[1,1]]\n", "one place"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0]]\nspan=[3,2]\n", "span"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0]]\nspan=4\n", "depths"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0]]\nindex=0\n", "above 0"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0]]\nwidth=-1\n",
                "above 0"},
        Refused{"[[measurement]]\nname='a'\nkind='calliper'\nplaces=[[0,0]]\nsurfaces='x'\n",
                "edges"},
        Refused{"[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,0]]\nindex=1\n", "index"},
        Refused{"[[measurement]]\nname='a'\nkind='sensitivity'\nmirror='b'\nnoise='c'\n", "point"},
        Refused{"[[measurement]]\nname='a'\nkind='sensitivity'\nmirror='b'\n", "noise"},
        Refused{"[[measurement]]\nname='a'\nkind='contrast'\ninside='b'\noutside='c'\nplaces=[]\n",
                "places"},
        Refused{"[[measurement]]\nname='a'\nkind='contrast'\ninside='b'\noutside='b'\n", "itself"},
        Refused{"[[measurement]]\nname='a'\nkind='contrast'\ninside='b'\noutside='c'\n", "'b'"},
        Refused{
            "[[measurement]]\nname='a'\nkind='point'\nplaces=[[0,0]]\n[[measurement]]\nname='a'\n"
            "kind='point'\nplaces=[[0,0]]\n",
            "rename"}));

TEST(MeasurementFile, AMissingFileIsSaid) {
    EXPECT_THAT(testing_support::refusal([] { readMeasurements("/nowhere/at/all.toml"); }),
                testing::HasSubstr("/nowhere/at/all.toml"));
}

} // namespace
} // namespace echolux::measure
