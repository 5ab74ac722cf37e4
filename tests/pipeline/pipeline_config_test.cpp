// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline files: what is read, what is written back, what is refused and how.
#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/snapshot.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace echolux {
namespace {

std::string parseRefusal(const std::string& toml) {
    try {
        parsePipeline(toml, "test.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(PipelineConfig, ReadsStagesValuesAndBypass) {
    const PipelineConfig config = parsePipeline(R"(version = 1
name = "demo"
[[stage]]
type = "to_float"
set = { scale = 2 }
[[stage]]
id = "mean"
type = "dc_removal"
input = "to_float"
bypass = true
backend = "cpu"
fuse = false
)",
                                                "test.toml");
    EXPECT_EQ(config.name, "demo");
    ASSERT_EQ(config.stages.size(), 2U);
    EXPECT_EQ(config.stages[0].values.at(0).first, "scale");
    EXPECT_EQ(std::get<double>(config.stages[0].values.at(0).second), 2.0);
    EXPECT_EQ(config.stages[1].id, "mean");
    EXPECT_TRUE(config.stages[1].bypass);
    EXPECT_TRUE(config.stages[1].onCpu);
    EXPECT_FALSE(config.stages[0].onCpu);
    EXPECT_TRUE(config.stages[1].alone);
    EXPECT_FALSE(config.stages[0].alone);
    EXPECT_TRUE(parsePipeline(toToml(config), "written.toml").stages[1].alone);
}

/// What a file says of `key` of a stage, as this program understands it.
ParamValue valueIn(int version, const std::string& type, const std::string& key,
                   const std::string& value) {
    const PipelineConfig config =
        parsePipeline("version = " + std::to_string(version) + "\n[[stage]]\ntype = \"" + type +
                          "\"\nset = { " + key + " = " + value + " }\n",
                      "test.toml");
    return config.stages.front().values.front().second;
}
std::int64_t numberIn(int version, const std::string& type, const std::string& key,
                      const std::string& number) {
    return std::get<std::int64_t>(valueIn(version, type, key, number));
}

TEST(PipelineConfig, FlagsThatBecameChoicesAreReadStill) {
    const auto start = [](const std::string& value) {
        return std::get<std::string>(valueIn(3, "aberration", "warm_start", value));
    };
    EXPECT_EQ(start("true"), "frame");
    EXPECT_EQ(start("false"), "none");
    EXPECT_EQ(start("\"neighbour\""), "neighbour");
    EXPECT_THAT(parseRefusal("version = 3\n[[stage]]\ntype = \"aberration\"\nset = { warm_start "
                             "= 1 }\n"),
                testing::HasSubstr("choose one of none, frame, neighbour"));
    EXPECT_THAT(parseRefusal("version = 3\n[[stage]]\ntype = \"aberration\"\nset = { method = "
                             "true }\n"),
                testing::HasSubstr("choose one of"))
        << "only this key was one";
}

TEST(PipelineConfig, OneOfSeveralCountsFromOneAndInOldFilesFromZero) {
    const std::pair<std::string, std::string> kChoices[] = {{"one_transmit", "transmit"},
                                                            {"log_compression", "transmit"},
                                                            {"linear_map", "transmit"},
                                                            {"one_channel", "channel"},
                                                            {"one_frame", "frame"}};
    for (const auto& [type, key] : kChoices) {
        EXPECT_EQ(numberIn(1, type, key, "0"), 1) << type;
        EXPECT_EQ(numberIn(2, type, key, "4"), 5) << type;
        EXPECT_EQ(numberIn(3, type, key, "5"), 5) << type;
        EXPECT_EQ(numberIn(2, type, key, "4.0"), 5) << type << ", by a whole real number";
        EXPECT_THAT(parseRefusal("version = 3\n[[stage]]\ntype = \"" + type + "\"\nset = { " + key +
                                 " = 0 }\n"),
                    testing::HasSubstr("cannot be 0"))
            << type;
    }
    EXPECT_EQ(numberIn(2, "median", "window", "5"), 5) << "a size is no number of one";
}

TEST(PipelineConfig, WritingAndReadingAgree) {
    for (const std::string& name : shippedPipelines()) {
        const PipelineConfig config = shippedPipeline(name);
        const PipelineConfig again = parsePipeline(toToml(config), name);
        EXPECT_EQ(again.name, config.name);
        ASSERT_EQ(again.stages.size(), config.stages.size());
        for (std::size_t i = 0; i < config.stages.size(); ++i) {
            EXPECT_EQ(again.stages[i].id, config.stages[i].id);
            EXPECT_EQ(again.stages[i].values, config.stages[i].values);
        }
    }
}

TEST(PipelineConfig, DefaultsAreWrittenAsCommentsAndMeanTheSame) {
    PipelineConfig config;
    config.name = "chain";
    config.stages.push_back({"to_float", "to_float"});
    config.stages.push_back({"dc_removal", "dc_removal"});
    config.stages.push_back({"analytic", "analytic"});
    config.stages.push_back({"beamform", "beamform", false, {{"speed_of_sound", 1480.0}}});
    const SnapshotPtr snapshot = instantiate(config, test::codesSpec(2, 16, 256));
    const PipelineConfig own = toConfig(*snapshot);
    const PipelineConfig full = toFullConfig(*snapshot);
    const std::string text = toToml(own, &full);
    EXPECT_NE(text.find("\nspeed_of_sound = 1480.0\n"), std::string::npos) << text;
    for (const ParamRow& row : snapshot->stage("beamform").type->table.rows()) {
        const bool isSet = row.key == "speed_of_sound";
        EXPECT_EQ(text.find("\n# " + row.key + " = ") != std::string::npos, !isSet) << row.key;
    }
    EXPECT_EQ(toToml(parsePipeline(text, "test.toml")), toToml(own));
}

/// What stands between fences in the help page, each whole.
TEST(PipelineConfig, TheExamplesOfTheHelpPageAreRead) {
    std::ifstream file(ECHOLUX_SOURCE_DIR "/resources/help/pipelines.md");
    std::vector<std::string> examples;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) examples.emplace_back();
        } else if (inside) {
            examples.back() += line + "\n";
        }
    }
    ASSERT_EQ(examples.size(), 3U);
    for (const std::string& example : examples) {
        const PipelineConfig config = parsePipeline(example, "help.toml");
        EXPECT_NO_THROW(instantiate(config, test::codesSpec(2, 16, 256))) << example;
    }
    EXPECT_EQ(parsePipeline(examples[1], "help.toml").views.size(), 3U);
}

