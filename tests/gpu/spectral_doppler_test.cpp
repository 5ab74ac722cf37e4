// SPDX-License-Identifier: GPL-3.0-or-later
// spectral_doppler against NumPy and closed forms.
#include "gpu/core/sector.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numbers>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;

constexpr double kPulsesPerS = 3000.0;
constexpr double kDopplerHz = 4e6;
constexpr double kNyquistMps = 1540.0 * kPulsesPerS / (4.0 * kDopplerHz);
constexpr std::int64_t kDopplerLines = 16;

FrameSpec pulseSpec(std::int64_t depths, std::int64_t laterals, double rateHz = kPulsesPerS) {
    FrameSpec spec = imageSpec(depths, laterals);
    spec.dtype = DType::ComplexF32;
    spec.centreFrequencyHz = kDopplerHz;
    spec.frameIntervalS = rateHz > 0.0 ? 1.0 / rateHz : 0.0;
    return spec;
}

/// Every pixel has the value of `echo` at the pulse.
using Echo = std::function<std::complex<double>(double pulse)>;

Echo turningBy(double radians) {
    return [=](double pulse) { return std::polar(1.0, radians * pulse); };
}

/// The phase from pulse to pulse at a velocity along the beam.
double phaseOf(double mps) { return std::numbers::pi * mps / kNyquistMps; }

HostFrame pulsesFrom(const FrameSpec& spec, const Echo& echo, std::int64_t first) {
    HostFrame frame(spec);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const std::int64_t each = spec.count() / spec.sizeOf(AxisName::Frame);
    for (std::int64_t i = 0; i < spec.count(); ++i)
        samples[i] = std::complex<float>(echo(static_cast<double>(first + i / each)));
    return frame;
}

StageRunner doppler(const FrameSpec& spec, Settings settings = {}) {
    settings.emplace_back("lines", kDopplerLines);
    const StageType& type = stageType("spectral_doppler");
    return {type, spec, paramsFor(type, spec, settings)};
}

HostFrames after(StageRunner& run, const FrameSpec& spec, const Echo& echo, int frames) {
    HostFrames made;
    for (int n = 0; n < frames; ++n)
        made = run.runAll({pulsesFrom(spec, echo, n * spec.sizeOf(AxisName::Frame))});
    return made;
}

HostFrames sonogramOf(const Echo& echo, const Settings& settings, int frames = 96) {
    const FrameSpec spec = pulseSpec(5, 3);
    StageRunner run = doppler(spec, settings);
    return after(run, spec, echo, frames);
}

double velocityAt(const HostFrame& sonogram, std::int64_t row) {
    const Axis& velocity = sonogram.spec.axes[0];
    return velocity.origin + static_cast<double>(row) * velocity.spacing;
}

float levelAt(const HostFrame& sonogram, std::int64_t row, std::int64_t fromRight = 0) {
    return sonogram
        .as<float>()[static_cast<std::size_t>((row + 1) * kDopplerLines - 1 - fromRight)];
}

/// The velocity of the newest line's strongest row, in the unit of the axis.
double peakOf(const HostFrame& sonogram) {
    std::int64_t best = 0;
    for (std::int64_t row = 0; row < sonogram.spec.axes[0].size; ++row)
        if (levelAt(sonogram, row) > levelAt(sonogram, best)) best = row;
    return velocityAt(sonogram, best);
}

double binOf(const HostFrame& sonogram) { return std::abs(sonogram.spec.axes[0].spacing); }

void expectWithin(const HostFrame& frame, const std::vector<float>& expected, double tolerance) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance) << i;
}

const Settings kAsInNumPy{{"depth", 5e-3 + 3 * 38.5e-6},
                          {"lateral", -0.1e-3},
                          {"length", 3 * 38.5e-6},
                          {"window", std::int64_t{20}},
                          {"hop", std::int64_t{7}},
                          {"angle", 0.5},
                          {"baseline", 0.2},
                          {"wall_filter", 0.012},
                          {"range", 50.0},
                          {"trace_threshold", 12.0},
                          {"speed_of_sound", 1500.0}};

void expectNumPys(const HostFrames& made, const Vectors& vectors) {
    expectWithin(made[0], vectors["level"], 0.01);
    expectWithin(made[1], vectors["mean"], 0.02);
    expectWithin(made[2], vectors["maximum"], 0.001);
    const auto velocities = vectors["velocity"];
    for (std::size_t row = 0; row < velocities.size(); ++row)
        EXPECT_NEAR(100.0 * velocityAt(made[0], static_cast<std::int64_t>(row)), velocities[row],
                    1e-3);
}

