// SPDX-License-Identifier: GPL-3.0-or-later
// beamform against closed forms: where point targets appear, with what amplitude and phase, for
// every kind of transmit; masks, compounding, coherence factor, delay tables, records that end.
#include "tests/gpu/beamform_run.hpp"

#include "tests/support/near.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

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

ParamValue wordOf(const char* text) { return std::string(text); }

Settings lagrange5() {
    return {{"f_number", 0.0},
            {"interpolation", wordOf("lagrange")},
            {"lagrange_order", std::int64_t{5}}};
}

void expectSame(const HostFrame& actual, const HostFrame& expected, double relative) {
    expectNear(actual.as<float>(), expected.as<float>(), relative);
}

TEST(Beamform, AluminiumNeedsItsOwnSpeedOfSound) {
    Scan scan;
    scan.pitchM = 0.63e-3;
    scan.soundSpeedMps = 6300.0;
    scan.samples = 700;
    scan.transmits = everyElement(scan);
    const HostFrame frame = rfOf(scan, 7e-3, 20e-3);
    const Settings grid = gridRound(7e-3, 20e-3, 4e-3, 4e-3, 0.25e-3, 0.1e-3);
    const Peak right = peakOf<float>(runStage("beamform", frame, grid));
    EXPECT_NEAR(right.x, 7e-3, 0.26e-3);
    EXPECT_NEAR(right.z, 20e-3, 0.11e-3);
    const Peak wrong =
        peakOf<float>(runStage("beamform", frame, with(grid, {{"speed_of_sound", 5600.0}})));
    EXPECT_LT(wrong.value, 0.8 * right.value);
}

TEST(Beamform, HalfMatrixGivesTheImageOfTheFullOne) {
    Scan scan;
    scan.elements = 16;
    scan.transmits = everyElement(scan);
    const HostFrame full = rfOf(scan, kX, kZ);
    const HostFrame fullImage = runStage("beamform", full, fineGrid());

    HostFrame half = full;
    for (int t = 0; t < scan.elements; ++t) {
        for (int e = 0; e < scan.elements; ++e) {
            const bool stored = t <= e;
            scan.receiveWeights.push_back(!stored ? 0.0F : t == e ? 1.0F : 2.0F);
            const auto line = static_cast<std::size_t>(t * scan.elements + e) *
                              static_cast<std::size_t>(scan.samples);
            if (!stored)
                std::fill_n(half.as<float>().begin() + static_cast<std::ptrdiff_t>(line),
                            scan.samples, 0.0F);
        }
    }
    half.spec = specOf(scan, DType::F32);
    // Reciprocity holds for the sum over all elements only, not within an f-number.
    const Settings whole = with(fineGrid(), {{"f_number", 0.0}});
    expectSame(runStage("beamform", half, whole), runStage("beamform", full, whole), 1e-4);
    EXPECT_GT(peakOf<float>(fullImage).value, 50.0);
}

TEST(Beamform, IqHasAmplitudeAndPhaseOfTheAnalyticRf) {
    Scan scan;
    scan.transmits = {planeWave(0.1, 1.3e-6), planeWave(-0.07, -0.4e-6)};
    scan.transmits[0].iqPhaseZeroS = 0.6e-6;
    scan.transmits[1].iqPhaseZeroS = -2.1e-6;
    const Settings settings = with(fineGrid(), lagrange5());
    const HostFrame rf = runStage("beamform", rfOf(scan, kX, kZ), settings);
    // Off the centre frequency, so that a wrong sign of the phase would show.
    const HostFrame iq = runStage("beamform", iqOf(scan, kX, kZ, 4.6e6), settings);
    std::vector<float> real;
    for (const Complex& value : iq.as<Complex>()) real.push_back(value.re);
    expectNear(real, rf.as<float>(), 0.01);
    const Peak peak = peakOf<Complex>(iq);
    EXPECT_NEAR(peak.x, kX, 1e-6);
    EXPECT_NEAR(peak.value, 64.0, 0.7);
}

