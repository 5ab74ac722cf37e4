// SPDX-License-Identifier: GPL-3.0-or-later
// Live simulators: echoes against the simulator of files, noise against its statistics, sliders.
#include "app/live/echo_source.hpp"

#include "app/live/oct_source.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

PlaneWaveSetup threeWaves() {
    PlaneWaveSetup setup;
    setup.elements = 24;
    setup.anglesRad = {-0.2, 0.0, 0.13};
    setup.depthM = 25e-3;
    setup.attenuationDbPerCmMhz = 0.0;
    return setup;
}

/// Sums of PointEchoes as numbers.
std::vector<double> sumsOf(const PointEchoes& echoes) {
    const std::vector<std::int32_t> steps = echoes.sums();
    std::vector<double> sums;
    for (const std::int32_t step : steps)
        sums.push_back(static_cast<double>(step) / static_cast<double>(PointEchoes::kUnit));
    return sums;
}

double largestDifference(std::span<const double> a, std::span<const double> b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

/// Three points: one is still, and two count as moving.
void expectTheSimulatorOfFiles(const PlaneWaveSetup& setup) {
    Phantom phantom;
    phantom.still = {{-3e-3, 8e-3, 1.0}, {2e-3, 15e-3, -0.7}, {0.4e-3, 22e-3, 1.3}};
    PlaneWaveSimulator files(setup, phantom);
    PointEchoes live(Backend::Cpu, pointEchoes(setup, files.frame()));
    live.setMedium({.screens = echoes::inSinglePrecision(screensOf(setup)),
                    .screensOnSent = setup.screens.onTransmit});
    const std::vector<EchoedPoint> points{
        {-3e-3F, 8e-3F, 1.0F}, {2e-3F, 15e-3F, -0.7F}, {0.4e-3F, 22e-3F, 1.3F}};
    live.setStill(std::span(points).first(1));
    std::vector<std::int16_t> codes(static_cast<std::size_t>(files.frame().count()));
    live.render(std::span(points).last(2), {}, codes.data());
    const std::span<const double> expected = files.echoes(0);
    const double peak = std::abs(
        *std::ranges::max_element(expected, {}, [](double value) { return std::abs(value); }));
    // Where single and double precision round to neighbouring phases of the pulse, they differ by
    // 1/256 sample, which is 2 pi / 4 / 256 of the amplitude at four samples per period.
    EXPECT_LT(largestDifference(sumsOf(live), expected), 6.3e-3 * peak);
    double wrong = 0.0;
    double power = 0.0;
    const std::vector<double> sums = sumsOf(live);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        wrong += (sums[i] - expected[i]) * (sums[i] - expected[i]);
        power += expected[i] * expected[i];
    }
    EXPECT_LT(std::sqrt(wrong / power), 1.5e-3);
}

TEST(PointEchoes, AgreeWithTheSimulatorOfFiles) { expectTheSimulatorOfFiles(threeWaves()); }

TEST(PointEchoes, PassTheScreensOfTheSimulatorOfFiles) {
    PlaneWaveSetup setup = threeWaves();
    setup.screens.screens = {{.delayRmsS = 60e-9, .gainRmsDb = 3.0, .seed = 5}};
    expectTheSimulatorOfFiles(setup);
    setup.screens.screens = wallScreens("abersim", setup.soundSpeedMps, 7); // 8 of them
    expectTheSimulatorOfFiles(setup);
    setup.screens.screens = wallScreens("abdominal", setup.soundSpeedMps, 3);
    for (const bool sent : {false, true}) {
        setup.screens.onTransmit = sent;
        expectTheSimulatorOfFiles(setup);
    }
}