TEST(SpectralDoppler, GivesTheSpectraThatNumpyGives) {
    const Vectors vectors("gpu/vectors/spectral_doppler.txt");
    const std::vector<float> frames = vectors["frames"];
    const FrameSpec spec = pulseSpec(7, 4);
    StageRunner run = doppler(spec, kAsInNumPy);
    const std::size_t each = spec.bytes() / sizeof(float);
    HostFrames made;
    for (std::size_t n = 0; n < frames.size() / each; ++n) {
        HostFrame frame(spec);
        std::memcpy(frame.bytes.data(), frames.data() + n * each, spec.bytes());
        made = run.runAll({frame});
    }
    expectNumPys(made, vectors);
}

TEST(SpectralDoppler, AnEnsembleIsAsManyPulses) {
    const Vectors vectors("gpu/vectors/spectral_doppler.txt");
    const std::vector<float> frames = vectors["frames"];
    for (const std::int64_t together : {3, 9, 15, 45}) {
        const FrameSpec spec = ensembleOf(pulseSpec(7, 4), together);
        StageRunner run = doppler(spec, kAsInNumPy);
        const std::size_t each = spec.bytes() / sizeof(float);
        HostFrames made;
        for (std::size_t n = 0; n < frames.size() / each; ++n) {
            HostFrame frame(spec);
            std::memcpy(frame.bytes.data(), frames.data() + n * each, spec.bytes());
            made = run.runAll({frame});
        }
        expectNumPys(made, vectors);
    }
}

TEST(SpectralDoppler, AConstantPhaseStepIsALineAtItsVelocity) {
    for (const double part : {-0.9, -0.31, 0.1, 0.5, 0.97}) {
        const double v = part * kNyquistMps;
        const HostFrames made = sonogramOf(turningBy(phaseOf(v)), {});
        EXPECT_NEAR(peakOf(made[0]), v, binOf(made[0]));
        if (std::abs(part) < 0.95) { // else a part of the line lies at the other end
            EXPECT_NEAR(made[1].as<float>().back(), 100.0 * v, 100.0 * binOf(made[0]));
        }
        EXPECT_EQ(made[0].spec.axes[0].unit, "m/s");
        EXPECT_EQ(made[0].spec.valueRange->unit, "dB");
        EXPECT_EQ(made[1].spec.valueRange->unit, "cm/s");
    }
}

TEST(SpectralDoppler, FasterFlowWrapsAndABaselineUnwrapsIt) {
    const Echo fast = turningBy(phaseOf(1.4 * kNyquistMps));
    const HostFrames wrapped = sonogramOf(fast, {});
    EXPECT_NEAR(peakOf(wrapped[0]), -0.6 * kNyquistMps, binOf(wrapped[0]));
    const HostFrames shifted = sonogramOf(fast, {{"baseline", 0.3}});
    EXPECT_NEAR(peakOf(shifted[0]), 1.4 * kNyquistMps, binOf(shifted[0]));
    EXPECT_NEAR(shifted[1].as<float>().back(), 140.0 * kNyquistMps, 100.0 * binOf(shifted[0]));
    EXPECT_NEAR(velocityAt(shifted[0], 0), 1.6 * kNyquistMps, 2.0 * binOf(shifted[0]));
}

TEST(SpectralDoppler, AngleAndSignChangeTheAxis) {
    const double v = 0.4 * kNyquistMps;
    const double angle = std::numbers::pi / 3.0;
    const HostFrames along = sonogramOf(turningBy(phaseOf(v)), {});
    const HostFrames oblique = sonogramOf(turningBy(phaseOf(v)), {{"angle", angle}});
    EXPECT_NEAR(peakOf(oblique[0]), 2.0 * peakOf(along[0]), 1e-9);
    const HostFrames inverted = sonogramOf(turningBy(phaseOf(v)), {{"invert", true}});
    EXPECT_NEAR(peakOf(inverted[0]), -v, binOf(inverted[0]));
    EXPECT_NEAR(inverted[2].as<float>().back(), -100.0 * v, 300.0 * binOf(inverted[0]));
}