TEST(Beamform, SwitchedOffTransmitsAreAsIfNeverSent) {
    Scan scan;
    scan.transmits = {planeWave(-0.1), planeWave(0.0, 1e-6), planeWave(0.1)};
    const FrameSpec spec = specOf(scan, DType::F32);
    const HostFrame all = noiseOf(spec, 3);
    scan.transmits = {scan.transmits[0], scan.transmits[2]};
    HostFrame two(specOf(scan, DType::F32));
    const std::size_t third = all.bytes.size() / 3;
    std::memcpy(two.bytes.data(), all.bytes.data(), third);
    std::memcpy(two.bytes.data() + third, all.bytes.data() + 2 * third, third);

    const HostFrame expected = runStage("beamform", two, fineGrid());
    const StageType& type = stageType("beamform");
    Params params = paramsFor(type, spec, fineGrid());
    StageRunner runner(type, spec, params);
    const HostFrame before = runner.run(all);
    params.set("beamform", "transmits", std::vector<double>{1, 0, 1});
    runner.update(params);
    expectSame(runner.run(all), expected, 1e-6);
    params.set("beamform", "transmits", std::vector<double>{0, 0, 0});
    runner.update(params);
    EXPECT_EQ(peakOf<float>(runner.run(all)).value, 0.0);
    params.set("beamform", "transmits", std::vector<double>{});
    runner.update(params);
    EXPECT_EQ(runner.run(all).bytes, before.bytes);
}

TEST(Beamform, AWordForTransmitsIsTheMaskThatItMeans) {
    Scan scan;
    scan.transmits = {planeWave(-0.1), planeWave(0.0), planeWave(0.1)};
    const HostFrame frame = noiseOf(specOf(scan, DType::F32), 7);
    const auto imageOf = [&](const ParamValue& mask) {
        Settings settings = fineGrid();
        settings.emplace_back("transmits", mask);
        return runStage("beamform", frame, settings).bytes;
    };
    EXPECT_EQ(imageOf(std::string("first")), imageOf(std::vector{1.0, 0.0, 0.0}));
    EXPECT_EQ(imageOf(std::string("middle")), imageOf(std::vector{0.0, 1.0, 0.0}));
    EXPECT_EQ(imageOf(std::string("last")), imageOf(std::vector{0.0, 0.0, 1.0}));
    EXPECT_EQ(imageOf(std::string("all")), imageOf(std::vector{1.0, 1.0, 1.0}));
}

/// The same constant in every sample, or with alternating sign from element to element.
HostFrame constantLines(const Scan& scan, bool alternating) {
    HostFrame frame(specOf(scan, DType::F32));
    for (std::size_t i = 0; i < frame.as<float>().size(); ++i) {
        const auto line = i / static_cast<std::size_t>(scan.samples);
        frame.as<float>()[i] = alternating && line % 2 == 1 ? -3.0F : 3.0F;
    }
    return frame;
}

TEST(Beamform, CoherenceFactorIsOneForEqualEchoesAndZeroForOpposedOnes) {
    Scan scan;
    const Settings plain = with(fineGrid(), {{"f_number", 0.0}});
    const Settings factor = with(plain, {{"coherence_factor", true}});
    const HostFrame equal = runStage("beamform", constantLines(scan, false), factor);
    for (const float value : equal.as<float>()) ASSERT_NEAR(value, 3.0F * 32.0F, 1e-3);
    const HostFrame opposed = runStage("beamform", constantLines(scan, true), factor);
    for (const float value : opposed.as<float>()) ASSERT_NEAR(value, 0.0F, 1e-3);
}

TEST(Beamform, IncoherentCompoundingAddsMagnitudes) {
    Scan scan;
    scan.transmits = {planeWave(-0.1), planeWave(0.1)};
    const FrameSpec spec = specOf(scan, DType::ComplexF32, 5e6);
    const HostFrame frame = noiseOf(spec, 5);
    const auto only = [&](std::vector<double> mask) {
        return runStage("beamform", frame, with(fineGrid(), {{"transmits", std::move(mask)}}));
    };
    const HostFrame left = only({1, 0});
    const HostFrame right = only({0, 1});
    const HostFrame sum =
        runStage("beamform", frame, with(fineGrid(), {{"compounding", wordOf("incoherent")}}));
    for (std::size_t i = 0; i < sum.as<Complex>().size(); ++i) {
        const double expected =
            magnitudeOf(left.as<Complex>()[i]) + magnitudeOf(right.as<Complex>()[i]);
        ASSERT_NEAR(sum.as<Complex>()[i].re, expected, 1e-4);
        ASSERT_EQ(sum.as<Complex>()[i].im, 0.0F);
    }
}