TEST(PointEchoes, AttenuateAlongTheWay) {
    PlaneWaveSetup setup = threeWaves();
    setup.anglesRad = {0.0};
    const FrameSpec frame = frameOf(setup);
    PointEchoes live(Backend::Cpu, pointEchoes(setup, frame));
    std::vector<std::int16_t> codes(static_cast<std::size_t>(frame.count()));
    const EchoedPoint point{0.5F * static_cast<float>(setup.pitchM), 20e-3F, 1.0F};
    const auto peakWith = [&](float nepersPerM) {
        live.setMedium({.nepersPerM = nepersPerM});
        live.setStill({});
        live.render({&point, 1}, {}, codes.data());
        return std::ranges::max(sumsOf(live));
    };
    // The way there and back is 40 mm for the elements before the point.
    EXPECT_NEAR(peakWith(20.0F) / peakWith(0.0F), std::exp(-20.0 * 40e-3), 2e-3);
}

TEST(PointEchoes, NoiseHasItsSpreadAndDependsOnTheFrame) {
    PlaneWaveSetup setup = threeWaves();
    const FrameSpec frame = frameOf(setup);
    PointEchoes live(Backend::Cpu, pointEchoes(setup, frame));
    live.setMedium({});
    live.setStill({});
    const auto made = [&](std::uint32_t number) {
        std::vector<std::int16_t> codes(static_cast<std::size_t>(frame.count()));
        live.render({}, {.noise = 100.0F, .seed = 3, .frame = number}, codes.data());
        return codes;
    };
    const std::vector<std::int16_t> first = made(0);
    double sum = 0.0;
    double squares = 0.0;
    double fourth = 0.0;
    double neighbours = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double value = first[i];
        sum += value;
        squares += value * value;
        fourth += value * value * value * value;
        if (i > 0) neighbours += value * first[i - 1];
    }
    const auto count = static_cast<double>(first.size());
    const double variance = squares / count;
    EXPECT_NEAR(sum / count, 0.0, 1.0);
    EXPECT_NEAR(std::sqrt(variance), 100.0, 0.5);
    EXPECT_NEAR(fourth / count / (variance * variance), 2.7, 0.05) << "the sum of four: 3 - 6/5/4";
    EXPECT_NEAR(neighbours / squares, 0.0, 0.01);
    EXPECT_EQ(made(0), first);
    EXPECT_NE(made(1), first);
}

struct MadeFrame {
    std::vector<std::int16_t> codes;
    FrameStamp stamp;
};
MadeFrame nextOf(LiveSource& source) {
    MadeFrame made;
    made.codes.resize(source.info().frame.bytes() / sizeof(std::int16_t));
    while (source.next(std::as_writable_bytes(std::span(made.codes)), made.stamp, {}) !=
           LiveSource::Outcome::Frame) {
    }
    return made;
}

double valueOf(const LiveSource& source, const std::string& key) {
    const std::vector<LiveParameter> all = source.parameters();
    return std::ranges::find(all, key, &LiveParameter::key)->value;
}

double levelOf(const std::vector<std::int16_t>& codes) {
    double squares = 0.0;
    for (const std::int16_t code : codes) squares += static_cast<double>(code) * code;
    return std::sqrt(squares / static_cast<double>(codes.size()));
}

/// But for the least noise, which changes how a code is rounded.
bool nearlyEqual(const std::vector<std::int16_t>& a, const std::vector<std::int16_t>& b) {
    return std::ranges::equal(a, b, [](int x, int y) { return std::abs(x - y) <= 1; });
}

