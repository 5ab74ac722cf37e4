// SPDX-License-Identifier: GPL-3.0-or-later
// The closed loop on transmit: a simulated array sends each frame with what the last one told.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "gpu/stages/aberrating_screen.hpp"
#include "tests/commands/golden.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::test {

/// Each of 32 elements fires alone, behind a screen of 60 ns that waves and echoes pass; made once.
inline const std::string& simulatedFullMatrix() {
    static const TemporaryFolder folder;
    static const std::string path = [] {
        std::string file = (folder / "full_matrix.echolux.h5").string();
        const auto made =
            runEcholux({"simulate", "full-matrix", "--elements", "32", "--depth", "20", "--frames",
                        "6", "--screen", "delay=60ns,gain=0dB,length=1.5mm,seed=3", "--backend",
                        "cpu", "-o", file});
        EXPECT_EQ(made.status, 0) << made.err;
        return file;
    }();
    return path;
}

struct Loop {
    std::string backend = "cpu";
    double strength = 1.0; ///< of what the waves are sent with
    double screenS = 0.0;  ///< rms of a further screen that a stage puts before the array
};

/// What is left of the screens' delays after each frame, without piston and tilt. [s]
inline std::vector<double> residualsOf(const Loop& loop) {
    const TemporaryFolder folder;
    const std::string file = (folder / "delays.npy").string();
    const AberratingScreenParams screen{.delayRmsS = loop.screenS, .gainRmsDb = 0.0, .seed = 5};
    std::vector<std::string> command{
        "export",      simulatedFullMatrix(),
        "--output-of", "aberration",
        "--set",       fmt::format("transmit_synthesis.strength={}", loop.strength),
        "--backend",   loop.backend,
        "-o",          file,
        "--pipeline"};
    if (loop.screenS > 0.0) {
        command.insert(command.end(),
                       {"aberration_transmit_trial", "--set",
                        fmt::format("aberrating_screen.delay_rms={}", screen.delayRmsS), "--set",
                        "aberrating_screen.amplitude_rms=0", "--set",
                        fmt::format("aberrating_screen.seed={}", screen.seed)});
    } else {
        command.emplace_back("aberration_transmit");
    }
    const auto run = runEcholux(command);
    EXPECT_EQ(run.status, 0) << run.err;
    const auto recording = openRecording(simulatedFullMatrix());
    const RecordingInfo& info = recording->info();
    std::vector<double> truth = info.aberration->delayS;
    const auto put = screenBefore(info.frame.acquisition->probe, screen);
    for (std::size_t e = 0; e < truth.size(); ++e) truth[e] += put.delayS[e];
    const aberration::ElementGrid grid = aberration::elementGrid(info.frame.acquisition->probe);
    const std::vector<float> found = npyValues(file);
    std::vector<double> residuals;
    for (std::size_t at = 0; at + truth.size() <= found.size(); at += truth.size()) {
        std::vector<double> rest;
        for (std::size_t e = 0; e < truth.size(); ++e) rest.push_back(found[at + e] - truth[e]);
        residuals.push_back(
            aberration::rootMeanSquare(aberration::withoutPistonAndTilt(grid, rest)));
    }
    return residuals;
}

} // namespace echolux::test
