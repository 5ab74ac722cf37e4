// SPDX-License-Identifier: GPL-3.0-or-later
// The closed loop on transmit: a simulated array sends each frame with what the last one told.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/aberration/element_grid.hpp"
#include "tests/commands/golden.hpp"
#include "tests/support/temporary_folder.hpp"

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

/// What is left of the screen's delays after each frame, without piston and tilt. [s]
inline std::vector<double> residualsOfLoop(const std::string& backend,
                                           const std::string& strength) {
    const TemporaryFolder folder;
    const std::string file = (folder / "delays.npy").string();
    const auto run =
        runEcholux({"export", simulatedFullMatrix(), "--pipeline", "aberration_transmit",
                    "--output-of", "aberration", "--set", "transmit_synthesis.strength=" + strength,
                    "--backend", backend, "-o", file});
    EXPECT_EQ(run.status, 0) << run.err;
    const auto recording = openRecording(simulatedFullMatrix());
    const RecordingInfo& info = recording->info();
    const std::vector<double>& truth = info.aberration->delayS;
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
