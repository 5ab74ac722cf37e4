// SPDX-License-Identifier: GPL-3.0-or-later
// echolux stages, through the command line: lists, tables, and the sentence for an unknown id.
#include "tests/support/command_line.hpp"

#include "gpu/stage/registry.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(StagesCommand, ListsEveryStageInOrder) {
    const CommandResult result = runEcholux({"stages"});
    EXPECT_EQ(result.status, 0);
    std::size_t at = 0;
    for (const StageType* type : builtinStages()) {
        at = result.out.find("\n" + type->id + " ", at);
        ASSERT_NE(at, std::string::npos) << type->id << " in\n" << result.out;
    }
}

TEST(StagesCommand, DescribesParameters) {
    const CommandResult result = runEcholux({"stages", "log_compression"});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, HasSubstr("range_db"));
    EXPECT_THAT(result.out, HasSubstr("10 to 120"));
    EXPECT_THAT(result.out, HasSubstr("running_maximum, fixed"));
}

TEST(StagesCommand, NamesThePortsWhereThereAreSeveral) {
    const CommandResult result = runEcholux({"stages", "compare"});
    EXPECT_THAT(result.out, HasSubstr("in: f32 any axes; in2: f32 any axes\n"));
}

TEST(StagesCommand, NamesWhatAStageGivesBesidesItsFirstOutput) {
    EXPECT_THAT(runEcholux({"stages", "beamform"}).out, HasSubstr("\nFurther output transmits: "));
    EXPECT_THAT(runEcholux({"stages", "compare"}).out, testing::Not(HasSubstr("Further output")));
    const auto beamform = nlohmann::json::parse(runEcholux({"stages", "beamform", "--json"}).out);
    EXPECT_EQ(beamform["gives"],
              (std::vector<std::string>{"out", "transmits", "delayed", "pairs"}));
}

TEST(StagesCommand, JsonAgreesWithTheTables) {
    const auto list = nlohmann::json::parse(runEcholux({"stages", "--json"}).out);
    ASSERT_EQ(list.size(), builtinStages().size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const StageType& type = *builtinStages()[i];
        EXPECT_EQ(list[i]["id"], type.id);
        EXPECT_EQ(list[i]["parameters"].size(), type.table.rows().size());
    }
    const auto median = nlohmann::json::parse(runEcholux({"stages", "median", "--json"}).out);
    EXPECT_EQ(median["parameters"][0]["key"], "window");
    EXPECT_EQ(median["parameters"][0]["max"], 9);
    EXPECT_EQ(median["parameters"][0]["default"], 1);
}

TEST(StagesCommand, MarkdownIsATable) {
    const CommandResult result = runEcholux({"stages", "persistence", "--markdown"});
    EXPECT_THAT(result.out, HasSubstr("| key | name |"));
    EXPECT_THAT(result.out, HasSubstr("| amount | Amount |  | 0 to 0.95 | 0 | live |"));
}

TEST(StagesCommand, UnknownIdIsOneSentenceAndStatusTwo) {
    const CommandResult result = runEcholux({"stages", "sharpen"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(HasSubstr("'sharpen'"), HasSubstr("to_float")));
}

} // namespace
} // namespace echolux::test