TEST(Beamform, WhatLiesOutsideTheRecordCountsAsNothing) {
    Scan scan;
    scan.samples = 400;                      // 10 us: to 7.7 mm
    scan.transmits = {planeWave(0.0, 3e-6)}; // from 3 us: from 2.31 mm, to 10.01 mm
    const HostFrame frame = constantLines(scan, false);
    const Settings column{{"lateral_min", 0.0}, {"lateral_max", 1e-3},   {"depth_min", 0.5e-3},
                          {"depth_max", 14e-3}, {"pixel_lateral", 1e-3}, {"pixel_depth", 0.1e-3},
                          {"f_number", 4.0}};
    const HostFrame image = runStage("beamform", frame, column);
    const Axis& depth = image.spec.axes[0];
    for (std::int64_t row = 0; row < depth.size; ++row) {
        const double z = depth.origin + static_cast<double>(row) * depth.spacing;
        const float value = image.as<float>()[static_cast<std::size_t>(row * 2)];
        if (z < 2.2e-3 || z > 10.1e-3) {
            ASSERT_EQ(value, 0.0F) << z;
        } else if (z > 3e-3 && z < 9.7e-3) {
            ASSERT_GT(value, 3.0F) << z;
        }
    }
}

TEST(Beamform, NaNSamplesStayWhereTheyAre) {
    Scan scan;
    HostFrame frame = constantLines(scan, false);
    frame.as<float>()[5] = std::numeric_limits<float>::quiet_NaN(); // before any pixel's echo
    const HostFrame image = runStage("beamform", frame, fineGrid());
    for (const float value : image.as<float>()) ASSERT_TRUE(std::isfinite(value));
}

TEST(Beamform, DefaultsCoverApertureAndRecord) {
    Scan scan;
    scan.elements = 128;
    const Params rf = stageType("beamform").defaultsFor(specOf(scan, DType::F32));
    const auto& p = rf.as<BeamformParams>();
    EXPECT_NEAR(p.lateralMinM, -63.5 * 0.3e-3, 1e-9);
    EXPECT_NEAR(p.lateralMaxM, 63.5 * 0.3e-3, 1e-9);
    EXPECT_NEAR(p.depthMaxM, 1540.0 / 2.0 * 1399.0 / 40e6, 1e-6);
    EXPECT_LE(p.pixelDepthM, kLambda / 8.0);
    EXPECT_EQ(p.soundSpeedMps, 1540.0);
    const Params iq = stageType("beamform").defaultsFor(specOf(scan, DType::ComplexF32, 5e6));
    EXPECT_LE(iq.as<BeamformParams>().pixelDepthM, kLambda / 2.0);

    scan.elements = 64;
    scan.pitchM = 0.63e-3;
    scan.soundSpeedMps = 6300.0;
    scan.fsHz = 25e6;
    scan.samples = 750;
    const Params alu = stageType("beamform").defaultsFor(specOf(scan, DType::F32));
    EXPECT_EQ(alu.as<BeamformParams>().soundSpeedMps, 6300.0);
    EXPECT_NEAR(alu.as<BeamformParams>().depthMaxM, 6300.0 / 2.0 * 749.0 / 25e6, 1e-5);
}

