// SPDX-License-Identifier: GPL-3.0-or-later
// beamform against closed forms: where point targets appear, with what amplitude and phase, for
// every kind of transmit; masks, compounding, coherence factor, delay tables, records that end.
#include "tests/gpu/beamform_run.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

constexpr double kX = 1.5e-3;
constexpr double kZ = 15e-3;
constexpr double kLambda = 1540.0 / 5e6;

/// A grid with a pixel exactly on the target.
Settings fineGrid(double x = kX, double z = kZ) {
    return gridRound(x, z, 1.5e-3, 52.0 * kLambda / 16.0, 0.1e-3, kLambda / 16.0);
}

struct WaveCase {
    const char* name;
    std::vector<Transmit> transmits;
};

void PrintTo(const WaveCase& c, std::ostream* out) { *out << c.name; }

class BeamformWave : public testing::TestWithParam<WaveCase> {};

TEST_P(BeamformWave, PointTargetFocusesAtItsPlace) {
    Scan scan;
    scan.transmits = GetParam().transmits;
    const auto image = runStage("beamform", rfOf(scan, kX, kZ),
                                with(fineGrid(), {{"f_number", 0.0},
                                                  {"interpolation", std::string("lagrange")},
                                                  {"lagrange_order", std::int64_t{5}}}));
    const Peak peak = peakOf<float>(image);
    EXPECT_NEAR(peak.x, kX, 0.11e-3);
    EXPECT_NEAR(peak.z, kZ, kLambda / 15.0);
    // Every element of every transmit arrives in phase, with amplitude 1.
    const double terms = scan.elements * static_cast<double>(scan.transmits.size());
    EXPECT_NEAR(peak.value, terms, 0.03 * terms);
}

INSTANTIATE_TEST_SUITE_P(
    Waves, BeamformWave,
    testing::Values(WaveCase{"plane", {planeWave(0.0)}}, WaveCase{"planeRight", {planeWave(0.2)}},
                    WaveCase{"planeLeft", {planeWave(-0.2)}},
                    WaveCase{"planesLate", {planeWave(-0.1, 2e-6), planeWave(0.1, 3.3e-6)}},
                    WaveCase{"planesEarly", {planeWave(0.05, -1.7e-6)}},
                    WaveCase{"diverging", {sourceAt(Wave::Diverging, 0.0, -5e-3)}},
                    WaveCase{"divergingAside", {sourceAt(Wave::Diverging, -2e-3, -3e-3)}},
                    WaveCase{"focusedBeyond", {sourceAt(Wave::Focused, 0.0, 25e-3)}},
                    WaveCase{"focusedBefore", {sourceAt(Wave::Focused, 1e-3, 8e-3)}},
                    WaveCase{"element", {sourceAt(Wave::Element, -3e-3, 0.0)}},
                    WaveCase{"fullMatrix", everyElement(Scan{})}),
    [](const auto& wave) { return std::string(wave.param.name); });

} // namespace
} // namespace echolux::test
