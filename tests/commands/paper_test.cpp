// SPDX-License-Identifier: GPL-3.0-or-later
// echolux figure and report: what they write and what they refuse.
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

using test::bundledCine;
using test::runEcholux;
using testing::HasSubstr;
using testing::Not;

class PaperCommand : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(file("m.toml")) << "[[measurement]]\nname = \"wire\"\nkind = \"point\"\n"
                                         "places = [[-7.0, 18.0]]\n";
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    static std::string contents(const std::string& path) {
        std::ifstream stream(path);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    test::TemporaryFolder m_folder;
};

TEST_F(PaperCommand, AFigureHoldsPanelsTextAndShapes) {
    const auto run = runEcholux({"figure", bundledCine(), "--measure", file("m.toml"), "--letters",
                                 "--set", "beamform.pixel_lateral=3e-4", "--and-pipeline",
                                 "low_resolution", "--width", "170", "-o", file("f.svg")});
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string svg = contents(file("f.svg"));
    for (const char* word : {"(a) ", "(b) ", ">wire<", "lateral (mm)", "width=\"16"})
        EXPECT_THAT(svg, HasSubstr(word));
}

TEST_F(PaperCommand, AReportComparesPipelines) {
    const auto run = runEcholux({"report", bundledCine(), "--measure", file("m.toml"), "--pipeline",
                                 "rf", "--and-pipeline", "rf_sum", "--title", "Two", "-o",
                                 file("r.html"), "--csv", file("r.csv")});
    if (run.status != 0) GTEST_FAIL() << run.err;
    const std::string page = contents(file("r.html"));
    EXPECT_THAT(page, HasSubstr("<h1>Two</h1>"));
    EXPECT_THAT(page, HasSubstr("difference"));
    EXPECT_THAT(page, HasSubstr("SHA-256"));
    EXPECT_THAT(contents(file("r.csv")), HasSubstr("\"wire\",lateral_width,mm,0.6"));
}

TEST_F(PaperCommand, WithoutMeasurementsAReportHasNoFigures) {
    ASSERT_EQ(runEcholux({"report", bundledCine(), "-o", file("r.html")}).status, 0);
    EXPECT_THAT(contents(file("r.html")), Not(HasSubstr("<h2>Figures</h2>")));
}

TEST_F(PaperCommand, WhatCannotBeWrittenIsRefused) {
    const auto refused = [&](std::vector<std::string> more) {
        more.insert(more.begin() + 1, bundledCine());
        return test::refusal(more);
    };
    EXPECT_THAT(refused({"figure", "-o", file("f.bmp")}), HasSubstr("'.bmp'"));
    EXPECT_THAT(refused({"report", "-o", file("r.txt")}), HasSubstr(".html or .pdf"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--width", "0"}), HasSubstr("--width"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--width", "12"}), HasSubstr("narrow"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--dpi", "-1"}), HasSubstr("--dpi"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--range", "0:-60"}), HasSubstr("-60:0"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--measure", file("none.toml")}),
                HasSubstr("none.toml"));
    EXPECT_THAT(refused({"report", "-o", file("r.html"), "--beside", file("none.h5")}),
                HasSubstr("none.h5"));
    EXPECT_THAT(refused({"figure", "-o", file("f.png"), "--colour-map", "pink"}),
                HasSubstr("pink"));
    EXPECT_FALSE(std::filesystem::exists(file("f.png")));
    std::ofstream(file("old.pdf")) << "x";
    EXPECT_THAT(refused({"report", "-o", file("old.pdf")}), HasSubstr("old.pdf"));
    EXPECT_EQ(contents(file("old.pdf")), "x");
    std::filesystem::copy_file(bundledCine(), file("beside.pdf"));
    EXPECT_THAT(
        refused({"report", "--beside", file("beside.pdf"), "-o", file("beside.pdf"), "--force"}),
        HasSubstr("recording itself"));
    EXPECT_THAT(refused({"report", "--beside", file("beside.pdf"), "-o", file("r.html"), "--force",
                         "--csv", file("beside.pdf")}),
                HasSubstr("recording itself"));
}

} // namespace
} // namespace echolux
