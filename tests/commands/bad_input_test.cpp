// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input on the command line: status 2, one sentence on stderr that says what, where and what to
// do.
#include "gpu/exec/exec.hpp"
#include "tests/commands/golden.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>

namespace echolux {
namespace {

using test::bundledCine;
using test::runEcholux;
using testing::AllOf;
using testing::HasSubstr;

const test::TemporaryFolder kFolder; // of this process
const std::string kOut = (kFolder / "refused.png").string();

void expectRefusal(const std::vector<std::string>& arguments, const std::string& part) {
    std::filesystem::remove(kOut);
    const auto run = runEcholux(arguments);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr(part));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_FALSE(std::filesystem::exists(kOut));
}

std::vector<std::string> render(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"render", bundledCine(), "-o", kOut, "--backend", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(BadInput, FilesThatCannotBeRead) {
    expectRefusal({"render", "/nowhere/scan.mat", "-o", kOut}, "/nowhere/scan.mat");
    const std::string empty = kFolder / "empty.h5";
    std::ofstream(empty, std::ios::trunc).close();
    expectRefusal({"render", empty, "-o", kOut}, "empty");
    expectRefusal({"info", std::string(ECHOLUX_SOURCE_DIR) + "/README.md"}, "README.md");
}

std::string headerlessFile() {
    const std::string path = kFolder / "spectra.bin";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(4096, '\1');
    return path;
}

TEST(BadInput, HeaderlessDataNameTheWaysOut) {
    for (const char* way : {"'echolux view'", "spectra.bin.toml", "--sidecar"}) {
        expectRefusal({"render", headerlessFile(), "-o", kOut}, way);
        expectRefusal({"info", headerlessFile()}, way);
    }
}

/// Two frames of 8 channels, float samples; `nan` says which values are none.
std::string floatRecording(const std::function<bool(std::size_t)>& nan) {
    const std::string path = kFolder / "floats.raw";
    std::vector<float> values(2 * 8 * 256);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = nan(i) ? std::nanf("") : static_cast<float>(i % 7) - 3.0F;
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    std::ofstream(path + ".toml", std::ios::trunc)
        << "sound_speed = 1540\nprobe.pitch = 0.3e-3\n"
           "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
           "[data]\ndtype = \"<f4\"\nshape = [2, 8, 256]\n"
           "axes = [\"frame\", \"channel\", \"sample\"]\n";
    return path;
}

TEST(BadInput, SamplesThatAreNoNumbers) {
    expectRefusal({"render", floatRecording([](std::size_t) { return true; }), "-o", kOut},
                  "no finite number");
    const std::string path = floatRecording([](std::size_t i) { return i == 3000; });
    const auto first = runEcholux({"render", path, "-o", kOut, "--backend", "cpu"});
    EXPECT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.err, "");
    const auto second =
        runEcholux({"render", path, "-o", kOut, "--backend", "cpu", "--frame", "2", "--force"});
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_THAT(second.err, AllOf(HasSubstr("1 of 2048 values"), HasSubstr("frame 2")));
}

TEST(BadInput, ConstantSpectraAreToldOf) {
    const std::string path = kFolder / "dark.raw";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(4 * 32 * 2, '\1');
    std::ofstream(path + ".toml", std::ios::trunc)
        << "[data]\ndtype = \"<u2\"\nshape = [4, 32]\naxes = [\"lateral\", \"sample\"]\n"
           "[spectrometer]\n";
    EXPECT_THAT(runEcholux({"info", path}).out, HasSubstr("no spectrum of frame 1"));
    const auto run = runEcholux({"render", path, "-o", kOut, "--backend", "cpu", "--force"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("no spectrum of frame 1"));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

TEST(BadInput, SettingsOutOfRangeOrUnknown) {
    expectRefusal(render({"--set", "beamform.speed_of_sound=12"}), "1000 to 7000");
    expectRefusal(render({"--set", "beamform.speed=1540"}), "no parameter 'speed'");
    expectRefusal(render({"--set", "beam.f_number=1"}), "no stage 'beam'");
    expectRefusal(render({"--set", "beamform"}), "stage.key=value");
    expectRefusal(render({"--set", "beamform.f_number=nan"}), "f_number");
    expectRefusal(render({"--bypass", "beamform"}), "'median' takes frames");
    expectRefusal(render({"--pipeline", "/nowhere/chain.toml"}), "/nowhere/chain.toml");
}

TEST(BadInput, LimitsThatCross) {
    const std::string cine = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/retina_cine.echolux.h5";
    const auto set = [&](const std::vector<std::string>& settings) {
        std::vector<std::string> arguments{"render", cine, "-o", kOut, "--backend", "cpu"};
        for (const std::string& setting : settings) {
            arguments.emplace_back("--set");
            arguments.push_back("magnitude_log." + setting);
        }
        return arguments;
    };
    expectRefusal(set({"min_db=50"}), "min_db = 50 is not below max_db = ");
    expectRefusal(set({"min_db=10", "max_db=10"}), "min_db = 10 is not below max_db = 10");
    std::vector<std::string> apart = set({"min_db=50", "max_db=60"});
    apart.emplace_back("--force");
    const auto both = runEcholux(apart);
    EXPECT_EQ(both.status, 0) << both.err;
}

TEST(BadInput, GridsFramesAndOutputs) {
    expectRefusal(render({"--grid", "1:2"}), "grid");
    expectRefusal(render({"--grid", "5:-5:100,5:30:100"}), "grid span");
    expectRefusal(render({"--grid", "-1:1:100000,5:30:100000"}), "pixel");
    expectRefusal(render({"--frame", "999"}), "1 to 32");
    expectRefusal(render({"--frame", "0"}), "1 to 32");
    expectRefusal(render({"--output-of", "nothing"}), "no output 'nothing'");
    expectRefusal({"render", bundledCine(), "-o", "picture.jpeg", "--backend", "cpu"},
                  ".png or .npy");
    expectRefusal({"render", bundledCine(), "-o", "/nowhere/picture.png", "--backend", "cpu"},
                  "cannot be written");
    expectRefusal({"render", bundledCine(), "-o", "/nowhere/picture.npy", "--backend", "cpu"},
                  "cannot be written");
}

TEST(BadInput, BackendsThatAreNotThere) {
    expectRefusal({"render", bundledCine(), "-o", kOut, "--backend", "opencl"},
                  "auto, cuda or cpu");
    if (device::probe().empty()) {
        expectRefusal({"render", bundledCine(), "-o", kOut, "--backend", "cuda"}, "--backend cpu");
    }
}

TEST(BadInput, WrongUseOfTheProgramItself) {
    expectRefusal({"dance"}, "choose one of view, render");
    expectRefusal({"render"}, "FILE");
    expectRefusal({"view", bundledCine(), "--exit-after", "-1"}, "--exit-after");
    expectRefusal({"view", bundledCine(), "--slots", "17"}, "--slots");
    expectRefusal({"view", bundledCine(), "--pipeline", "nowhere.toml"}, "nowhere.toml");
    EXPECT_EQ(runEcholux({"--help"}).status, 0);
    EXPECT_EQ(runEcholux({"render", "--help"}).status, 0);
}

/// NOTE: Qt ends the program where it finds no such platform, so a refusal proves that no window
/// was begun.
TEST(BadInput, AWindowIsNotOpenedForABadFile) {
    ASSERT_EQ(setenv("QT_QPA_PLATFORM", "none_such", 1), 0);
    expectRefusal({"view", "nowhere.h5"}, "nowhere.h5");
    expectRefusal({"view", bundledCine(), "--size", "wide"}, "'wide'");
    expectRefusal({"view", headerlessFile(), "--exit-after", "1"}, "--sidecar"); // nobody is there
    expectRefusal({"view", bundledCine(), "--set", "log_compression.range_db=1e9"}, "range_db");
    unsetenv("QT_QPA_PLATFORM");
}

} // namespace
} // namespace echolux