TEST(SpectralDoppler, AnAngleOfNinetyDegreesIsRefused) {
    const FrameSpec spec = pulseSpec(5, 3);
    const StageType& type = stageType("spectral_doppler");
    const std::string told = refusal([&] {
        paramsFor(type, spec, {{"angle", 0.5 * std::numbers::pi}});
    });
    EXPECT_THAT(told, HasSubstr("angle"));
    EXPECT_THAT(told, HasSubstr("spectral_doppler"));
    EXPECT_NO_THROW(paramsFor(type, spec, {{"angle", 89.0 * std::numbers::pi / 180.0}}));
}

TEST(SpectralDoppler, TheWallFilterRemovesWhatStandsStill) {
    const double v = 0.5 * kNyquistMps;
    const Echo both = [&](double pulse) { return 1000.0 + std::polar(1.0, phaseOf(v) * pulse); };
    const HostFrames with = sonogramOf(both, {{"wall_filter", 0.03}});
    EXPECT_NEAR(peakOf(with[0]), v, binOf(with[0]));
    for (std::int64_t row = 0; row < with[0].spec.axes[0].size; ++row) {
        if (std::abs(velocityAt(with[0], row)) < 0.0299) {
            EXPECT_EQ(levelAt(with[0], row), -40.0F);
        }
    }
    const HostFrames without = sonogramOf(both, {{"wall_filter", 0.0}});
    EXPECT_NEAR(peakOf(without[0]), 0.0, 1e-9);
}

TEST(SpectralDoppler, AWallFilterThatLeavesNothingIsNamed) {
    const FrameSpec spec = pulseSpec(5, 3);
    const StageType& type = stageType("spectral_doppler");
    const auto warningsAt = [&](double cutOff) {
        return type.plan(spec, paramsFor(type, spec, {{"wall_filter", cutOff}})).warnings;
    };
    EXPECT_TRUE(warningsAt(0.99 * kNyquistMps).empty());
    EXPECT_THAT(warningsAt(1.01 * kNyquistMps), ElementsAre(HasSubstr("'wall_filter'")));
    const HostFrames made = sonogramOf(turningBy(1.0), {{"wall_filter", 2.0}});
    EXPECT_EQ(std::ranges::max(made[0].as<float>()), -40.0F);
}

TEST(SpectralDoppler, InBeamSpaceTheGateLiesOnTheLineThatPassesIt) {
    FrameSpec spec = pulseSpec(11, 3);
    spec.axes[0] = {AxisName::Depth, 11, 1e-3, 0.0, "m"};
    spec.sector = std::make_shared<Sector>(Sector{0.0, 0.0, 0.0, {-0.5, 0.0, 0.5}});
    spec.axes[1] = lateralAxisOf(*spec.sector);
    const auto found = [&](double range, double angle, std::int64_t pixel) {
        StageRunner run = doppler(spec, {{"depth", range * std::cos(angle)},
                                         {"lateral", range * std::sin(angle)},
                                         {"hop", std::int64_t{1}},
                                         {"wall_filter", 0.0}});
        HostFrame frame(spec);
        frame.as<float>()[static_cast<std::size_t>(2 * pixel)] = 1.0F;
        return std::ranges::max(run.run(frame).as<float>()) == 0.0F;
    };
    EXPECT_TRUE(found(6.2e-3, 0.45, 6 * 3 + 2));
    EXPECT_TRUE(found(3.9e-3, -0.3, 4 * 3 + 0));
    EXPECT_FALSE(found(3.9e-3, -0.3, 4 * 3 + 1));
}

TEST(SpectralDoppler, ConstantDataAndZerosGiveTheLowestLevel) {
    for (const double value : {0.0, 1.0, 1e4}) {
        const HostFrames made = sonogramOf([&](double) { return value; }, {});
        for (const float level : made[0].as<float>()) EXPECT_EQ(level, -40.0F) << value;
        for (const float mean : made[1].as<float>()) EXPECT_EQ(mean, 0.0F);
        for (const float most : made[2].as<float>()) EXPECT_EQ(most, 0.0F);
    }
}

TEST(SpectralDoppler, PulsesThatAreNotFiniteCountAsNone) {
    const FrameSpec spec = pulseSpec(5, 3);
    StageRunner run = doppler(spec);
    const double v = 0.5 * kNyquistMps;
    const HostFrames made = after(
        run, spec,
        [&](double pulse) {
            return pulse == 70.0 ? std::complex<double>(NAN, INFINITY)
                                 : std::polar(1.0, phaseOf(v) * pulse);
        },
        96);
    for (const float level : made[0].as<float>()) EXPECT_TRUE(std::isfinite(level));
    EXPECT_NEAR(peakOf(made[0]), v, binOf(made[0]));
}

