// SPDX-License-Identifier: GPL-3.0-or-later
// echolux batch: results of many recordings, what is kept, and recordings that fail.
#include "app/commands/run_program.hpp"
#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

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
    std::string text(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// Changes the last byte.
    void changeLast(const std::string& name) const {
        std::fstream stream(file(name), std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(-1, std::ios::end);
        const char last = static_cast<char>(stream.get() ^ 1);
        stream.seekp(-1, std::ios::end);
        stream.put(last);
    }
    json result(const std::string& name) const {
        std::ifstream stream(file("out/" + name + ".batch.json"));
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
    std::ofstream(file("out/b.h5.batch.json")) << "{\"status\": \"do"; // cut off
    EXPECT_THAT(batch({file("a.h5"), file("b.h5")}).out, HasSubstr("1 done, 1 kept, 0 failed"));
    EXPECT_THAT(batch({file("a.h5"), "--set", "beamform.f_number=2"}).out, HasSubstr("1 done"));
    std::filesystem::last_write_time(file("b.h5"), std::filesystem::file_time_type::clock::now());
    EXPECT_THAT(batch({file("b.h5")}).out, HasSubstr("1 kept")) << "it holds the same";
    std::ofstream(file("b.h5"), std::ios::app) << "x"; // behind what is read
    EXPECT_THAT(batch({file("b.h5")}).out, HasSubstr("1 done"));
    EXPECT_THAT(batch({file("b.h5")}).out, HasSubstr("1 kept"));
    EXPECT_THAT(batch({file("b.h5"), "--again"}).out, HasSubstr("1 done"));
}

TEST_F(BatchCommand, AnOutputThatIsNotAsItWasMadeIsMadeAgain) {
    const std::vector<std::string> words{file("a.h5"), "--write", "png,npy"};
    ASSERT_EQ(batch(words).status, 0);
    const std::string picture = text("out/a.h5.png");
    for (const char* name : {"out/a.h5.png", "out/a.h5.npy"}) {
        std::filesystem::resize_file(file(name), std::filesystem::file_size(file(name)) / 2);
        EXPECT_THAT(batch(words).out, HasSubstr("1 done")) << name << " was cut";
        EXPECT_THAT(batch(words).out, HasSubstr("1 kept")) << name;
    }
    const auto written = std::filesystem::last_write_time(file("out/a.h5.png"));
    changeLast("out/a.h5.png");
    std::filesystem::last_write_time(file("out/a.h5.png"), written);
    EXPECT_THAT(batch(words).out, HasSubstr("1 done")) << "size and time are those of before";
    EXPECT_TRUE(text("out/a.h5.png") == picture);
}

TEST_F(BatchCommand, AxesOfNumpyFilesLieBesideTheResult) {
    const std::vector<std::string> words{file("a.h5"), "--write", "npy", "--frames", "1:2"};
    ASSERT_EQ(batch(words).status, 0);
    EXPECT_EQ(result("a.h5")["status"], "done");
    const std::string axes = text("out/a.h5.json");
    EXPECT_EQ(json::parse(axes, nullptr, false)["axes"].size(), 3U) << axes;
    std::filesystem::remove(file("out/a.h5.json"));
    EXPECT_THAT(batch(words).out, HasSubstr("1 done"));
    EXPECT_EQ(text("out/a.h5.json"), axes);
    EXPECT_THAT(batch(words).out, HasSubstr("1 kept"));
}

TEST_F(BatchCommand, AResultThatIsDamagedIsNone) {
    const std::vector<std::string> words{file("a.h5"), file("b.h5")};
    ASSERT_EQ(batch(words).status, 0);
    for (const char* damage :
         {"{\"status\":3}", "[]", "7", "", "{\"status\":\"done\",\"key\":[1]}"}) {
        std::ofstream(file("out/a.h5.batch.json")) << damage;
        const auto run = batch(words);
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_THAT(run.out, HasSubstr("1 done, 1 kept")) << damage;
    }
    for (const char* key : {"files", "inputs"}) {
        json other = json::parse(text("out/a.h5.batch.json"));
        other[key] = {3, {{"file", 7}}, {{"file", "x"}, {"size", "many"}, {"missing", 1}}};
        std::ofstream(file("out/a.h5.batch.json")) << other;
        EXPECT_EQ(batch(words).status, 0) << key;
    }
}

/// Channel data without a header, and all else that a recording's results may depend on.
class BatchInputs : public BatchCommand {
protected:
    void SetUp() override {
        BatchCommand::SetUp();
        std::ofstream samples(file("data.raw"), std::ios::binary);
        for (int n = 0; n < 8 * 512; ++n) {
            const auto sample = static_cast<std::int16_t>(1000 * std::sin(0.9 * n + n % 512));
            samples.write(reinterpret_cast<const char*>(&sample), sizeof sample);
        }
        writeSidecar("1540");
        std::ofstream(file("mine.toml")) << runEcholux({"pipelines", "rf"}).out;
    }
    void writeSidecar(const std::string& soundSpeed) const {
        std::ofstream(file("data.raw.toml"))
            << "sound_speed = " << soundSpeed
            << "\nprobe.pitch = 0.3e-3\ntransmit.angles = [0]\n"
               "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
               "[data]\ndtype = \"<i2\"\nshape = [8, 512]\naxes = [\"channel\", \"sample\"]\n";
    }
    test::CommandResult run(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"batch", file("mine.toml"), file("data.raw")});
        more.insert(more.end(), {"-o", file("out"), "--program", ECHOLUX_PROGRAM});
        return runEcholux(more);
    }
};

