// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of a point past screens: their times and amplitudes against straight ways, worked out here
// from each screen's values.
#include "app/source/array_design.hpp"
#include "app/source/echo_simulator.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "app/source/transmit_design.hpp"
#include "tests/source/point_echoes.hpp"
#include "tests/source/signal_tools.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kFs = 40e6;
constexpr double kScreenDegree = std::numbers::pi / 180.0;

using test::apart;
using test::kSpeed;
using test::pointAt;
using test::single;

EchoSetup finelySampled(Probe probe) {
    EchoSetup setup = test::setupOf(std::move(probe));
    setup.samplingHz = kFs;
    return setup;
}

/// What the screens do on the way from `from`, in the plane z = 0, to `to`.
echoes::ScreenEffect straight(const echoes::ScreenTables& tables, const Point& from,
                              const Point& to) {
    echoes::ScreenEffect all;
    for (const echoes::Screen& screen : tables.list) {
        const double part = screen.depthM / to.z;
        const auto one = screenAt(tables.view(), screen, (1 - part) * from.x + part * to.x,
                                  (1 - part) * from.y + part * to.y);
        all.delayS += one.delayS;
        all.logGain += one.logGain;
    }
    return all;
}

template <class Simulator>
std::span<const double> trace(Simulator& simulator, std::int64_t transmit, std::int64_t channel) {
    const FrameSpec& frame = simulator.frame();
    const auto samples = static_cast<std::size_t>(frame.sizeOf(AxisName::Sample));
    const std::int64_t line = transmit * frame.sizeOf(AxisName::Channel) + channel;
    return simulator.echoes(0).subspan(static_cast<std::size_t>(line) * samples, samples);
}

template <class Simulator>
double sampleOf(const Simulator& simulator, std::size_t transmit, double seconds) {
    return (seconds - simulator.frame().acquisition->transmits[transmit].firstSampleS) *
           simulator.setup().samplingHz;
}

/// Peak of the envelope, and its height against the same echo without screens.
template <class Simulator> void expectEcho(Simulator& past, Simulator& bare, std::int64_t transmit,
                                           std::int64_t channel, double bareSeconds,
                                           const echoes::ScreenEffect& effect) {
    const auto t = static_cast<std::size_t>(transmit);
    const test::Analytic signal(trace(past, transmit, channel));
    const test::Analytic without(trace(bare, transmit, channel));
    const double expected = sampleOf(past, t, bareSeconds + effect.delayS);
    EXPECT_NEAR(signal.peak(expected, 2.0), expected, 0.03)
        << "transmit " << transmit << ", channel " << channel;
    EXPECT_NEAR(signal.envelope(expected) / without.envelope(sampleOf(bare, t, bareSeconds)),
                std::exp(effect.logGain), 0.01);
}

const std::vector<ScreenDesign> kNear{{.delayRmsS = 80e-9, .gainRmsDb = 3.0, .lengthXM = 2e-3}};
const std::vector<ScreenDesign> kStack{
    {.depthM = 1e-3, .delayRmsS = 60e-9, .gainRmsDb = 1.0, .seed = 2},
    {.depthM = 7e-3, .delayRmsS = 90e-9, .gainRmsDb = 2.0, .lengthXM = 4e-3, .seed = 3}};

TEST(AberratedEchoes, comeLaterByWhatTheirWaysPass) {
    const Point p{1.3e-3, 0.0, 14.2e-3};
    const Probe probe = linearProbe(24, {});
    for (const auto& screens : {kNear, kStack}) {
        for (const bool onTransmit : {true, false}) {
            EchoSetup setup = finelySampled(probe);
            for (const std::size_t e : {2U, 17U})
                setup.acquisition.transmits.push_back(single(probe, e));
            EchoSimulator bare(setup, pointAt(p));
            setup.screens = {screens, onTransmit};
            EchoSimulator past(setup, pointAt(p));
            const auto tables = screensOf(setup);
            for (const std::int64_t transmit : {0, 1}) {
                const Point& sends = probe.elements[transmit == 0 ? 2 : 17];
                for (const std::int64_t channel : {0, 11, 23}) {
                    const Point& hears = probe.elements[static_cast<std::size_t>(channel)];
                    auto effect = straight(tables, hears, p);
                    if (onTransmit) {
                        const auto sent = straight(tables, sends, p);
                        effect = {effect.delayS + sent.delayS, effect.logGain + sent.logGain};
                    }
                    expectEcho(past, bare, transmit, channel,
                               (apart(sends, p) + apart(p, hears)) / kSpeed, effect);
                }
            }
        }
    }
}

TEST(AberratedEchoes, ofPlaneWavesPassWhereTheWaveComesFrom) {
    PlaneWaveSetup setup;
    setup.elements = 24;
    setup.samplingHz = kFs;
    setup.anglesRad = {-12.0 * kScreenDegree, 0.0, 7.3 * kScreenDegree};
    setup.depthM = 25e-3;
    setup.attenuationDbPerCmMhz = 0.0;
    const Point p{-1.1e-3, 0.0, 15.7e-3};
    PlaneWaveSimulator bare(setup, pointAt(p));
    for (const bool onTransmit : {true, false}) {
        setup.screens = {kStack, onTransmit};
        PlaneWaveSimulator past(setup, pointAt(p));
        const auto tables = screensOf(setup);
        for (const std::int64_t transmit : {0, 1, 2}) {
            const double angle = setup.anglesRad[static_cast<std::size_t>(transmit)];
            for (const std::int64_t channel : {0, 10, 23}) {
                const Point hears{setup.elementX(channel), 0.0, 0.0};
                auto effect = straight(tables, hears, p);
                if (onTransmit) {
                    const auto sent = straight(tables, {p.x - p.z * std::tan(angle), 0, 0}, p);
                    effect = {effect.delayS + sent.delayS, effect.logGain + sent.logGain};
                }
                expectEcho(past, bare, transmit, channel,
                           (p.x * std::sin(angle) + p.z * std::cos(angle) + apart(p, hears)) /
                               kSpeed,
                           effect);
            }
        }
    }
}

