// SPDX-License-Identifier: GPL-3.0-or-later
// Targets of phantoms, and how far measured points lie from them.
#include "app/measure/figures.hpp"
#include "app/measure/measurement_file.hpp"
#include "tests/measure/figure_named.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace echolux::measure {
namespace {

const Measurement& targetNamed(const std::vector<Measurement>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Measurement::name);
    if (found == all.end()) throw std::runtime_error("no target " + name);
    return *found;
}

TEST(Phantom, ShippedOnesNameTheirSource) {
    ASSERT_FALSE(shippedPhantoms().empty());
    for (const std::string& name : shippedPhantoms()) {
        const Phantom phantom = phantomNamed(name);
        EXPECT_FALSE(phantom.title.empty()) << name;
        EXPECT_THAT(phantom.source, testing::HasSubstr("http")) << name;
    }
}

/// us_phantom.m: rows of 5 wires from -15 to 15 mm at 14 and 45 mm, and a disk of 5 mm radius at
/// (-8, 24) mm.
TEST(Phantom, PicmusHasItsTargets) {
    const auto targets = targetsAt(phantomNamed("picmus_numerical"), {});
    EXPECT_EQ(std::ranges::count(targets, Kind::Point, &Measurement::kind), 23);
    EXPECT_EQ(*targetNamed(targets, "top 1").nominal, (Place{-15.0, 14.0}));
    EXPECT_EQ(*targetNamed(targets, "bottom 4").nominal, (Place{7.5, 45.0}));
    EXPECT_EQ(*targetNamed(targets, "axial 13").nominal, (Place{13.0, 25.75}));
    EXPECT_EQ(targetNamed(targets, "cyst").places[0], (Place{-8.0, 24.0}));
}

TEST(Phantom, MovesWithItsFirstTarget) {
    const auto targets = targetsAt(phantomNamed("picmus_numerical"), Place{-14.5, 15.0});
    EXPECT_EQ(targetNamed(targets, "top 1").places[0], (Place{-14.5, 15.0}));
    EXPECT_EQ(*targetNamed(targets, "top 3").nominal, (Place{0.5, 15.0}));
    EXPECT_EQ(targetNamed(targets, "cyst").places[0], (Place{-7.5, 25.0}));
    EXPECT_EQ(targetNamed(targets, "cyst").places[1], (Place{4.0, 4.0})) << "half axes stay";
    EXPECT_EQ(targetNamed(targets, "tissue").places[1], (Place{-13.5, 30.0}));
}

TEST(Phantom, APointIsMeasuredAgainstNominal) {
    MeasuredImage image{.lateral = {-1.0, 0.1, 21}, .depth = {9.0, 0.1, 21}};
    for (std::int64_t row = 0; row < 21; ++row)
        for (std::int64_t column = 0; column < 21; ++column)
            image.values.push_back(
                static_cast<float>(std::exp(-4.0 * std::pow(image.lateral.at(column) - 0.23, 2) -
                                            4.0 * std::pow(image.depth.at(row) - 10.14, 2))));
    Measurement wire{.name = "wire", .places = {{0.0, 10.0}}, .nominal = Place{0.0, 10.0}};
    const auto figures = figuresOfPoint(image, wire);
    EXPECT_NEAR(figureOf(figures, "lateral_error"), 0.23, 1e-4);
    EXPECT_NEAR(figureOf(figures, "depth_error"), 0.14, 1e-4);
    EXPECT_EQ(parseMeasurements(toToml({wire}), "file")[0].nominal, wire.nominal);
    wire.nominal.reset();
    for (const Figure& figure : figuresOfPoint(image, wire)) EXPECT_NE(figure.id, "depth_error");
}

TEST(Phantom, FilesAreReadAndUnknownOnesRefused) {
    const test::TemporaryFolder folder;
    const auto write = [&](const char* text) {
        std::ofstream(folder / "mine.toml") << text;
        return (folder / "mine.toml").string();
    };
    const Phantom mine = phantomNamed(
        write("title='Mine'\n[[measurement]]\nname='a'\nkind='point'\nplaces=[[1,2]]\n"));
    EXPECT_EQ(mine.title, "Mine");
    EXPECT_EQ(mine.targets[0].nominal, (Place{1.0, 2.0}));
    const auto refused = [](const std::string& name) {
        return testing_support::refusal([&] { phantomNamed(name); });
    };
    EXPECT_THAT(refused(write("title='Mine'\n")), testing::HasSubstr("first target"));
    EXPECT_THAT(refused("gelatine"), testing::HasSubstr("picmus_numerical"));
    EXPECT_THAT(refused("/nowhere/at.toml"), testing::HasSubstr("/nowhere/at.toml"));
}

} // namespace
} // namespace echolux::measure
