// SPDX-License-Identifier: GPL-3.0-or-later
// echolux batch --frames-per-job: the files of one job, parts that are kept, and lists.
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace echolux {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class BatchParts : public testing::Test {
protected:
    void SetUp() override {
        fs::copy_file(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5", file("a.h5"));
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    std::string text(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// The program, which first notes its arguments in "log" and fails as `act` says.
    std::string noting(const std::string& act = "") const {
        const std::string path = file("noting.sh");
        std::ofstream(path) << "#!/bin/sh\necho \"$*\" >> '" << file("log") << "'\n"
                            << act << "\nexec " << ECHOLUX_PROGRAM << " \"$@\"\n";
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }
    std::size_t noted(const std::string& words) const {
        const std::string log = text("log");
        std::size_t count = 0;
        for (std::size_t at = log.find(words); at != std::string::npos;
             at = log.find(words, at + 1))
            ++count;
        return count;
    }
    test::CommandResult batch(const std::string& out, std::vector<std::string> more,
                              const std::string& program = ECHOLUX_PROGRAM) const {
        std::vector<std::string> words{"batch", "rf", file("a.h5")};
        words.insert(words.end(), more.begin(), more.end());
        for (const char* value : {"lateral_min=-8e-3", "lateral_max=8e-3", "depth_max=30e-3",
                                  "pixel_lateral=1e-3", "pixel_depth=1e-3"})
            words.insert(words.end(), {"--set", std::string("beamform.") + value});
        words.insert(words.end(), {"-o", file(out), "--program", program});
        return test::runEcholux(words);
    }
    std::vector<fs::path> partsIn(const std::string& out) const {
        std::vector<fs::path> found;
        if (!fs::exists(file(out + "/a.h5.parts"))) return found;
        for (const auto& entry : fs::directory_iterator(file(out + "/a.h5.parts")))
            found.push_back(entry.path());
        return found;
    }

private:
    test::TemporaryFolder m_folder;
};

TEST_F(BatchParts, FilesAreToTheByteThoseOfOneJob) {
    const std::vector<std::string> write{"--write", "npz,tif,png,gif"};
    ASSERT_EQ(batch("one", write).status, 0);
    std::vector<std::string> shared = write;
    shared.insert(shared.end(), {"--frames-per-job", "9", "--jobs", "3"});
    const auto run = batch("shared", shared, noting());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("a.h5: 4 of 4 parts"), HasSubstr("1 done, 0 kept")));
    for (const char* name : {"a.h5.npz", "a.h5.tif", "a.h5.png", "a.h5.gif"})
        EXPECT_TRUE(text(std::string("one/") + name) == text(std::string("shared/") + name))
            << name;
    EXPECT_EQ(noted("export " + file("a.h5") + " --pipeline rf"), 7U)
        << "the ranges, four parts, and the first frame as .png and .tif";
    EXPECT_EQ(noted("join "), 2U);
    EXPECT_FALSE(fs::exists(file("shared/a.h5.parts")));
    EXPECT_THAT(batch("shared", write).out, HasSubstr("1 kept")) << "the same files";
}

TEST_F(BatchParts, NamedFramesAreShared) {
    ASSERT_EQ(batch("one", {"--write", "tif", "--frames", "3:20"}).status, 0);
    ASSERT_EQ(
        batch("shared", {"--write", "tif", "--frames", "3:20", "--frames-per-job", "7"}, noting())
            .status,
        0);
    EXPECT_EQ(noted("join "), 1U);
    EXPECT_TRUE(text("one/a.h5.tif") == text("shared/a.h5.tif"));
}

TEST_F(BatchParts, PartsOfAnInterruptedBatchAreKept) {
    const std::vector<std::string> words{"--write", "npz", "--frames-per-job", "11"};
    const auto lost = batch("out", words, noting("case \"$1 $*\" in join*) kill -9 $$ ;; esac"));
    EXPECT_EQ(lost.status, 2);
    EXPECT_THAT(text("out/a.h5.batch.json"), HasSubstr("was ended by signal 9"));
    std::vector<fs::path> parts = partsIn("out");
    ASSERT_EQ(parts.size(), 3U);
    {
        std::fstream damaged(parts.front(), std::ios::in | std::ios::out | std::ios::binary);
        damaged.seekp(-100, std::ios::end);
        damaged << "damaged";
    }
    fs::remove(file("log"));
    ASSERT_EQ(batch("out", words, noting()).status, 0);
    EXPECT_EQ(noted(".part --force"), 1U) << "the damaged part alone is made again";
    ASSERT_EQ(batch("one", {"--write", "npz"}).status, 0);
    EXPECT_TRUE(text("one/a.h5.npz") == text("out/a.h5.npz"));
}

TEST_F(BatchParts, APartThatFailsIsTheErrorOfItsRecording) {
    const auto run = batch("out", {"--write", "npz", "--frames-per-job", "11"},
                           noting("case \"$*\" in *'12:22 -o'*) kill -9 $$ ;; esac"));
    EXPECT_EQ(run.status, 2);
    const json result = json::parse(text("out/a.h5.batch.json"));
    EXPECT_EQ(result["status"], "failed");
    EXPECT_THAT(result["error"].get<std::string>(), HasSubstr("signal 9"));
    EXPECT_EQ(noted("join "), 0U);
}

TEST_F(BatchParts, TheListHasThePartsAndWhatJoinsThem) {
    const auto run = batch("out", {"--write", "npz", "--frames-per-job", "20", "--list"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, AllOf(HasSubstr("mkdir -p " + file("out/a.h5.parts") + "\n"),
                               HasSubstr(" --frames 1:20 -o "), HasSubstr(" --frames 21:32 -o "),
                               HasSubstr("\necholux join ")));
    EXPECT_FALSE(fs::exists(file("out")));
    const json list = json::parse(
        batch("out", {"--write", "npz", "--frames-per-job", "20", "--list", "--json"}).out);
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0]["result"], file("out/a.h5.batch.json"));
    ASSERT_EQ(list[0]["parts"].size(), 2U);
    for (const json& part : list[0]["parts"])
        EXPECT_THAT(run.out, HasSubstr(part["command"].get<std::string>() + "\n"));
    EXPECT_THAT(run.out, HasSubstr(list[0]["commands"][0].get<std::string>() + "\n"));
    EXPECT_THAT(batch("out", {"--json"}).err, HasSubstr("add --list"));
}

TEST_F(BatchParts, WhatCannotBeSharedIsOneJob) {
    std::ofstream(file("a.h5")) << "no recording";
    const auto run = batch("out", {"--write", "npz", "--frames-per-job", "4"});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, AllOf(HasSubstr("a.h5 is one job: "), HasSubstr("1 of 1 recordings")));
    EXPECT_THAT(text("out/a.h5.batch.json"), AllOf(HasSubstr("failed"), Not(HasSubstr("join"))));
}

} // namespace
} // namespace echolux