std::string refusalOf(const FrameSpec& spec, const Settings& settings = {}) {
    try {
        const StageType& type = stageType("beamform");
        const Params params = paramsFor(type, spec, settings);
        type.plan(spec, params);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

FrameSpec withGeometry(FrameSpec spec, const std::function<void(Acquisition&)>& change) {
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    change(*acquisition);
    spec.acquisition = acquisition;
    return spec;
}

TEST(Beamform, RefusesWhatCannotBeBeamformed) {
    using testing::HasSubstr;
    const Scan scan;
    const FrameSpec good = specOf(scan, DType::F32);
    EXPECT_EQ(refusalOf(good), "accepted");
    FrameSpec bare = good;
    bare.acquisition = nullptr;
    EXPECT_THAT(refusalOf(bare), HasSubstr("geometry"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.probe.elements.clear(); })),
                HasSubstr("0 elements"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.probe.elements.pop_back(); })),
                HasSubstr("31 elements"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.probe.elements[3].x = NAN; })),
                HasSubstr("not a finite number"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.transmits[0].angleRad = NAN; })),
                HasSubstr("transmit 1"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.receiveWeights = {1.0F}; })),
                HasSubstr("receive weights"));
    FrameSpec still = good;
    still.axes[2].spacing = 0.0;
    EXPECT_THAT(refusalOf(still), HasSubstr("sampling frequency"));
    EXPECT_THAT(refusalOf(good, {{"pixel_lateral", 1e-6}, {"pixel_depth", 1e-6}}),
                HasSubstr("million pixels"));
    EXPECT_THAT(refusalOf(good, {{"depth_min", 0.03}, {"depth_max", 0.02}}), HasSubstr("empty"));
    EXPECT_THAT(refusalOf(good, {{"compounding", wordOf("incoherent")}}), HasSubstr("'rf'"));
    EXPECT_THAT(refusalOf(good, {{"transmits", std::vector<double>{1.0, 0.0, 1.0, 1.0, 1.0, 1.0,
                                                                   1.0, 1.0, 1.0}}}),
                HasSubstr("'transmits' has 9 entries"));
    EXPECT_THAT(refusalOf(good, {{"speed_of_sound", 900.0}}), HasSubstr("1000 to 7000"));
    EXPECT_THAT(
        refusalOf(good,
                  {{"delays", wordOf("table")}, {"pixel_lateral", 2e-6}, {"pixel_depth", 3e-6}}),
        HasSubstr("delay table"));
    const FrameSpec sixteen = specOf(Scan{.transmits = std::vector<Transmit>(16)}, DType::F32);
    const Settings fine = with(gridRound(0.0, 0.02, 0.01, 0.01, 1e-5, 1e-5), {});
    EXPECT_EQ(refusalOf(sixteen, with(fine, {{"delays", wordOf("table")}})), "accepted");
    EXPECT_EQ(refusalOf(sixteen, with(fine, {{"delays", wordOf("full")}})),
              "beamform: a full delay table for 2001 x 2001 pixels and 512 lines takes 7820 MiB, "
              "more than 4096; set delays to table or kernel, or make the image smaller.");
}

struct Contradiction {
    const char* part; ///< of the sentence
    std::function<void(Acquisition&)> change;
};

TEST(Beamform, RefusesGeometryThatContradictsItself) {
    const Contradiction kCases[] = {
        {"more than a right angle", [](auto& a) { a.transmits[0].angleRad = 12.0; }},
        {"more than a right angle", [](auto& a) { a.transmits[0].elevationRad = -3.0; }},
        {"not in front of the array",
         [](auto& a) { a.transmits[0] = sourceAt(Wave::Focused, 0.0, -5e-3); }},
        {"3 transmit weights for 32 elements",
         [](auto& a) { a.transmits[0].apodization.assign(3, 1.0F); }},
        {"no element that fires", [](auto& a) { a.transmits[0].apodization.assign(32, 0.0F); }},
        {"not finite in transmit 1", [](auto& a) { a.transmits[0].apodization.assign(32, NAN); }},
        {"not finite in transmit 1", [](auto& a) { a.transmits[0].origin.y = NAN; }},
        {"2 normals for 32 elements", [](auto& a) { a.probe.normals.resize(2); }},
        {"no vector of length 1", [](auto& a) { a.probe.normals.resize(32); }},
        {"long axes of 1 elements", [](auto& a) { a.probe.longAxes.resize(1); }},
        {"elements of 5 channels", [](auto& a) { a.receiveElements.resize(5); }},
        {"listened to element 33 of 32", [](auto& a) { a.receiveElements.assign(32, 32); }},
        {"two channels that listened", [](auto& a) { a.receiveElements.assign(32, 7); }},
    };
    const FrameSpec good = specOf(Scan{}, DType::F32);
    for (const Contradiction& c : kCases)
        EXPECT_THAT(refusalOf(withGeometry(good, c.change)), testing::HasSubstr(c.part));
}