TEST(SpectralDoppler, BeforeAWindowIsFullItShowsWhatIsThere) {
    const FrameSpec spec = pulseSpec(5, 3);
    StageRunner run = doppler(spec, {{"window", std::int64_t{512}}, {"hop", std::int64_t{20}}});
    const double v = 0.5 * kNyquistMps;
    const HostFrames none = after(run, spec, turningBy(phaseOf(v)), 19);
    EXPECT_EQ(std::ranges::max(none[0].as<float>()), -40.0F);
    const HostFrames first = run.runAll({pulsesFrom(spec, turningBy(phaseOf(v)), 19)});
    EXPECT_NEAR(peakOf(first[0]), v, 2.0 * kNyquistMps / 20);
    EXPECT_EQ(levelAt(first[0], 0, 1), -40.0F) << "the line before is empty";
}

TEST(SpectralDoppler, LinesComeAtEachHopAndScroll) {
    const FrameSpec spec = pulseSpec(5, 3);
    StageRunner run = doppler(spec, {{"hop", std::int64_t{10}}});
    const Echo echo = turningBy(1.0);
    const HostFrame at30 = after(run, spec, echo, 30)[0];
    HostFrame now;
    for (int n = 30; n < 39; ++n) now = run.run(pulsesFrom(spec, echo, n));
    EXPECT_EQ(now.bytes, at30.bytes) << "no line between";
    now = run.run(pulsesFrom(spec, echo, 39));
    EXPECT_NE(now.bytes, at30.bytes);
    const Axis& time = now.spec.axes[1];
    EXPECT_EQ(time.name, AxisName::SlowTime);
    EXPECT_EQ(time.unit, "s");
    EXPECT_DOUBLE_EQ(time.spacing, 10.0 / kPulsesPerS);
    EXPECT_NEAR(time.origin + (kDopplerLines - 1) * time.spacing, 0.0, 1e-12);
    for (std::int64_t row = 0; row < now.spec.axes[0].size; ++row)
        EXPECT_NEAR(levelAt(now, row, 1), levelAt(at30, row), 1e-4);
}

TEST(SpectralDoppler, AFrameThatIsRunAgainCountsOnceAndASeekBeginsAnew) {
    const FrameSpec spec = pulseSpec(5, 3);
    const Echo echo = turningBy(1.0);
    StageRunner once = doppler(spec);
    StageRunner twice = doppler(spec);
    HostFrame expected;
    HostFrame found;
    for (int n = 0; n < 70; ++n) {
        expected = once.run(pulsesFrom(spec, echo, n));
        twice.run(pulsesFrom(spec, turningBy(-2.0), n));
        found = twice.runAgain(pulsesFrom(spec, echo, n));
    }
    EXPECT_EQ(found.bytes, expected.bytes);
    once.reset();
    EXPECT_EQ(std::ranges::max(once.run(pulsesFrom(spec, echo, 0)).as<float>()), -40.0F);
}

/// Baseline, angle, range and the filter's edge are those of the display: they act on lines that
/// are there already.
TEST(SpectralDoppler, EditsOfAShownFrameActOnTheWholePicture) {
    const FrameSpec spec = pulseSpec(5, 3);
    const StageType& type = stageType("spectral_doppler");
    const Echo echo = turningBy(2.0);
    const Settings lines{{"lines", kDopplerLines}};
    Settings changed = lines;
    changed.emplace_back("baseline", -0.25);
    changed.emplace_back("angle", 1.0);
    changed.emplace_back("range", 60.0);
    changed.emplace_back("wall_filter", 0.1);
    StageRunner edited(type, spec, paramsFor(type, spec, lines));
    StageRunner fresh(type, spec, paramsFor(type, spec, changed));
    for (int n = 0; n < 80; ++n) {
        edited.run(pulsesFrom(spec, echo, n));
        fresh.run(pulsesFrom(spec, echo, n));
    }
    edited.update(paramsFor(type, spec, changed));
    EXPECT_EQ(edited.runAgain(pulsesFrom(spec, echo, 79)).bytes,
              fresh.runAgain(pulsesFrom(spec, echo, 79)).bytes);
}

