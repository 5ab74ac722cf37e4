// SPDX-License-Identifier: GPL-3.0-or-later
// echolux measure and sweep: what they write and what they refuse.
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

using nlohmann::json;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

/// The wire at (-7, 18) mm and the dark cyst of the bundled recording.
constexpr const char* kMeasurements = R"([[measurement]]
name = "wire"
kind = "point"
places = [[-7.0, 18.3]]
search = 1.0
[[measurement]]
name = "cyst"
kind = "ellipse"
places = [[-1.95, 20.4], [1.2, 1.2]]
[[measurement]]
name = "tissue"
kind = "rectangle"
places = [[-6.0, 19.5], [-4.0, 22.0]]
[[measurement]]
name = "pair"
kind = "contrast"
inside = "cyst"
outside = "tissue"
)";

class MeasureCommand : public testing::Test {
protected:
    void SetUp() override { std::ofstream(file("m.toml")) << kMeasurements; }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    test::CommandResult measure(const std::vector<std::string>& more) const {
        return run("measure", more);
    }
    test::CommandResult sweep(const std::vector<std::string>& more) const {
        return run("sweep", more);
    }
    static std::string contents(const std::string& path) {
        std::ifstream stream(path);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    test::CommandResult run(const std::string& command,
                            const std::vector<std::string>& more) const {
        std::vector<std::string> words{command,        test::bundledCine(), "--measure",
                                       file("m.toml"), "--backend",         "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        return runEcholux(words);
    }
    test::TemporaryFolder m_folder;
};

TEST_F(MeasureCommand, HistogramsOfRegionsAreWritten) {
    const auto result = measure({"--histograms", file("h.csv")});
    ASSERT_EQ(result.status, 0) << result.err;
    std::istringstream rows(contents(file("h.csv")));
    std::string row;
    std::getline(rows, row);
    EXPECT_EQ(row, "frame,measurement,of,from,to,density,speckle");
    double tissue = 0.0; // the share of its pixels in all bins of amplitudes
    int cyst = 0;
    while (std::getline(rows, row)) {
        std::istringstream cells(row);
        std::vector<std::string> cell;
        for (std::string each; std::getline(cells, each, ',');) cell.push_back(each);
        ASSERT_EQ(cell.size(), 7U) << row;
        EXPECT_NE(cell[1], "\"wire\"");
        if (cell[1] == "\"cyst\"") ++cyst;
        if (cell[1] == "\"tissue\"" && cell[2] == "amplitude")
            tissue += (std::stod(cell[4]) - std::stod(cell[3])) * std::stod(cell[5]);
    }
    EXPECT_GT(tissue, 0.98);
    EXPECT_LE(tissue, 1.001);
    EXPECT_GT(cyst, 20);
    EXPECT_NE(measure({"--histograms", file("h.csv")}).status, 0) << "it exists";
}

TEST_F(MeasureCommand, ThePhantomHasItsWireAndItsCyst) {
    const auto result = measure({"-o", file("m.json")});
    ASSERT_EQ(result.status, 0) << result.err;
    const json report = json::parse(contents(file("m.json")));
    const json& wire = report["measured"][0]["figures"];
    EXPECT_NEAR(wire["depth"]["value"].get<double>(), 18.0, 0.4);
    EXPECT_GT(wire["lateral_width"]["value"].get<double>(),
              wire["depth_width"]["value"].get<double>());
    const json& pair = report["measured"][3]["figures"];
    EXPECT_LT(pair["contrast"]["value"].get<double>(), -10.0);
    EXPECT_GT(pair["gcnr"]["value"].get<double>(), 0.7);
    EXPECT_EQ(pair["contrast"]["unit"], "dB");
}

TEST_F(MeasureCommand, LevelsBelowTheDisplayedRangeCount) {
    // The cyst is below a range of 20 dB; its contrast stays the same.
    const auto contrast = [&](const std::string& range, const std::string& name) {
        const auto result =
            measure({"--set", "log_compression.range_db=" + range, "-o", file(name)});
        EXPECT_EQ(result.status, 0) << result.err;
        return json::parse(contents(file(name)))["measured"][3]["figures"]["contrast"]["value"]
            .get<double>();
    };
    EXPECT_NEAR(contrast("20", "a.json"), contrast("80", "b.json"), 1e-3);
}

TEST_F(MeasureCommand, EveryFrameHasItsRows) {
    const auto result = measure({"--every-frame", "-o", file("m.csv")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(contents(file("m.csv")),
                AllOf(HasSubstr("frame,measurement,kind,figure,value,unit,problem\n"),
                      HasSubstr("\n1,\"wire\",point,lateral_width,"),
                      HasSubstr("\n32,\"pair\",contrast,gcnr,")));
}

TEST_F(MeasureCommand, ATableIsPrinted) {
    const auto result = measure({"--frame", "2"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("Frame 2"), HasSubstr("wire"), HasSubstr("mm"), HasSubstr("gCNR")));
}

TEST_F(MeasureCommand, FiguresArePrintedForPrograms) {
    const auto written = measure({"-o", file("m.json")});
    ASSERT_EQ(written.status, 0) << written.err;
    const auto printed = measure({"--json"});
    ASSERT_EQ(printed.status, 0) << printed.err;
    EXPECT_EQ(json::parse(printed.out), json::parse(contents(file("m.json"))));
    const auto rows = measure({"-o", "-"});
    EXPECT_EQ(rows.out.substr(0, rows.out.find(',')), "frame");
    EXPECT_EQ(measure({"--json", "-o", file("n.json")}).err,
              "echolux: --json prints; leave it out, or leave -o out.\n");
    const std::vector<std::string> over{"--over", "beamform.f_number=1,2"};
    const auto swept = sweep({"--over", "beamform.f_number=1,2", "--json"});
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_EQ(json::parse(swept.out)["values"], (std::vector<std::string>{"1", "2"}));
    EXPECT_THAT(sweep(over).err, HasSubstr("-o OUT.csv or OUT.json, or --json"));
}

/// The wires of the bundled recording lie where its simulation placed them.
TEST_F(MeasureCommand, APhantomIsMeasuredAgainstNominal) {
    std::ofstream(file("phantom.toml")) << R"(title = "Bundled"
[[measurement]]
name = "first"
kind = "point"
places = [[0, 0]]
[[measurement]]
name = "second"
kind = "point"
places = [[9, 24]]
)";
    const auto run = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--phantom", file("phantom.toml"), "--at", "-7,6"});
        const auto result = runEcholux(words);
        EXPECT_EQ(result.status, 0) << result.err;
    };
    run({"measure", test::bundledCine(), "--write-measurements", file("kept.toml"), "-o",
         file("m.json")});
    const json report = json::parse(contents(file("m.json")));
    for (const json& target : report["measured"])
        for (const char* id : {"lateral_error", "depth_error"})
            EXPECT_NEAR(target["figures"][id]["value"].get<double>(), 0.0, 0.05) << target;
    EXPECT_THAT(contents(file("kept.toml")), HasSubstr("nominal = [ 2.0, 30.0 ]"));
    run({"report", test::bundledCine(), "-o", file("r.html")});
    EXPECT_THAT(contents(file("r.html")),
                AllOf(HasSubstr("<h2>Targets (mm)</h2>"), HasSubstr("<td>second</td><td>2</td>")));
    const auto refused = [&](const std::vector<std::string>& more, const char* fact) {
        std::vector<std::string> words{"measure", test::bundledCine()};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_THAT(runEcholux(words).err, HasSubstr(fact));
    };
    refused({"--phantom", "nothing"}, "picmus_numerical");
    refused({"--phantom", "picmus_numerical", "--at", "3"}, "lateral and depth");
    refused({"--phantom", "picmus_numerical", "--write-measurements", file("kept.toml")},
            "kept.toml");
}

/// The wire stands still: its line in the picture over time is level, and as old as the recording.
TEST_F(MeasureCommand, AViewOverTimeIsImagedAfterTheFramesBefore) {
    std::ofstream(file("time.toml")) << R"([[measurement]]
name = "wire"
kind = "point"
places = [[-7, 18]]
[[measurement]]
name = "course"
kind = "line"
view = "m_mode"
places = [[-400, 18], [0, 18]]
[[measurement]]
name = "early"
kind = "point"
view = "m_mode"
places = [[-400, 18]]
)";
    const auto figures = [&](const char* frame) {
        const auto result = runEcholux(
            {"measure", test::bundledCine(), "--measure", file("time.toml"), "--pipeline", "m_mode",
             "--set", "m_mode.lateral=-7e-3", "--frame", frame, "-o", file("t.json"), "--force"});
        EXPECT_EQ(result.status, 0) << result.err;
        return json::parse(contents(file("t.json")))["measured"];
    };
    const json late = figures("20");
    EXPECT_NEAR(late[0]["figures"]["depth"]["value"].get<double>(), 18.0, 0.4);
    EXPECT_EQ(late[1]["figures"]["duration"]["value"], 400.0);
    EXPECT_EQ(late[1]["figures"]["rate"]["value"], 150.0);
    EXPECT_GT(late[2]["figures"]["level"]["value"].get<double>(), -20.0) << "10 frames before";
    EXPECT_LT(figures("5")[2]["figures"]["level"]["value"].get<double>(), -59.0) << "no frame yet";
}

TEST_F(MeasureCommand, BadInputIsRefused) {
    std::ofstream(file("empty.toml"));
    std::ofstream(file("there.csv")) << "kept";
    const auto refused = [&](const std::vector<std::string>& more, const std::string& fact) {
        const auto result = measure(more);
        EXPECT_NE(result.status, 0);
        EXPECT_THAT(result.err, HasSubstr(fact));
    };
    refused({"--frame", "33"}, "1 to 32");
    refused({"--view", "nothing"}, "image");
    refused({"-o", file("m.txt")}, ".csv");
    refused({"-o", file("there.csv")}, "there.csv");
    EXPECT_EQ(contents(file("there.csv")), "kept");
    const auto none = runEcholux({"measure", test::bundledCine()});
    EXPECT_THAT(none.err, HasSubstr(".echolux-measurements.toml"));
    const auto empty =
        runEcholux({"measure", test::bundledCine(), "--measure", file("empty.toml")});
    EXPECT_THAT(empty.err, HasSubstr("[[measurement]]"));
}

TEST_F(MeasureCommand, ASweepFindsTheSpeedOfSoundOfThePhantom) {
    const auto result = sweep({"--over", "beamform.speed_of_sound=1400:1680:20", "-o",
                               file("s.csv"), "--highest", "wire.peak"});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string rows = contents(file("s.csv"));
    EXPECT_EQ(std::ranges::count(rows, '\n'), 16);
    EXPECT_THAT(rows, AllOf(HasSubstr("beamform.speed_of_sound,\"wire.lateral (mm)\""),
                            HasSubstr("\n1400,"), HasSubstr("\n1680,")));
    EXPECT_THAT(result.out, HasSubstr("highest of wire.peak"));
}

TEST_F(MeasureCommand, ASweepSaysWhereNoValueIsBest) {
    const auto result = sweep({"--over", "beamform.speed_of_sound=1500:1580:40", "-o",
                               file("s.json"), "--lowest", "tissue.area"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("does not depend on this parameter"));
    const auto end = sweep({"--over", "beamform.speed_of_sound=1400:1480:40", "-o", file("e.json"),
                            "--highest", "tissue.sharpness_fourth_power"});
    ASSERT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("at an end of the values"));
    const json report = json::parse(contents(file("s.json")));
    for (const json& depth : report["figures"]["wire.depth"])
        EXPECT_NEAR(depth.get<double>(), 18.0, 0.15) << "the point stays on its echo";
}

TEST_F(MeasureCommand, ASweepGoesOverChoicesAndSaysWhatIsRefused) {
    const auto result = sweep({"--over", "beamform.window=rectangular,hann", "-o", file("s.json")});
    ASSERT_EQ(result.status, 0) << result.err;
    const json report = json::parse(contents(file("s.json")));
    EXPECT_EQ(report["values"], json({"rectangular", "hann"}));
    EXPECT_EQ(report["units"]["wire.lateral_width"], "mm");
    const json& widths = report["figures"]["wire.lateral_width"];
    EXPECT_GT(widths[1].get<double>(), widths[0].get<double>()) << "a taper widens the main lobe";
    for (const char* over :
         {"beamform.f_number", "beamform.f_number=", "beamform.f_number=1:2",
          "beamform.f_number=1:2:0", "beamform.f_number=2:1:0.1", "beamform.f_number=a:b:c"}) {
        const auto refused = sweep({"--over", over, "-o", file("n.csv")});
        EXPECT_NE(refused.status, 0) << over;
        EXPECT_THAT(refused.err, HasSubstr("first:last:step")) << over;
    }
    const auto many = sweep({"--over", "beamform.f_number=0:3:1e-9", "-o", file("n.csv")});
    EXPECT_THAT(many.err, HasSubstr("larger step"));
    const auto unknown =
        sweep({"--over", "beamform.f_number=1,2", "--lowest", "wire.size", "-o", file("n.csv")});
    EXPECT_THAT(unknown.err, HasSubstr("wire.lateral_width"));
    EXPECT_FALSE(std::filesystem::exists(file("n.csv")));
}

} // namespace
} // namespace echolux