TEST(Beamform, RefusesGridsThatItsWavesOrArrayDoNotSuit) {
    using testing::HasSubstr;
    const FrameSpec good = specOf(Scan{}, DType::F32);
    EXPECT_THAT(refusalOf(good, {{"transmit_aperture", wordOf("lines")}}),
                HasSubstr("set grid to beams"));
    EXPECT_THAT(
        refusalOf(good, {{"grid", wordOf("beams")}, {"angle_min", 0.2}, {"angle_max", 0.1}}),
        HasSubstr("angle_max greater than angle_min"));
    EXPECT_THAT(
        refusalOf(good,
                  {{"grid", wordOf("volume")}, {"elevation_min", 2e-3}, {"elevation_max", 1e-3}}),
        HasSubstr("elevation_max greater than elevation_min"));
    EXPECT_THAT(refusalOf(good, with(gridRound(0.5, 0.01, 1e-3, 1e-3, 1e-4, 1e-4),
                                     {{"transmit_aperture", wordOf("shadow")}})),
                HasSubstr("no transmit's wave passes"));
    EXPECT_THAT(refusalOf(withGeometry(good, [](auto& a) { a.probe.elements[3].y = 1e-3; }),
                          {{"grid", wordOf("beams")}}),
                HasSubstr("differ in elevation"));
    const FrameSpec two = specOf(Scan{.transmits = {sourceAt(Wave::Focused, 0.0, 9e-3),
                                                    sourceAt(Wave::Focused, 0.0, 12e-3)}},
                                 DType::F32);
    EXPECT_EQ(refusalOf(two, {{"grid", wordOf("beams")}}), "accepted");
    const Settings ownLines{{"grid", wordOf("beams")}, {"transmit_aperture", wordOf("lines")}};
    const FrameSpec apart = specOf(Scan{.transmits = {sourceAt(Wave::Focused, -2e-3, 9e-3),
                                                      sourceAt(Wave::Focused, 2e-3, 9e-3)}},
                                   DType::F32);
    EXPECT_EQ(refusalOf(apart, ownLines), "accepted");
    EXPECT_THAT(refusalOf(apart, with(ownLines, {{"travel_time", wordOf("back")}})),
                HasSubstr("set travel_time to both"));
}

BeamformParams defaultsOf(const Scan& scan, const std::function<void(Acquisition&)>& change) {
    const FrameSpec spec = withGeometry(specOf(scan, DType::ComplexF32, scan.fcHz), change);
    return stageType("beamform").defaultsFor(spec).as<BeamformParams>();
}

TEST(Beamform, DefaultGridIsTheArraysOwn) {
    EXPECT_EQ(defaultsOf(Scan{}, [](auto&) {}).grid, PixelGrid::Image);
    const auto bend = [](Acquisition& a) {
        for (Point& p : a.probe.elements) p.z = std::sqrt(0.0016 - p.x * p.x) - 0.04;
    };
    const auto hollow = [](Acquisition& a) {
        for (Point& p : a.probe.elements) p.z = 0.04 - std::sqrt(0.0016 - p.x * p.x);
    };
    EXPECT_EQ(defaultsOf(Scan{}, hollow).grid, PixelGrid::Image) << "its beams meet";
    const BeamformParams curved = defaultsOf(Scan{}, bend);
    EXPECT_EQ(curved.grid, PixelGrid::Beams);
    EXPECT_EQ(curved.transmitAperture, TransmitAperture::Everywhere);
    EXPECT_NEAR(curved.angleMaxRad, std::asin(15.5 * 0.3e-3 / 0.04), 1e-3);

    const auto sweep = [](Acquisition& a) {
        for (int i = 0; i < 9; ++i) {
            const double angle = 0.1 * (i - 4);
            a.transmits[static_cast<std::size_t>(i)] =
                sourceAt(Wave::Focused, 0.03 * std::sin(angle), 0.03 * std::cos(angle));
        }
    };
    const Scan nine{.pitchM = 0.15e-3, .transmits = std::vector<Transmit>(9)};
    const BeamformParams phased = defaultsOf(nine, sweep);
    EXPECT_EQ(phased.grid, PixelGrid::Beams);
    EXPECT_EQ(phased.transmitAperture, TransmitAperture::OwnLines);
    EXPECT_EQ(phased.fNumber, BeamformParams{}.fNumber); // the aperture follows the steered lines

    const auto spread = [](Acquisition& a) { a.probe.elements[3].y = 1e-3; };
    EXPECT_EQ(defaultsOf(Scan{}, spread).grid, PixelGrid::Volume);
}

} // namespace
} // namespace echolux::test
