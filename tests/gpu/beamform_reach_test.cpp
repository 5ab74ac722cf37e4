// SPDX-License-Identifier: GPL-3.0-or-later
// How far to the sides waves go, and the volume that is imaged by default.
#include "gpu/beamform/beamform_params.hpp"
#include "tests/gpu/beamform_run.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>

namespace echolux::test {
namespace {

template <class Change> BeamformParams changedDefaults(const Scan& scan, const Change& change) {
    FrameSpec spec = specOf(scan, DType::ComplexF32, scan.fcHz);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    change(*acquisition);
    spec.acquisition = acquisition;
    return stageType("beamform").defaultsFor(spec).as<BeamformParams>();
}

/// A matrix array of 4 x 3 elements. Beside the wave's edges its main lobe ends where
/// sin(spread) = wavelength / width, at the deepest place.
TEST(BeamformReach, TheDefaultVolumeHoldsWhereTheWavesGo) {
    const auto matrix = [](Acquisition& a) {
        a.probe.pitchM = 0.4e-3;
        a.probe.elements.clear();
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 4; ++column)
                a.probe.elements.push_back({(column - 1.5) * 0.4e-3, (row - 1.0) * 0.4e-3, 0.0});
    };
    const auto bounds = [&](const Transmit& transmit) {
        return changedDefaults(Scan{.elements = 12, .transmits = {transmit}}, matrix);
    };
    constexpr double kTenth = 1e-4; // rounded outwards
    const double lambda = 1540.0 / Scan{}.fcHz;
    const double acrossRows = std::asin(lambda / 1.2e-3);
    const double acrossColumns = std::asin(lambda / 1.6e-3);
    const auto expectSpan = [&](double min, double max, double wantedMin, double wantedMax) {
        EXPECT_NEAR(min, wantedMin - 0.5 * kTenth, 0.51 * kTenth);
        EXPECT_NEAR(max, wantedMax + 0.5 * kTenth, 0.51 * kTenth);
    };
    const BeamformParams straight = bounds({});
    const double depth = straight.depthMaxM;
    EXPECT_EQ(straight.grid, PixelGrid::Volume);
    const double aside = 0.6e-3 + depth * std::tan(acrossColumns);
    const double behind = 0.4e-3 + depth * std::tan(acrossRows);
    expectSpan(straight.lateralMinM, straight.lateralMaxM, -aside, aside);
    expectSpan(straight.elevationMinM, straight.elevationMaxM, -behind, behind);

    Transmit tilted;
    tilted.angleRad = 0.15;
    const BeamformParams steered = bounds(tilted);
    expectSpan(steered.lateralMinM, steered.lateralMaxM,
               -0.6e-3 + depth * std::tan(0.15 - acrossColumns),
               0.6e-3 + depth * std::tan(0.15 + acrossColumns));
    expectSpan(steered.elevationMinM, steered.elevationMaxM, -behind, behind);

    const BeamformParams spread = bounds(sourceAt(Wave::Diverging, 0.0, -2e-3));
    const double opening = 0.6e-3 + depth * std::tan(std::atan(0.3) + acrossColumns);
    expectSpan(spread.lateralMinM, spread.lateralMaxM, -opening, opening);
}

/// Their ends are where rows and columns end.
TEST(BeamformReach, RowsAndColumnsAreImagedInFrontOfTheArray) {
    const auto crossed = [](Acquisition& a) {
        a.probe.elements.clear();
        for (int i = 0; i < 6; ++i) a.probe.elements.push_back({(i - 2.5) * 0.3e-3, 0.0, 0.0});
        for (int i = 0; i < 6; ++i) a.probe.elements.push_back({0.0, (i - 2.5) * 0.3e-3, 0.0});
        a.probe.longAxes.assign(6, LongAxis::Elevation);
        a.probe.longAxes.resize(12, LongAxis::Lateral);
    };
    const BeamformParams params = changedDefaults(Scan{.elements = 12}, crossed);
    EXPECT_EQ(params.grid, PixelGrid::Volume);
    EXPECT_NEAR(params.lateralMaxM, 0.75e-3, 1e-9);
    EXPECT_NEAR(params.elevationMinM, -0.75e-3, 1e-9);
}

/// Beyond the limit of voxels they grow, and points between them lose more than the usual 0.5 dB:
/// of a spot like a Gaussian the loss in dB grows with the square of the distance.
TEST(BeamformReach, AVolumeOfCoarseVoxelsSaysWhatPointsLose) {
    FrameSpec spec = specOf(Scan{.elements = 400, .samples = 300}, DType::ComplexF32, Scan{}.fcHz);
    const auto with = [&](double pitchM) {
        auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
        acquisition->probe.pitchM = pitchM;
        acquisition->probe.elements.clear();
        for (int row = 0; row < 20; ++row)
            for (int column = 0; column < 20; ++column)
                acquisition->probe.elements.push_back(
                    {(column - 9.5) * pitchM, (row - 9.5) * pitchM, 0.0});
        spec.acquisition = acquisition;
    };
    const StageType& type = stageType("beamform");
    const auto warnings = [&](const Settings& settings) {
        return type.plan(spec, paramsFor(type, spec, settings)).warnings;
    };
    const auto fine = [&] { return type.defaultsFor(spec).as<BeamformParams>(); };
    with(0.1e-3);
    EXPECT_THAT(warnings({}), testing::IsEmpty());
    EXPECT_THAT(warnings({{"pixel_lateral", 3.0 * fine().pixelLateralM}}),
                testing::ElementsAre(testing::HasSubstr("loses up to 1.7 dB"))); // 0.35 + 9 x 0.15
    with(2e-3);
    EXPECT_THAT(warnings({}), testing::ElementsAre(testing::HasSubstr("pixel_elevation")));
}

} // namespace
} // namespace echolux::test