TEST(PipelineConfig, RefusalsNameFileLineAndRemedy) {
    using testing::AllOf;
    using testing::HasSubstr;
    EXPECT_THAT(parseRefusal(""), HasSubstr("version"));
    EXPECT_THAT(parseRefusal("version = 4\n"),
                AllOf(HasSubstr("version 4"), HasSubstr("test.toml")));
    EXPECT_THAT(parseRefusal("version = 1\n"), HasSubstr("names no stage"));
    EXPECT_THAT(parseRefusal("version = [\n"), AllOf(HasSubstr("test.toml"), HasSubstr("line")));
    EXPECT_THAT(parseRefusal("version = 1\n[[stage]]\ntype = \"nonsense\"\n"),
                HasSubstr("no stage 'nonsense'"));
    EXPECT_THAT(parseRefusal("version = 1\n[[stage]]\nkind = \"to_float\"\n"),
                AllOf(HasSubstr("'kind'"), HasSubstr("line 3")));
    EXPECT_THAT(
        parseRefusal("version = 1\n[[stage]]\ntype = \"to_float\"\nset = { scale = \"big\" }\n"),
        AllOf(HasSubstr("to_float"), HasSubstr("scale"), HasSubstr("number")));
    EXPECT_THAT(
        parseRefusal(
            "version = 1\n[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"to_float\"\n"),
        HasSubstr("used twice"));
    EXPECT_THAT(parseRefusal("version = 1\n[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = "
                             "\"dc_removal\"\ninput = \"x\"\n"),
                AllOf(HasSubstr("line 6"), HasSubstr("no stage 'x'")));
}

TEST(PipelineConfig, ValuesOfTheWrongTypeAreNamedWithTheirLine) {
    using testing::AllOf;
    using testing::HasSubstr;
    const std::string stage = "version = 1\n[[stage]]\n";
    EXPECT_THAT(parseRefusal(stage + "type = 3\n"),
                AllOf(HasSubstr("line 3"), HasSubstr("'type' must be text in quotes")));
    EXPECT_THAT(parseRefusal(stage + "type = \"to_float\"\nbackend = \"cuda\"\n"),
                AllOf(HasSubstr("line 4"), HasSubstr("\"cpu\", not 'cuda'")));
    EXPECT_THAT(parseRefusal(stage + "type = \"to_float\"\nbypass = \"no\"\n"),
                AllOf(HasSubstr("line 4"), HasSubstr("'bypass' must be true or false")));
    EXPECT_THAT(parseRefusal(stage + "type = \"to_float\"\nset = 3\n"),
                AllOf(HasSubstr("line 4"), HasSubstr("'set' must be a table")));
    EXPECT_THAT(parseRefusal("version = 1\nstage = [1]\n"),
                AllOf(HasSubstr("line 2"), HasSubstr("[[stage]]")));
}

TEST(PipelineConfig, RealNumbersAreWrittenAsToml) {
    for (const auto& [value, text] : {std::pair{1450.0, "1450.0"}, {0.5, "0.5"}, {1e-7, "1e-07"}}) {
        PipelineConfig config;
        config.name = "numbers";
        config.stages.push_back({"das", "beamform", false, {{"speed_of_sound", value}}});
        const std::string toml = toToml(config);
        EXPECT_NE(toml.find(std::string(" = ") + text + '\n'), std::string::npos) << toml;
    }
}

} // namespace
} // namespace echolux
