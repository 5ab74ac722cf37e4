// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes summed on the GPU against those summed on the CPU, for each kind of array.
#include "app/source/array_design.hpp"
#include "app/source/echo_simulator.hpp"
#include "app/source/transmit_design.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

EchoSetup setupOf(Probe probe) {
    EchoSetup setup;
    setup.channels = std::ssize(probe.elements);
    setup.acquisition.probe = std::move(probe);
    setup.region.depthM = 14e-3;
    setup.region.halfWidthM = 5e-3;
    return setup;
}

/// Frame 1, so that something has moved.
void expectSameEchoes(const EchoSetup& setup, double density) {
    const Phantom phantom = makePhantom(phantomFor(setup, "cine", density, 0.5));
    EchoSimulator host(setup, phantom, Backend::Cpu);
    EchoSimulator gpu(setup, phantom, Backend::Cuda);
    const auto expected = host.echoes(1);
    const auto echoes = gpu.echoes(1);
    ASSERT_EQ(echoes.size(), expected.size());
    double peak = 0.0;
    double deviation = 0.0;
    for (std::size_t i = 0; i < echoes.size(); ++i) {
        peak = std::max(peak, std::abs(expected[i]));
        deviation = std::max(deviation, std::abs(echoes[i] - expected[i]));
    }
    ASSERT_GT(peak, 0.0);
    EXPECT_LT(deviation / peak, 1e-9);
}

TEST(EchoSimulatorGpu, linesOfACurvedArrayWithALens) {
    ECHOLUX_NEED_GPU();
    Probe probe = curvedProbe(24, 40e-3, {.heightM = 6e-3});
    probe.elevationFocusM = 10e-3;
    EchoSetup setup = setupOf(probe);
    for (const std::int64_t first : {0, 9, 16})
        setup.acquisition.transmits.push_back(
            focusedLine(probe, {first, 8}, 9e-3, ApertureWindow::Hann));
    expectSameEchoes(setup, 2.0);
}

TEST(EchoSimulatorGpu, volumesOfAMatrixArray) {
    ECHOLUX_NEED_GPU();
    EchoSetup setup =
        setupOf(matrixProbe({.columns = 7, .rows = 5, .pitchYM = 0.4e-3}, {.heightM = 0.3e-3}));
    setup.region.halfElevationM = 2e-3;
    setup.acquisition.transmits.resize(2);
    setup.acquisition.transmits[1].elevationRad = 0.1;
    expectSameEchoes(setup, 0.3);
}

TEST(EchoSimulatorGpu, rowsAndColumns) {
    ECHOLUX_NEED_GPU();
    constexpr std::int64_t kLines = 8;
    EchoSetup setup = setupOf(rowColumnProbe(kLines, {.heightM = 2.4e-3}));
    setup.channels = kLines;
    setup.region.halfElevationM = 2e-3;
    Transmit transmit;
    transmit.apodization.assign(2 * kLines, 0.0F);
    std::fill_n(transmit.apodization.begin(), kLines, 1.0F);
    setup.acquisition.transmits = {transmit};
    for (std::int32_t row = 0; row < kLines; ++row)
        setup.acquisition.receiveElements.push_back(static_cast<std::int32_t>(kLines) + row);
    expectSameEchoes(setup, 0.3);
}

TEST(EchoSimulatorGpu, pulsesWithAHarmonic) {
    ECHOLUX_NEED_GPU();
    const Probe probe = linearProbe(16, {.heightM = 4e-3});
    EchoSetup setup = setupOf(probe);
    setup.samplingHz = 40e6;
    setup.excitation = {.pulses = PulseSequence::Three, .harmonicPart = 0.2};
    setup.acquisition.transmits = {focusedLine(probe, {4, 8}, 9e-3, ApertureWindow::Hann)};
    expectSameEchoes(setup, 2.0);
    setup.excitation.chirp = Chirp{.lengthS = 4e-6};
    expectSameEchoes(setup, 2.0);
}

TEST(EchoSimulatorGpu, pastScreens) {
    ECHOLUX_NEED_GPU();
    const ScreenDesign near{.gainRmsDb = 3.0, .lengthXM = 1e-3, .lengthYM = 2e-3};
    const ScreenDesign far{.depthM = 4e-3, .delayRmsS = 90e-9, .seed = 2};
    EchoSetup volume =
        setupOf(matrixProbe({.columns = 7, .rows = 5, .pitchYM = 0.4e-3}, {.heightM = 0.3e-3}));
    volume.region.halfElevationM = 2e-3;
    volume.acquisition.transmits.resize(2);
    Probe probe = curvedProbe(24, 40e-3, {});
    EchoSetup lines = setupOf(probe);
    lines.region.sector = SectorOutline{
        .apexZ = -39.9e-3, .innerRadiusM = 40e-3, .outerRadiusM = 54e-3, .halfAngleRad = 0.1};
    lines.acquisition.transmits = {focusedLine(probe, {8, 8}, 9e-3, ApertureWindow::Hann)};
    for (const bool onTransmit : {true, false}) {
        volume.screens = {{near, far}, onTransmit};
        lines.screens = volume.screens;
        expectSameEchoes(volume, 0.3);
        expectSameEchoes(lines, 2.0);
    }
}

} // namespace

} // namespace echolux
