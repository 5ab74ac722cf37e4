// SPDX-License-Identifier: GPL-3.0-or-later
// The beam that the stage itself has: NumPy's delay and sum of the same echoes, the closed form of
// one frequency where the pulse is long, baseband and other grids against it.
#include "app/lab/measured_beam.hpp"

#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/lab/array_frame.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using lab::BeamGeometry;
using lab::BeamShape;
using lab::MeasuredBeam;

constexpr double kMeasuredPitchM = 0.15e-3;
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kNarrow = 0.05; ///< bandwidth of a long pulse

struct Measured {
    BeamShape shape;
    MeasuredBeam beam;
};

Measured measure(const FrameSpec& input, const BeamformParams& params, lab::PlanePoint pixel,
                 double bandwidth, std::optional<std::pair<double, double>> part = {},
                 std::size_t points = 41) {
    const BeamGeometry geometry(input, params);
    lab::BeamStage stage{&stageTypeWith<BeamformParams>()};
    stage.params = Params(stage.type->table);
    stage.params.as<BeamformParams>() = params;
    const BeamShape shape = lab::beamShape(geometry, pixel);
    const auto [first, last] = part.value_or(lab::measuredPart(shape));
    return {shape, lab::measuredBeam(geometry, stage, pixel, shape, bandwidth, first, last, points,
                                     Backend::Cpu, {})};
}

Acquisition threeWaves(int elements) {
    Acquisition acquisition = linearArray(elements, kMeasuredPitchM);
    for (const double degrees : {-6.0, 0.0, 6.0})
        acquisition.transmits.push_back(planeWave(degrees * kDegree));
    return acquisition;
}

BeamformParams fNumber(double value) {
    BeamformParams params;
    params.fNumber = value;
    return params;
}

/// Level of the closed form at a position, in dB relative to its own maximum.
double closedLevelAt(const lab::BeamPattern& pattern, const BeamShape& shape, double at) {
    const double step = shape.across[1] - shape.across[0];
    const double place = (at - shape.across[0]) / step;
    const auto below =
        std::min(static_cast<std::size_t>(std::max(place, 0.0)), shape.across.size() - 2);
    return std::lerp(pattern.levelDb[below], pattern.levelDb[below + 1],
                     place - static_cast<double>(below));
}

/// The largest difference of magnitudes, relative to the maximum.
double difference(const lab::BeamPattern& measured, const std::vector<double>& across,
                  const lab::BeamPattern& closed, const BeamShape& shape) {
    double most = 0.0;
    for (std::size_t i = 0; i < across.size(); ++i) {
        const double a = std::pow(10.0, measured.levelDb[i] / 20.0);
        const double b = std::pow(10.0, closedLevelAt(closed, shape, across[i]) / 20.0);
        most = std::max(most, std::abs(a - b));
    }
    return most;
}

void expectClosedForm(const Measured& found, double relative) {
    ASSERT_FALSE(found.beam.empty());
    EXPECT_LT(difference(found.beam.heard, found.beam.across, found.shape.heard, found.shape),
              relative);
    EXPECT_LT(difference(found.beam.both, found.beam.across, found.shape.both, found.shape),
              relative);
}

void expectVector(const std::vector<double>& levelsDb, const std::vector<float>& magnitude) {
    const double highest = *std::ranges::max_element(magnitude);
    ASSERT_EQ(levelsDb.size(), magnitude.size());
    for (std::size_t i = 0; i < magnitude.size(); ++i)
        EXPECT_NEAR(std::pow(10.0, levelsDb[i] / 20.0), magnitude[i] / highest, 5e-4) << i;
}

TEST(MeasuredBeam, IsThatOfNumPy) {
    const Vectors vectors("lab/vectors/beams.txt");
    const auto& across = vectors["across"];
    const Measured found =
        measure(channelData(threeWaves(48)), fNumber(4.0), {1e-3, 20e-3}, 0.6,
                std::pair<double, double>(across.front(), across.back()), across.size());
    ASSERT_FALSE(found.beam.empty());
    expectVector(found.beam.heard.levelDb, vectors["heard"]);
    expectVector(found.beam.both.levelDb, vectors["both"]);
}

TEST(MeasuredBeam, OfALongPulseIsTheClosedForm) {
    BeamformParams params = fNumber(2.0);
    params.interpolation = DelayInterpolation::Lagrange;
    const Measured found =
        measure(channelData(threeWaves(64)), params, {0.5e-3, 15e-3}, kNarrow, {}, 201);
    expectClosedForm(found, 0.02);
    ASSERT_TRUE(found.beam.both.width && found.shape.both.width);
    EXPECT_NEAR(*found.beam.both.width / *found.shape.both.width, 1.0, 0.02);
    EXPECT_NEAR(*found.beam.heard.width / *found.shape.heard.width, 1.0, 0.02);
}

TEST(MeasuredBeam, IsTheSameOfIqAndWithATimeOffset) {
    const FrameSpec rf = channelData(threeWaves(64));
    FrameSpec iq = rf;
    iq.dtype = DType::ComplexF32;
    iq.demodulationFrequencyHz = 4.6e6;
    auto acquisition = std::make_shared<Acquisition>(*iq.acquisition);
    for (std::size_t t = 0; t < acquisition->transmits.size(); ++t) {
        acquisition->transmits[t].firstSampleS = 0.7e-6 * static_cast<double>(t);
        acquisition->transmits[t].iqPhaseZeroS = 0.13e-6;
    }
    iq.acquisition = acquisition;
    BeamformParams params = fNumber(2.0);
    params.interpolation = DelayInterpolation::Lagrange;
    params.lagrangeOrder = 5;
    BeamformParams offset = params;
    offset.t0OffsetS = 0.42e-6;
    const Measured a = measure(rf, params, {0.5e-3, 15e-3}, 0.6);
    const Measured b = measure(iq, offset, {0.5e-3, 15e-3}, 0.6);
    ASSERT_EQ(a.beam.across.size(), b.beam.across.size());
    for (std::size_t i = 0; i < a.beam.across.size(); ++i) {
        EXPECT_NEAR(std::pow(10.0, a.beam.both.levelDb[i] / 20.0),
                    std::pow(10.0, b.beam.both.levelDb[i] / 20.0), 3e-3);
    }
}

