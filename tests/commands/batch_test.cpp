// SPDX-License-Identifier: GPL-3.0-or-later
// echolux batch: results of many recordings, what is kept, and recordings that fail.
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

using nlohmann::json;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

class BatchCommand : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(file("m.toml")) << "[[measurement]]\nname = \"wire\"\nkind = \"point\"\n"
                                         "places = [[-7.0, 18.0]]\n";
        for (const char* name : {"a.h5", "b.h5"})
            std::filesystem::copy_file(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5",
                                       file(name));
        std::ofstream(file("broken.h5")) << "no recording";
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    json result(const std::string& name) const {
        std::ifstream stream(file("out/" + name + ".json"));
        return json::parse(stream, nullptr, false);
    }
    test::CommandResult batch(std::vector<std::string> more) const {
        std::vector<std::string> words{"batch", "rf"};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"-o", file("out"), "--program", ECHOLUX_PROGRAM});
        return runEcholux(words);
    }

private:
    test::TemporaryFolder m_folder;
};

TEST_F(BatchCommand, WritesAResultPerRecordingAndOneBadFileStopsNothing) {
    const auto run = batch({file("a.h5"), file("broken.h5"), file("b.h5"), "--jobs", "2", "--write",
                            "png,npz", "--measure", file("m.toml")});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.out, HasSubstr("2 done, 0 kept, 1 failed"));
    EXPECT_THAT(run.err, HasSubstr("1 of 3 recordings failed"));
    for (const char* name : {"a.h5", "b.h5"}) {
        EXPECT_EQ(result(name)["status"], "done");
        EXPECT_EQ(result(name)["outputs"].size(), 3U);
        for (const auto& output : result(name)["outputs"])
            EXPECT_TRUE(std::filesystem::exists(file("out/" + output.get<std::string>())));
    }
    std::ifstream measured(file("out/a.h5.measured.json"));
    EXPECT_EQ(json::parse(measured)["measured"].size(), 32U);
    EXPECT_EQ(result("broken.h5")["status"], "failed");
    EXPECT_THAT(result("broken.h5")["error"].get<std::string>(), HasSubstr("broken.h5"));
}

TEST_F(BatchCommand, KeepsWhatIsDoneAndDoesAgainWhatChanged) {
    ASSERT_EQ(batch({file("a.h5"), file("b.h5")}).status, 0);
    EXPECT_THAT(batch({file("a.h5"), file("b.h5")}).out, HasSubstr("0 done, 2 kept, 0 failed"));
    std::filesystem::remove(file("out/a.h5.png"));
    EXPECT_THAT(batch({file("a.h5"), file("b.h5")}).out, HasSubstr("1 done, 1 kept, 0 failed"));
    std::ofstream(file("out/b.h5.json")) << "{\"status\": \"do"; // cut off
    EXPECT_THAT(batch({file("a.h5"), file("b.h5")}).out, HasSubstr("1 done, 1 kept, 0 failed"));
    EXPECT_THAT(batch({file("a.h5"), "--set", "beamform.f_number=2"}).out, HasSubstr("1 done"));
    std::filesystem::last_write_time(file("b.h5"), std::filesystem::file_time_type::clock::now());
    EXPECT_THAT(batch({file("b.h5")}).out, HasSubstr("1 done"));
    EXPECT_THAT(batch({file("b.h5"), "--again"}).out, HasSubstr("1 done"));
}

TEST_F(BatchCommand, ListsTheCommandsThatItRuns) {
    const auto run = batch({file("a.h5"), file("b.h5"), "--write", "npz", "--report", "--list"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(std::ranges::count(run.out, '\n'), 4);
    EXPECT_THAT(run.out, AllOf(HasSubstr("echolux export " + file("a.h5") + " --pipeline rf"),
                               HasSubstr("echolux report " + file("b.h5"))));
    EXPECT_FALSE(std::filesystem::exists(file("out")));
}

TEST_F(BatchCommand, WhatCannotBeDoneIsRefused) {
    std::filesystem::create_directory(file("more"));
    std::filesystem::copy_file(file("a.h5"), file("more/a.h5"));
    EXPECT_THAT(batch({file("a.h5"), file("more/a.h5")}).err, HasSubstr("have the same name"));
    std::ofstream(file("plain")) << "x";
    const auto folder = runEcholux({"batch", "rf", file("a.h5"), "-o", file("plain/out")});
    EXPECT_EQ(folder.status, 2);
    EXPECT_THAT(folder.err, HasSubstr("cannot be made"));
    const auto program = runEcholux(
        {"batch", "rf", file("a.h5"), "-o", file("out"), "--program", file("no_program")});
    EXPECT_EQ(program.status, 2);
    EXPECT_THAT(result("a.h5")["error"].get<std::string>(), HasSubstr("could not be started"));
}

} // namespace
} // namespace echolux
