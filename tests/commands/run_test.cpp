// SPDX-License-Identifier: GPL-3.0-or-later
// echolux run: what it writes, what it refuses.
#include "tests/commands/golden.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RunCommand : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }

    /// Channel data as two pictures, without a beamformer: quick.
    std::string pipeline() const {
        const std::string path = file("two.toml");
        std::ofstream(path) << R"(version = 2
name = "two pictures"
[[stage]]
type = "to_float"
[[stage]]
type = "dc_removal"
[[stage]]
type = "linear_map"
[[stage]]
type = "log_compression"
input = "dc_removal"
[[view]]
id = "gray"
input = "linear_map"
[[view]]
id = "db"
input = "log_compression"
)";
        return path;
    }

    test::CommandResult run(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"run", pipeline(), test::bundledCine(), "--backend",
                                           "cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::runEcholux(arguments);
    }
    void expectRefusal(const test::CommandResult& result, const std::string& part) const {
        EXPECT_EQ(result.status, 2);
        EXPECT_THAT(result.err, AllOf(StartsWith("echolux: "), HasSubstr(part)));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    std::string text(const std::string& name) const {
        std::ifstream stream(file(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    std::vector<std::string> lines(const std::string& name) const {
        std::istringstream stream(text(name));
        std::vector<std::string> all;
        for (std::string line; std::getline(stream, line);) all.push_back(line);
        return all;
    }
    std::vector<float> lastDb(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"--write", "db=" + file("last.npy"), "--force"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return test::npyValues(file("last.npy"));
    }
    test::TemporaryFolder m_folder;
};

TEST_F(RunCommand, WritesViewsAndTimes) {
    const auto result = run({"--frames", "5", "--write", "gray=" + file("gray.png"), "--write",
                             "db=" + file("db.npy"), "--timing", file("times.csv")});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("two pictures on "), HasSubstr("5 frames, "),
                                  HasSubstr("\nlog_compression ")));
    EXPECT_THAT(text("gray.png"), StartsWith("\x89PNG"));
    const auto axes = nlohmann::json::parse(text("db.json")).at("axes");
    ASSERT_EQ(axes.size(), 2U);
    EXPECT_EQ(axes[0].at("name"), "sample") << "down, as depth";
    EXPECT_EQ(axes[1].at("name"), "channel");
    EXPECT_EQ(test::npyValues(file("db.npy")).size(),
              axes[0].at("size").get<std::size_t>() * axes[1].at("size").get<std::size_t>());
}

TEST_F(RunCommand, TimesHaveARowPerFrameAndAColumnPerStep) {
    ASSERT_EQ(run({"--frames", "4", "--timing", file("times.csv")}).status, 0);
    const std::vector<std::string> rows = lines("times.csv");
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0], "frame,upload,to_float,dc_removal,linear_map,log_compression,total");
    for (std::size_t row = 1; row < rows.size(); ++row) {
        std::istringstream cells(rows[row]);
        std::vector<double> values;
        for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
        ASSERT_EQ(values.size(), 7U) << rows[row];
        EXPECT_EQ(values[0], static_cast<double>(row));
        EXPECT_TRUE(std::ranges::all_of(values, [](double each) { return each >= 0.0; }));
        double steps = 0.0;
        for (std::size_t i = 1; i < 6; ++i) steps += values[i];
        EXPECT_LE(steps, values[6] + 0.01) << "on the CPU one after the other";
    }

    ASSERT_EQ(run({"--frames", "4", "--timing", file("times.json")}).status, 0);
    const auto report = nlohmann::json::parse(text("times.json"));
    EXPECT_EQ(report.at("unit"), "ms");
    const auto& steps = report.at("steps");
    ASSERT_EQ(steps.size(), 6U);
    EXPECT_EQ(steps.front().at("name"), "upload");
    EXPECT_EQ(steps.back().at("name"), "total");
    for (const auto& step : steps) {
        EXPECT_EQ(step.at("frames").size(), 4U);
        EXPECT_EQ(step.at("last"), step.at("frames").back());
        EXPECT_GE(step.at("held_bytes").get<int>(), 0);
        EXPECT_GE(step.at("percentile_99").get<double>(), 0.999999 * step.at("mean").get<double>());
    }
}