TEST(EchoSource, SlidersChangeTheFrames) {
    EchoSource source({.elements = 64, .waves = 1, .frameRateHz = 0.0}, "sim", Backend::Cpu);
    EXPECT_EQ(source.info().path, "sim");
    EXPECT_EQ(source.info().frame.sizeOf(AxisName::Channel), 64);
    source.setParameter("snr", 80.0);
    source.setParameter("motion", 0.0);
    const MadeFrame first = nextOf(source);
    const MadeFrame second = nextOf(source);
    EXPECT_TRUE(nearlyEqual(first.codes, second.codes)) << "nothing moves, and there is no noise";
    EXPECT_EQ(second.stamp.number, first.stamp.number + 1);
    const double level = levelOf(first.codes);
    source.setParameter("snr", 0.0);
    EXPECT_NEAR(levelOf(nextOf(source).codes), std::sqrt(2.0) * level, 0.03 * level);
    source.setParameter("snr", 80.0);
    source.setParameter("attenuation", 1.5);
    EXPECT_LT(levelOf(nextOf(source).codes), 0.5 * level);
    source.setParameter("attenuation", 0.3);
    EXPECT_TRUE(nearlyEqual(nextOf(source).codes, first.codes));
    source.setParameter("screens", 3.0);
    EXPECT_TRUE(nearlyEqual(nextOf(source).codes, first.codes)) << "screens of no delay";
    for (const char* key : {"sound_speed", "screen", "screen_gain"}) {
        const double before = valueOf(source, key);
        source.setParameter(key, before + 5.0);
        EXPECT_FALSE(nearlyEqual(nextOf(source).codes, first.codes)) << key;
        source.setParameter(key, before);
    }
    EXPECT_TRUE(nearlyEqual(nextOf(source).codes, first.codes));
    source.setParameter("motion", 4.0);
    for (int i = 0; i < 10; ++i) nextOf(source);
    EXPECT_FALSE(nearlyEqual(nextOf(source).codes, first.codes));
    source.setParameter("snr", std::nan(""));
    source.setParameter("unknown", 1.0);
    source.setParameter("snr", 1e9);
    EXPECT_EQ(valueOf(source, "snr"), 80.0);
}

/// Codes of one plane wave upon points, and the echoes of the simulator of files in the same
/// set-up, at the scale at which their squared difference is least.
double relativeDifference(const EchoSourceSetup& live, const std::vector<ScreenDesign>& screens) {
    EchoSource source(live, "sim", Backend::Cpu);
    source.setParameter("snr", 80.0);
    source.setParameter("attenuation", 0.0);
    PlaneWaveSetup setup;
    setup.elements = live.elements;
    setup.centreFrequencyHz = live.centreFrequencyHz;
    setup.samplingHz = 4.0 * live.centreFrequencyHz;
    setup.pitchM = 1540.0 / live.centreFrequencyHz;
    setup.elementWidthM = 0.9 * setup.pitchM;
    setup.depthM = live.depthM;
    setup.attenuationDbPerCmMhz = 0.0;
    setup.screens.onTransmit = live.screensOnSent;
    const FrameSpec bare = frameOf(setup);
    setup.screens.screens = screens;
    PhantomRequest request;
    request.name = live.phantom;
    request.halfWidthM = 0.5 * setup.apertureM();
    request.depthM = 0.95 * live.depthM;
    request.wavelengthM = setup.wavelengthM();
    request.seed = live.seed;
    PlaneWaveSimulator files(setup, makePhantom(request));
    const std::span<const double> echoes = files.echoes(0);
    // Records behind screens begin earlier and end later.
    const double early = bare.acquisition->transmits[0].firstSampleS -
                         files.frame().acquisition->transmits[0].firstSampleS;
    const auto skip = static_cast<std::size_t>(std::lround(early * setup.samplingHz));
    EXPECT_NEAR(early * setup.samplingHz, static_cast<double>(skip), 1e-6);
    const auto longer = static_cast<std::size_t>(files.frame().sizeOf(AxisName::Sample));
    const auto samples = static_cast<std::size_t>(bare.sizeOf(AxisName::Sample));
    const std::vector<std::int16_t> codes = nextOf(source).codes;
    double product = 0.0;
    double ofCodes = 0.0;
    double ofEchoes = 0.0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const double echo = echoes[i / samples * longer + skip + i % samples];
        product += codes[i] * echo;
        ofCodes += static_cast<double>(codes[i]) * codes[i];
        ofEchoes += echo * echo;
    }
    return std::sqrt(std::max(0.0, 1.0 - product * product / (ofCodes * ofEchoes)));
}