TEST(MeasuredBeam, FollowsTheParametersOfTheStage) {
    const FrameSpec input = channelData(threeWaves(64));
    BeamformParams params = fNumber(2.0);
    const double plain = measure(input, params, {0.0, 15e-3}, 0.6).beam.heard.width.value_or(0.0);
    params.window = ApodizationWindow::Hann;
    const double hann = measure(input, params, {0.0, 15e-3}, 0.6).beam.heard.width.value_or(0.0);
    EXPECT_NEAR(hann / plain, 2.0 / 1.2052, 0.08); // half amplitude of both windows' transforms
    params.transmits = {"", {0, 1, 0}};
    const Measured one = measure(input, params, {0.0, 15e-3}, 0.6);
    EXPECT_EQ(one.shape.transmits, 1U);
    ASSERT_TRUE(one.beam.both.width);
}

TEST(MeasuredBeam, IsThereOnAFanOfBeamsToo) {
    Acquisition acquisition = linearArray(64, kMeasuredPitchM);
    for (int i = 0; i < 9; ++i) {
        const double angle = 0.05 * (i - 4);
        acquisition.transmits.push_back(
            sphericalWave(Wave::Focused, 40e-3 * std::sin(angle), 40e-3 * std::cos(angle)));
    }
    const FrameSpec input = channelData(std::move(acquisition));
    BeamformParams params = fNumber(0.0);
    params.interpolation = DelayInterpolation::Lagrange;
    params.grid = PixelGrid::Beams;
    const lab::PlanePoint pixel{40e-3 * std::sin(0.05), 40e-3 * std::cos(0.05)};
    params.transmitAperture = TransmitAperture::OwnLines;
    expectClosedForm(measure(input, params, pixel, kNarrow), 0.02);
    params.transmitAperture = TransmitAperture::Everywhere;
    params.lines = 29; // the line of 0.05 rad is one of them
    // Waves of other beams come from far aside: only a longer pulse is like one frequency.
    expectClosedForm(measure(input, params, pixel, 0.2 * kNarrow), 0.03);
}

TEST(MeasuredMap, OfALongPulseIsTheClosedForm) {
    BeamformParams params = fNumber(2.0);
    params.interpolation = DelayInterpolation::Lagrange;
    params.depthMinM = 8e-3;
    params.depthMaxM = 25e-3;
    params.lateralMinM = -2e-3;
    params.lateralMaxM = 2e-3;
    const BeamGeometry geometry(channelData(threeWaves(64)), params);
    lab::BeamStage stage{&stageTypeWith<BeamformParams>()};
    stage.params = Params(stage.type->table);
    stage.params.as<BeamformParams>() = params;
    constexpr lab::BeamMapSize kSize{61, 4};
    for (const lab::BeamPart part : {lab::BeamPart::Heard, lab::BeamPart::Both}) {
        const lab::BeamMap closed = lab::beamMap(geometry, {0.0, 15e-3}, part, {}, kSize, {});
        const lab::BeamMap found =
            lab::measuredMap(geometry, stage, {0.0, 15e-3}, part, kNarrow, kSize, Backend::Cpu, {});
        ASSERT_EQ(found.magnitude.size(), closed.magnitude.size());
        EXPECT_EQ(found.depthsM, closed.depthsM);
        const double most = *std::ranges::max_element(found.magnitude);
        const double closedMost = *std::ranges::max_element(closed.magnitude);
        for (std::size_t i = 0; i < found.magnitude.size(); ++i)
            EXPECT_NEAR(found.magnitude[i] / most, closed.magnitude[i] / closedMost, 0.03) << i;
        for (std::size_t row = 0; row < kSize.rows; ++row) {
            ASSERT_TRUE(found.lobe[row] && closed.lobe[row]) << row;
            EXPECT_NEAR(found.lobe[row]->first, closed.lobe[row]->first, 2e-5);
            EXPECT_NEAR(found.lobe[row]->second, closed.lobe[row]->second, 2e-5);
        }
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(lab::measuredMap(geometry, stage, {0.0, 15e-3}, lab::BeamPart::Heard, kNarrow,
                                 kSize, Backend::Cpu, stop.get_token())
                    .empty());
}

TEST(MeasuredBeam, EndsWhenItIsStoppedAndRefusesTooManyEchoes) {
    const BeamGeometry geometry(channelData(threeWaves(64)), fNumber(2.0));
    lab::BeamStage stage{&stageTypeWith<BeamformParams>()};
    stage.params = Params(stage.type->table);
    const BeamShape shape = lab::beamShape(geometry, {0.0, 15e-3});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(lab::measuredBeam(geometry, stage, {0.0, 15e-3}, shape, 0.6, -1e-3, 1e-3, 11,
                                  Backend::Cpu, stop.get_token())
                    .empty());
    Acquisition many = linearArray(1024, kMeasuredPitchM);
    for (int i = 0; i < 400; ++i) many.transmits.push_back(planeWave(1e-3 * i));
    const FrameSpec input = channelData(std::move(many));
    try {
        measure(input, fNumber(0.0), {0.0, 15e-3}, 0.6);
        FAIL() << "600 MB of echoes were made";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("switch transmits off"));
    }
}

} // namespace
} // namespace echolux::test