TEST_F(RunCommand, TellsTheBytesOfTheTablesOfEachStep) {
    const auto heldOf = [&](const std::string& delays) {
        const test::CommandResult result = test::runEcholux(
            {"run", "rf", test::bundledCine(), "--backend", "cpu", "--frames", "1", "--force",
             "--set", "beamform.delays=" + delays, "--timing", file("held.json")});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_THAT(result.out, HasSubstr("tables (MB)"));
        const auto report = nlohmann::json::parse(text("held.json"));
        std::int64_t sum = 0;
        std::int64_t held = -1;
        for (const auto& step : report.at("steps")) {
            const auto bytes = step.at("held_bytes").get<std::int64_t>();
            if (step.at("name") == "total") {
                EXPECT_EQ(bytes, sum);
            }
            if (step.at("name") == "beamform") held = bytes;
            sum += bytes;
        }
        return held;
    };
    const std::int64_t kernel = heldOf("kernel");
    EXPECT_GE(kernel, 0);
    EXPECT_GT(heldOf("table"), kernel + 1000000);
}

/// Fields of a row as RFC 4180 has them.
std::vector<std::string> fieldsOf(const std::string& row) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '"' && quoted && i + 1 < row.size() && row[i + 1] == '"')
            fields.back() += row[++i];
        else if (row[i] == '"')
            quoted = !quoted;
        else if (row[i] == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += row[i];
    }
    return fields;
}

TEST_F(RunCommand, AStageWithACommaHasOneColumnOfTimes) {
    const std::string own = file("commas.cfg");
    std::ofstream(own) << "environment cpu\n"
                          "filter type to_float name first,to\n"
                          "filter type dc_removal name mean\"off\"\n"
                          "view type colormap name gray\n"
                          "link source frame@environment dest in@first,to\n"
                          "link source out@first,to dest in@mean\"off\"\n"
                          "link source out@mean\"off\" dest in@gray\n";
    const auto result =
        test::runEcholux({"run", own, test::bundledCine(), "--frames", "2",
                          "--time-stages-separately", "--timing", file("times.csv")});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::vector<std::string> rows = lines("times.csv");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_THAT(fieldsOf(rows[0]), testing::ElementsAre("frame", "upload", "first,to",
                                                        "mean\"off\"", "gray", "total"));
    for (const std::string& row : rows) EXPECT_EQ(fieldsOf(row).size(), 6U) << row;
}

TEST_F(RunCommand, TimesStagesSeparately) {
    ASSERT_EQ(
        run({"--frames", "2", "--time-stages-separately", "--timing", file("times.csv")}).status,
        0);
    EXPECT_EQ(lines("times.csv").at(0),
              "frame,upload,to_float,dc_removal,linear_map,log_compression,total");
}

TEST_F(RunCommand, FramesBeyondTheEndBeginAgain) {
    ASSERT_EQ(run({"--frames", "70", "--timing", file("times.csv")}).status, 0);
    EXPECT_EQ(lines("times.csv").size(), 71U) << "of a recording of 32";
    EXPECT_EQ(lastDb({"--frames", "33"}), lastDb({"--frames", "1"})) << "and nothing is left over";
    EXPECT_NE(lastDb({"--frames", "2"}), lastDb({"--frames", "1"}));
    EXPECT_EQ(lastDb({}), lastDb({"--frames", "32"})) << "usually all";
}

TEST_F(RunCommand, SlotsAndFramesHaveBounds) {
    for (const char* count : {"1", "16"}) // `slots` is a word of Qt
        EXPECT_EQ(run({"--frames", "2", "--slots", count}).status, 0) << count;
    for (const char* count : {"0", "17", "-1", "many"})
        expectRefusal(run({"--slots", count}), "--slots");
    for (const char* frames : {"0", "-3", "x"})
        expectRefusal(run({"--frames", frames}), "--frames");
}