TEST(EchoSource, HasTheScreensOfTheSimulatorOfFiles) {
    EchoSourceSetup live{
        .elements = 48, .waves = 1, .frameRateHz = 0.0, .phantom = "points", .seed = 11};
    EXPECT_LT(relativeDifference(live, {}), 4e-3);
    live.wall = "abdominal";
    live.screens = 0;
    const std::vector<ScreenDesign> wall = wallScreens("abdominal", 1540.0, 11);
    EXPECT_LT(relativeDifference(live, wall), 4e-3);
    EXPECT_GT(relativeDifference(live, {}), 0.3) << "the wall changes the echoes";
    live.screensOnSent = false;
    EXPECT_LT(relativeDifference(live, wall), 4e-3);
    live.wall.clear();
    live.screens = 4;
    live.screenDelayS = 80e-9;
    live.screenGainDb = 2.0;
    live.screenDepthM = 8e-3;
    live.screenLengthM = 2e-3;
    std::vector<ScreenDesign> even;
    for (std::uint64_t i = 0; i < 4; ++i)
        even.push_back({.depthM = 2e-3 * static_cast<double>(i + 1),
                        .delayRmsS = 40e-9,
                        .gainRmsDb = 1.0,
                        .lengthXM = 2e-3,
                        .lengthYM = 2e-3,
                        .seed = 11 + i});
    EXPECT_LT(relativeDifference(live, even), 4e-3);
}

TEST(EchoSource, AWallTakesTheRoomOfScreens) {
    EchoSource source({.wall = "abersim"}, "sim", Backend::Cpu);
    EXPECT_EQ(valueOf(source, "wall"), 1.0);
    for (const LiveParameter& parameter : source.parameters())
        EXPECT_NE(parameter.key, "screens") << "the wall has all eight";
    EchoSource other({.wall = "abdominal"}, "sim", Backend::Cpu);
    const std::vector<LiveParameter> all = other.parameters();
    EXPECT_EQ(std::ranges::find(all, "screens", &LiveParameter::key)->max, 5.0);
    EXPECT_THAT(
        refusal([] { EchoSource({.wall = "abdominal", .screens = 6}, "sim", Backend::Cpu); }),
        HasSubstr("screens is 6, but only 0 to 5"));
    EXPECT_THAT(refusal([] { EchoSource({.wall = "brick"}, "sim", Backend::Cpu); }),
                HasSubstr("abdominal, abersim"));
    EXPECT_EQ(
        refusal([] { EchoSource({.depthM = 15e-3, .wall = "abdominal"}, "sim", Backend::Cpu); }),
        "The wall 'abdominal' is 20 mm thick, but what is imaged ends at depth 15 mm; choose a "
        "greater depth.");
}

TEST(EchoSource, RefusesWhatCannotBeSimulated) {
    EXPECT_THAT(refusal([] { EchoSource({.elements = 1}, "sim", Backend::Cpu); }),
                HasSubstr("elements"));
    EXPECT_THAT(refusal([] { EchoSource({.phantom = "cube"}, "sim", Backend::Cpu); }),
                HasSubstr("cube"));
}

TEST(OctSource, SlidersChangeTheFrames) {
    OctSource source({.lines = 8, .frameRateHz = 0.0}, "sim");
    std::vector<std::byte> first(source.info().frame.bytes());
    std::vector<std::byte> other(first.size());
    FrameStamp stamp;
    ASSERT_EQ(source.next(first, stamp, {}), LiveSource::Outcome::Frame);
    source.setParameter("visibility", 1.0);
    ASSERT_EQ(source.next(other, stamp, {}), LiveSource::Outcome::Frame);
    EXPECT_NE(first, other);
    EXPECT_EQ(stamp.number, 1);
    EXPECT_THAT(refusal([] { OctSource({.sample = "skull"}, "sim"); }), HasSubstr("skull"));
}

TEST(SourceClock, KeepsThePaceAndGivesWay) {
    SourceClock fast(0.0);
    EXPECT_TRUE(fast.waitDue({}));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(fast.waitDue(stop.get_token()));
    SourceClock slow(0.01); // once in 100 s
    EXPECT_TRUE(slow.waitDue({})) << "the first frame at once";
    EXPECT_FALSE(slow.waitDue({})) << "gives up after its patience";
    slow.setRate(1000.0);
    EXPECT_TRUE(slow.waitDue({})) << "a faster rate counts from now on";
    SourceClock paced(200.0);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
        while (!paced.waitDue({})) {
        }
    EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(80));
}

} // namespace
} // namespace echolux