/// Pixel p of pulse n is n + 1 + 0.1 p + j: the gate's mean is known.
TEST(SpectralDoppler, PulsesAreTheMeanOverTheGateAndTheNewestIsLast) {
    constexpr std::int64_t kLaterals = 3;
    for (const std::int64_t together : {1, 5}) {
        const FrameSpec single = pulseSpec(20, kLaterals);
        const FrameSpec spec = together > 1 ? ensembleOf(single, together) : single;
        const double step = single.axes[0].spacing;
        StageRunner run = doppler(spec, {{"depth", single.axes[0].origin + 7 * step},
                                         {"lateral", single.axes[1].origin},
                                         {"length", 3 * step}});
        HostFrames made;
        constexpr std::int64_t kPulses = 15;
        for (std::int64_t n = 0; n < kPulses; n += together) {
            HostFrame frame(spec);
            auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
            for (std::int64_t i = 0; i < spec.count(); ++i)
                samples[i] = {static_cast<float>(n + i / single.count() + 1) +
                                  0.1F * static_cast<float>(i % single.count()),
                              1.0F};
            made = run.runAll({frame});
        }
        const HostFrame& pulses = made[3];
        ASSERT_EQ(pulses.spec.axes.size(), 1U);
        EXPECT_EQ(pulses.spec.axes[0].name, AxisName::SlowTime);
        EXPECT_DOUBLE_EQ(pulses.spec.axes[0].spacing, 1.0 / kPulsesPerS);
        const std::int64_t count = pulses.spec.count();
        const auto* values = reinterpret_cast<const std::complex<float>*>(pulses.bytes.data());
        for (std::int64_t n = 0; n < kPulses; ++n) {
            const std::complex<float> value = values[count - kPulses + n];
            EXPECT_NEAR(value.real(), n + 1 + 0.1 * 7 * kLaterals, 1e-4) << n;
            EXPECT_NEAR(value.imag(), 1.0, 1e-6);
        }
        EXPECT_EQ(values[count - kPulses - 1], std::complex<float>()) << "before the first one";
        EXPECT_EQ(values[0], std::complex<float>());
    }
}

TEST(SpectralDoppler, TheGateIsThatPlaceAloneAndStaysInTheImage) {
    const FrameSpec spec = pulseSpec(20, 5);
    const StageType& type = stageType("spectral_doppler");
    const auto rowsThatCount = [&](double depth, double lateral, double length) {
        std::vector<std::int64_t> rows;
        for (std::int64_t pixel = 0; pixel < spec.count(); ++pixel) {
            StageRunner run = doppler(spec, {{"depth", depth},
                                             {"lateral", lateral},
                                             {"length", length},
                                             {"hop", std::int64_t{1}},
                                             {"wall_filter", 0.0}});
            HostFrame frame(spec);
            frame.as<float>()[static_cast<std::size_t>(2 * pixel)] = 1.0F;
            if (std::ranges::max(run.run(frame).as<float>()) == 0.0F) rows.push_back(pixel);
        }
        return rows;
    };
    const double step = spec.axes[0].spacing;
    EXPECT_THAT(rowsThatCount(5e-3 + 7 * step, 0.2e-3, 3 * step), ElementsAre(33, 38, 43));
    EXPECT_THAT(rowsThatCount(0.9, -0.9, 2 * step), ElementsAre(90, 95));
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, {{"depth", 0.9}})).warnings,
                ElementsAre(HasSubstr("outside the image")));
    EXPECT_TRUE(type.plan(spec, paramsFor(type, spec, {})).warnings.empty());
}

TEST(SpectralDoppler, WithoutATimeBetweenFramesItGivesRadians) {
    const FrameSpec spec = pulseSpec(5, 3, 0.0);
    StageRunner run = doppler(spec, {{"angle", 1.0}});
    const HostFrames made = after(run, spec, turningBy(0.7), 96);
    EXPECT_EQ(made[0].spec.axes[0].unit, "rad");
    EXPECT_EQ(made[0].spec.axes[1].unit, "");
    EXPECT_NEAR(peakOf(made[0]), 0.7, binOf(made[0]));
    EXPECT_EQ(made[1].spec.valueRange->unit, "rad");
    EXPECT_THAT(run.plan().warnings, ElementsAre(HasSubstr("radians per frame")));
}

} // namespace
} // namespace echolux::test