TEST_F(BatchInputs, WhatAResultDependsOnMakesItAnew) {
    const auto done = run();
    ASSERT_EQ(done.status, 0) << done.err;
    ASSERT_THAT(run().out, HasSubstr("1 kept"));
    const std::string before = text("out/data.raw.png");
    writeSidecar("1440"); // of the same length
    EXPECT_THAT(run().out, HasSubstr("1 done")) << "sidecar";
    EXPECT_FALSE(text("out/data.raw.png") == before);
    writeSidecar("1540");
    EXPECT_THAT(run().out, HasSubstr("1 done")) << "sidecar";
    EXPECT_TRUE(text("out/data.raw.png") == before);
    std::ofstream(file("mine.toml"), std::ios::app) << "# another\n";
    EXPECT_THAT(run().out, HasSubstr("1 done")) << "pipeline";
    std::ofstream(file("data.toml")) << "# a sidecar may come to be here\n";
    EXPECT_THAT(run().out, HasSubstr("1 done")) << "a file that was missing";
    std::filesystem::remove(file("data.toml"));
    EXPECT_THAT(run().out, HasSubstr("1 done")) << "a file that is missing";
    EXPECT_THAT(run().out, HasSubstr("1 kept"));
}

TEST_F(BatchInputs, MeasurementsBesideTheRecordingCount) {
    const std::string beside = file("a.h5") + ".echolux-measurements.toml";
    std::filesystem::copy_file(file("m.toml"), beside);
    const std::vector<std::string> words{file("a.h5"), "--report"};
    ASSERT_EQ(batch(words).status, 0);
    ASSERT_THAT(batch(words).out, HasSubstr("1 kept"));
    std::ofstream(beside, std::ios::app) << "\n# another\n";
    EXPECT_THAT(batch(words).out, HasSubstr("1 done"));
    EXPECT_THAT(batch(words).out, HasSubstr("1 kept"));
}

TEST_F(BatchInputs, FilesThatTextsNameCount) {
    std::ofstream(file("mine.toml"), std::ios::app)
        << "[[plugin]]\nlibrary = \"./stages.py\"\n[[plugin]]\nlibrary = \"filter\"\n";
    std::ofstream(file("stages.py")) << "import helpers\nfrom deeper import thing\n";
    std::ofstream(file("helpers.py")) << "import deeper\n";
    std::ofstream(file("deeper.py")) << "import numpy\n";
    std::ofstream(file("filter.so"), std::ios::binary) << std::string("\0ELF", 4);
    std::ofstream(file("table with blanks.txt")) << "1 2 3\n";
    std::ofstream(file("data.raw.toml"), std::ios::app)
        << "# background = \"table with blanks.txt\"\n";
    std::ofstream(file("other.txt")) << "of something else\n";
    const auto list = run({"--set", "stage.file=" + file("other.txt"), "--list", "--json"});
    ASSERT_EQ(list.status, 0) << list.err;
    std::set<std::string> inputs;
    const json listed = json::parse(list.out);
    for (const json& each : listed[0]["inputs"])
        inputs.insert(std::filesystem::path(each.get<std::string>()).filename());
    EXPECT_EQ(inputs, (std::set<std::string>{"data.raw", "data.raw.toml", "deeper.py", "filter.so",
                                             "helpers.py", "mine.toml", "other.txt", "stages.py",
                                             "table with blanks.txt"}));
}

TEST_F(BatchInputs, AnotherProgramMakesAllAnew) {
    const std::filesystem::path copy = file("program");
    std::filesystem::copy_file(ECHOLUX_PROGRAM, copy);
    const auto reader = std::filesystem::path(ECHOLUX_PROGRAM).replace_filename("echolux-reader");
    std::filesystem::create_symlink(reader, file("echolux-reader"));
    const auto runCopy = [&] {
        return runProgram(copy, {"batch", "rf", file("a.h5"), "-o", file("out")},
                          ProgramOutput::Kept)
            .out;
    };
    ASSERT_THAT(runCopy(), HasSubstr("1 done"));
    ASSERT_THAT(runCopy(), HasSubstr("1 kept"));
    std::ofstream(copy, std::ios::app | std::ios::binary) << "x"; // behind what the loader reads
    EXPECT_THAT(runCopy(), HasSubstr("1 done"));
}

TEST_F(BatchCommand, ListsTheCommandsThatItRuns) {
    const auto run = batch({file("a.h5"), file("b.h5"), "--write", "npz", "--report", "--list"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(std::ranges::count(run.out, '\n'), 4);
    EXPECT_THAT(run.out, AllOf(HasSubstr("echolux export " + file("a.h5") + " --pipeline rf"),
                               HasSubstr("echolux report " + file("b.h5"))));
    EXPECT_FALSE(std::filesystem::exists(file("out")));
}

TEST_F(BatchCommand, ItsJobsHaveItsBackend) {
    const auto run = batch({file("a.h5"), "--write", "npz", "--report", "--list", "--backend",
                            "cpu", "--device", "1"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, AllOf(HasSubstr("echolux export " + file("a.h5") +
                                         " --pipeline rf --backend cpu --device 1"),
                               HasSubstr("echolux report " + file("a.h5") +
                                         " --pipeline rf --backend cpu --device 1")));
    EXPECT_THAT(batch({file("a.h5"), "--backend", "cpu", "--gpus", "0,1"}).err,
                HasSubstr("--backend excludes --gpus"));
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