TEST_F(RunCommand, EditsReachTheStages) {
    EXPECT_NE(lastDb({"--frames", "1", "--set", "log_compression.range_db=30"}),
              lastDb({"--frames", "1"}));
    EXPECT_EQ(lastDb({"--frames", "1", "--use", "dc_removal"}), lastDb({"--frames", "1"}));
    expectRefusal(run({"--set", "envelope.window=3"}), "no stage 'envelope'");
}

TEST_F(RunCommand, RefusesPipelinesThatAreNone) {
    const auto other = [&](const std::string& name) {
        return test::runEcholux({"run", name, test::bundledCine(), "--backend", "cpu"});
    };
    expectRefusal(other("no_such_pipeline"), "no_such_pipeline");
    expectRefusal(other(m_folder.path().string()), "no pipeline file");
    expectRefusal(other(test::bundledCine()), "no pipeline file");
    std::ofstream(file("torn.toml")) << "version = 2\n[[stage]]\ntype = \"envelop\"\n";
    expectRefusal(other(file("torn.toml")), "did you mean 'envelope'?");
    std::ofstream(file("raw.toml")) << "version = 2\n[[stage]]\ntype = \"to_float\"\n";
    expectRefusal(other(file("raw.toml")), "no image");
    expectRefusal(test::runEcholux({"run", pipeline()}), "FILE");
    expectRefusal(test::runEcholux({"run", pipeline(), file("nothing.h5")}), "nothing.h5");
}

TEST_F(RunCommand, RefusesViewsThatAreNone) {
    expectRefusal(run({"--write", "grey=" + file("x.png")}),
                  "no view 'grey'; choose one of gray, db");
    expectRefusal(run({"--write", file("x.png")}), "VIEW=OUT.png");
    expectRefusal(run({"--write", "gray=" + file("x.jpg")}), "VIEW=OUT.png");
    expectRefusal(run({"--write", "gray="}), "VIEW=OUT.png");
    EXPECT_FALSE(std::filesystem::exists(file("x.png")));
}

TEST_F(RunCommand, ExistingFilesStayWithoutForce) {
    for (const char* name : {"old.png", "old.npy", "beside.json", "old.csv"})
        std::ofstream(file(name)) << "kept";
    expectRefusal(run({"--write", "gray=" + file("old.png")}), "--force");
    expectRefusal(run({"--write", "gray=" + file("old.npy")}), "--force");
    expectRefusal(run({"--write", "gray=" + file("beside.npy")}), "beside.json");
    expectRefusal(run({"--timing", file("old.csv")}), "--force");
    for (const char* name : {"old.png", "old.npy", "beside.json", "old.csv"})
        EXPECT_EQ(text(name), "kept") << name;
    const auto replaced = run({"--frames", "1", "--force", "--write", "gray=" + file("old.png"),
                               "--timing", file("old.csv")});
    EXPECT_EQ(replaced.status, 0) << replaced.err;
    EXPECT_NE(text("old.png"), "kept");
    EXPECT_NE(text("old.csv"), "kept");
}

TEST_F(RunCommand, NothingIsWrittenTwiceOrOverTheRecording) {
    const std::string cine = file("cine.npy");
    std::filesystem::copy_file(test::bundledCine(), cine);
    expectRefusal(test::runEcholux({"run", pipeline(), cine, "--backend", "cpu", "--force",
                                    "--write", "gray=" + cine}),
                  "the recording itself");
    EXPECT_EQ(std::filesystem::file_size(cine), std::filesystem::file_size(test::bundledCine()));
    expectRefusal(run({"--write", "gray=" + file("one.png"), "--write", "db=" + file("one.png")}),
                  "written twice");
    expectRefusal(run({"--write", "gray=" + file("one.npy"), "--timing", file("one.json")}),
                  "written twice");
    expectRefusal(run({"--timing", file("times.txt")}), ".csv or .json");
    expectRefusal(run({"--frames", "1", "--timing", file("no/folder/times.csv")}), "times.csv");
}

} // namespace
} // namespace echolux