/// At depth 0 a screen is a delay of each element, whatever is seen: the truth, to the last echo.
TEST(AberratedEchoes, atDepthZeroAreThoseOfTheTruth) {
    const Probe curved = curvedProbe(24, 40e-3, {});
    EchoSetup setup = finelySampled(curved);
    setup.region.sector =
        SectorOutline{.apexZ = -40e-3 * std::cos(std::asin(curved.elements.back().x / 40e-3)),
                      .innerRadiusM = 40e-3,
                      .halfAngleRad = 0.3};
    setup.acquisition.transmits.push_back(single(curved, 5));
    const Point p{2.3e-3, 0.0, 12e-3};
    EchoSimulator bare(setup, pointAt(p));
    setup.screens = {kNear};
    EchoSimulator past(setup, pointAt(p));
    const auto truth = truthOf(setup);
    ASSERT_EQ(truth->delayS.size(), 24U);
    EXPECT_NEAR(figuresOf(*truth, curved.elements).delayRmsS, 80e-9, 1e-12);
    for (const std::size_t channel : {0U, 9U, 23U})
        expectEcho(past, bare, 0, static_cast<std::int64_t>(channel),
                   (apart(curved.elements[5], p) + apart(p, curved.elements[channel])) / kSpeed,
                   {truth->delayS[5] + truth->delayS[channel],
                    std::log(truth->amplitude[5] * truth->amplitude[channel])});
}

TEST(AberratedEchoes, ofLongElementsPassBesideThePoint) {
    const Probe lines = rowColumnProbe(8, {.heightM = 8 * 0.3e-3});
    EchoSetup setup = finelySampled(lines);
    setup.region.halfElevationM = 2e-3;
    setup.acquisition.transmits.push_back(single(lines, 3));
    const Point p{0.4e-3, -0.7e-3, 11e-3};
    EchoSimulator bare(setup, pointAt(p));
    setup.screens = {{{.depthM = 3e-3, .delayRmsS = 80e-9, .lengthXM = 1e-3, .lengthYM = 1e-3}}};
    EchoSimulator past(setup, pointAt(p));
    const auto tables = screensOf(setup);
    const Point sends{lines.elements[3].x, p.y, 0.0};
    for (const std::int64_t channel : {1, 12}) {
        Point hears = lines.elements[static_cast<std::size_t>(channel)];
        (channel < 8 ? hears.y : hears.x) = channel < 8 ? p.y : p.x;
        const auto there = straight(tables, sends, p);
        const auto back = straight(tables, hears, p);
        expectEcho(past, bare, 0, channel, (apart(sends, p) + apart(p, hears)) / kSpeed,
                   {there.delayS + back.delayS, there.logGain + back.logGain});
    }
}

TEST(AberratedEchoes, areTheSameWithAnyNumberOfThreads) {
    EchoSetup echo = finelySampled(matrixProbe({.columns = 6, .rows = 4}, {.heightM = 0.27e-3}));
    echo.region.halfElevationM = 4e-3;
    echo.acquisition.transmits.push_back({});
    echo.screens = {kStack};
    PlaneWaveSetup wave;
    wave.elements = 16;
    wave.depthM = 20e-3;
    wave.screens = {kStack};
    const auto samples = [&] {
        EchoSimulator volume(echo, makePhantom(phantomFor(echo, "points", 1.0, 1.0)));
        const auto a = volume.echoes(0);
        PhantomRequest request;
        request.name = "speckle";
        request.depthM = 18e-3;
        PlaneWaveSimulator image(wave, makePhantom(request));
        const auto b = image.echoes(0);
        std::vector<double> all(a.begin(), a.end());
        all.insert(all.end(), b.begin(), b.end());
        return all;
    };
    const auto many = samples();
    const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(samples(), many);
}

/// The mean over the array is taken out, so the image stays where it is.
TEST(AberratedEchoes, fitIntoTheRecord) {
    EchoSetup setup = finelySampled(linearProbe(24, {}));
    setup.acquisition.transmits.push_back({});
    const FrameSpec bare = frameOf(setup);
    setup.screens = {kStack};
    const FrameSpec past = frameOf(setup);
    const double margin = screenMarginS(setup.screens);
    EXPECT_GT(margin, 4 * 2 * 90e-9);
    EXPECT_LE(past.acquisition->transmits[0].firstSampleS,
              bare.acquisition->transmits[0].firstSampleS - margin + 1e-15);
    EXPECT_GE(past.sizeOf(AxisName::Sample),
              bare.sizeOf(AxisName::Sample) + static_cast<std::int64_t>(2 * margin * kFs));
    EXPECT_EQ(truthOf(finelySampled(linearProbe(24, {}))), nullptr);
}

} // namespace

} // namespace echolux
