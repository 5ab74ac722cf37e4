// SPDX-License-Identifier: GPL-3.0-or-later
// Pulses, second harmonic and chirps against closed forms.
#include "app/source/echo_simulator.hpp"

#include "app/source/array_design.hpp"
#include "app/source/transmit_design.hpp"
#include "gpu/core/error.hpp"
#include "tests/source/point_echoes.hpp"
#include "tests/source/signal_tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux {

namespace {

using test::apart;
using test::kSpeed;
using test::mostOf;
using test::pointAt;
using test::traceOf;
using testing::HasSubstr;

constexpr double kFc = 5e6;
constexpr double kPart = 0.1;
/// Before the array's middle and at half the depth: there the part of the harmonic counts.
constexpr Point kReference{0.0, 0.0, 12.5e-3};

/// One element whose spectra at fc and 2 fc lie well apart.
EchoSetup oneElement(PulseSequence pulses, double part = kPart) {
    EchoSetup setup = test::setupOf(linearProbe(1, {}));
    setup.fractionalBandwidth = 0.3;
    setup.samplingHz = 40e6;
    setup.acquisition.transmits = {test::single(setup.acquisition.probe, 0)};
    setup.excitation = {.pulses = pulses, .harmonicPart = part};
    return setup;
}

std::vector<double> weighted(EchoSimulator& simulator, const std::vector<double>& weights) {
    std::vector<double> sum(traceOf(simulator, 0).size(), 0.0);
    for (std::size_t t = 0; t < weights.size(); ++t) {
        const std::vector<double> trace = traceOf(simulator, static_cast<std::int64_t>(t));
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[t] * trace[i];
    }
    return sum;
}

std::complex<double> spectrumOf(const EchoSimulator& simulator, const std::vector<double>& trace,
                                double frequencyHz) {
    return test::spectrumAt(trace, frequencyHz, simulator.setup().samplingHz);
}

double envelopeAt(const EchoSimulator& simulator, const std::vector<double>& trace,
                  double seconds) {
    const double first = simulator.frame().acquisition->transmits.front().firstSampleS;
    return test::Analytic(trace).envelope((seconds - first) * simulator.setup().samplingHz);
}

constexpr double kQuiet = 1e-3; // -60 dB

/// The echo of `pointAt(kReference)`: sqrt(10 / 12.5) each way.
constexpr double kFundamental = 0.8;
constexpr double kSeconds = 2.0 * kReference.z / kSpeed;

TEST(PulsedEchoes, invertedPulsesTellHarmonicFromFundamental) {
    EchoSimulator simulator(oneElement(PulseSequence::Inverted), pointAt(kReference));
    ASSERT_EQ(simulator.frame().sizeOf(AxisName::Transmit), 2);
    const auto sum = weighted(simulator, {0.5, 0.5});
    const auto difference = weighted(simulator, {0.5, -0.5});
    const double fundamental = std::abs(spectrumOf(simulator, traceOf(simulator, 0), kFc));
    EXPECT_LT(std::abs(spectrumOf(simulator, sum, kFc)), kQuiet * fundamental);
    EXPECT_NEAR(envelopeAt(simulator, sum, kSeconds), kPart * kFundamental, 1e-4);
    const double harmonic = std::abs(spectrumOf(simulator, sum, 2.0 * kFc));
    EXPECT_LT(std::abs(spectrumOf(simulator, difference, 2.0 * kFc)), kQuiet * harmonic);
    EXPECT_LT(std::abs(spectrumOf(simulator, sum, 0.1e6)), kQuiet * harmonic) << "no part at 0 Hz";
    EchoSimulator linear(oneElement(PulseSequence::One, 0.0), pointAt(kReference));
    const auto alone = traceOf(linear, 0);
    for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_NEAR(difference[i], alone[i], 1e-12);
}

/// The square of a Gaussian of standard deviation s in time has s / sqrt(2), and no other carrier.
TEST(PulsedEchoes, theHarmonicIsTheSquareOfThePulse) {
    EchoSimulator simulator(oneElement(PulseSequence::Inverted), pointAt(kReference));
    const auto band = test::bandOf(weighted(simulator, {0.5, 0.5}), 40e6);
    EXPECT_NEAR(band.centreHz, 2.0 * kFc, 0.01e6);
    EXPECT_NEAR(band.widthHz, std::numbers::sqrt2 * 0.3 * kFc, 0.02e6);
}

TEST(PulsedEchoes, theHarmonicGrowsWithTheSquareOfThePulse) {
    EchoSimulator simulator(oneElement(PulseSequence::Amplitude), pointAt(kReference));
    ASSERT_EQ(simulator.frame().sizeOf(AxisName::Transmit), 3);
    // 1/4 + 1/4 - 1: half a harmonic is left, and no fundamental.
    const auto left = weighted(simulator, {-1.0, 1.0, -1.0});
    const double fundamental = std::abs(spectrumOf(simulator, traceOf(simulator, 1), kFc));
    EXPECT_LT(std::abs(spectrumOf(simulator, left, kFc)), kQuiet * fundamental);
    EXPECT_NEAR(envelopeAt(simulator, left, kSeconds), 0.5 * kPart * kFundamental, 1e-4);
    EXPECT_NEAR(envelopeAt(simulator, weighted(simulator, {4.0, -1.0}), kSeconds), kFundamental,
                2e-4);
}

TEST(PulsedEchoes, phasesTurnTheHarmonicTwice) {
    EchoSimulator simulator(oneElement(PulseSequence::Three), pointAt(kReference));
    const auto first = traceOf(simulator, 0);
    for (const std::int64_t t : {1, 2}) {
        const double phase = 2.0 * std::numbers::pi * double(t) / 3.0;
        const auto trace = traceOf(simulator, t);
        for (const double order : {1.0, 2.0}) {
            const auto ratio = spectrumOf(simulator, trace, order * kFc) /
                               spectrumOf(simulator, first, order * kFc);
            EXPECT_NEAR(std::abs(ratio - std::polar(1.0, order * phase)), 0.0, 1e-3) << order;
        }
    }
    EXPECT_LT(mostOf(weighted(simulator, {1.0, 1.0, 1.0})), 1e-12);
}

/// At the point where two elements focus, the field is twice that of one of them.
TEST(PulsedEchoes, theHarmonicIsTheSquareOfTheSummedField) {
    const Probe probe = linearProbe(2, {});
    EchoSetup setup = test::setupOf(probe);
    setup.samplingHz = 40e6;
    setup.excitation = {.pulses = PulseSequence::Inverted, .harmonicPart = kPart};
    Transmit both = steeredLine(probe, 0.0, kReference.z, ApertureWindow::Rectangular);
    Transmit one = both;
    one.apodization = {1.0F, 0.0F};
    setup.acquisition.transmits = {both, one};
    EchoSimulator simulator(setup, pointAt(kReference));
    const auto envelopeOf = [&](std::vector<double> weights) {
        return envelopeAt(simulator, weighted(simulator, weights),
                          kReference.z / kSpeed + apart(kReference, probe.elements[0]) / kSpeed);
    };
    const double two = envelopeOf({0.5, 0.5});
    EXPECT_NEAR(envelopeOf({0.0, 0.0, 0.5, 0.5}) / two, 0.25, 1e-4);
    EXPECT_NEAR(two / envelopeOf({0.5, -0.5}), kPart, 1e-3 * kPart)
        << "the part counts where both add up";
    Phantom weak = pointAt(kReference);
    weak.still.front().amplitude = -0.5;
    EchoSimulator inverse(setup, weak);
    const auto strong = traceOf(simulator, 0);
    const auto other = traceOf(inverse, 0);
    for (std::size_t i = 0; i < strong.size(); ++i)
        ASSERT_NEAR(other[i], -0.5 * strong[i], 1e-12) << "linear in the scatterer";
}

TEST(PulsedEchoes, theHarmonicIsAttenuatedAtItsFrequency) {
    const Probe probe = linearProbe(16, {});
    for (const Point& p : {Point{0.0, 0.0, 8e-3}, Point{2e-3, 0.0, 21e-3}}) {
        EchoSetup setup = test::setupOf(probe);
        setup.samplingHz = 40e6;
        setup.excitation = {.pulses = PulseSequence::Inverted, .harmonicPart = kPart};
        setup.acquisition.transmits = {test::single(probe, 2)};
        EchoSimulator without(setup, pointAt(p));
        setup.attenuationDbPerCmMhz = 0.5;
        EchoSimulator with(setup, pointAt(p));
        const auto sum = [](EchoSimulator& of) {
            auto a = traceOf(of, 0, 12);
            const auto b = traceOf(of, 1, 12);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
            return a;
        };
        const auto pure = sum(without);
        const auto weak = sum(with);
        const double there = 100.0 * apart(p, probe.elements[2]);
        const double back = 100.0 * apart(p, probe.elements[12]);
        // The way there attenuates both factors of the square, together as much as at 2 fc.
        for (const double f : {9e6, 10e6, 11e6}) {
            const double ratio =
                std::abs(spectrumOf(with, weak, f)) / std::abs(spectrumOf(without, pure, f));
            EXPECT_NEAR(20.0 * std::log10(ratio), -0.5 * (there + back) * f * 1e-6, 0.3) << f;
        }
    }
}

/// Magnitude of the correlation of the trace with the chirp at a time of flight.
double correlation(const EchoSimulator& simulator, const std::vector<double>& trace,
                   double seconds) {
    const EchoSetup& setup = simulator.setup();
    const double first = simulator.frame().acquisition->transmits.front().firstSampleS;
    std::complex<double> sum = 0.0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const double t = first + static_cast<double>(i) / setup.samplingHz - seconds;
        sum += trace[i] * std::conj(setup.excitation.chirp->at(t));
    }
    return std::abs(sum);
}

TEST(PulsedEchoes, aCorrelatedChirpPeaksAtTheTimeOfFlight) {
    for (const auto& [start, end] : {std::pair{3.5e6, 6.5e6}, std::pair{7e6, 3e6}}) {
        EchoSetup setup = oneElement(PulseSequence::One, 0.0);
        setup.fractionalBandwidth = 0.6;
        setup.samplingHz = 20e6;
        setup.excitation.chirp = Chirp{.startHz = start, .endHz = end, .lengthS = 8e-6};
        EchoSimulator simulator(setup, pointAt(kReference));
        const auto trace = traceOf(simulator, 0);
        double best = 0.0;
        double at = 0.0;
        for (int n = -300; n <= 300; ++n) {
            const double value = correlation(simulator, trace, kSeconds + n * 1e-9);
            if (value <= best) continue;
            best = value;
            at = n * 1e-9;
        }
        EXPECT_NEAR(at, 0.0, 2e-9);
        const double half = setup.pulse().halfLengthS();
        EXPECT_LT(envelopeAt(simulator, trace, kSeconds - half), 0.01);
        EXPECT_NEAR(envelopeAt(simulator, trace, kSeconds + 4e-6), kFundamental, 0.02)
            << "at its middle the chirp passes the centre of the band";
        EXPECT_LT(envelopeAt(simulator, trace, kSeconds + 8e-6 + half), 0.01);
    }
}

TEST(PulsedEchoes, chirpsAreFilteredAndAttenuated) {
    EchoSetup setup = oneElement(PulseSequence::One, 0.0);
    setup.excitation.chirp = Chirp{.startHz = 4e6, .endHz = 6e6, .lengthS = 8e-6};
    EchoSimulator without(setup, pointAt(kReference));
    setup.attenuationDbPerCmMhz = 0.7;
    EchoSimulator with(setup, pointAt(kReference));
    const auto pure = traceOf(without, 0);
    const auto weak = traceOf(with, 0);
    std::vector<double> sent;
    for (double t = 0.0; t <= 8e-6; t += 1.0 / setup.samplingHz)
        sent.push_back(setup.excitation.chirp->at(t).real());
    const double sigma = setup.pulse().sigmaHz();
    for (const double f : {4.5e6, 5e6, 5.5e6}) {
        const double band = std::exp(-std::pow((f - kFc) / sigma, 2.0) / 2.0);
        const double through = std::abs(spectrumOf(without, pure, f));
        EXPECT_NEAR(through / std::abs(spectrumOf(without, sent, f)) / kFundamental, band, 0.01)
            << f;
        EXPECT_NEAR(20.0 * std::log10(std::abs(spectrumOf(with, weak, f)) / through),
                    -0.7 * 200.0 * kReference.z * f * 1e-6, 0.2)
            << f;
    }
}

TEST(PulsedEchoes, chirpsHaveHarmonicsToo) {
    EchoSetup setup = oneElement(PulseSequence::Inverted);
    setup.excitation.chirp = Chirp{.startHz = 4.5e6, .endHz = 5.5e6, .lengthS = 8e-6};
    EchoSimulator simulator(setup, pointAt(kReference));
    const auto sum = weighted(simulator, {0.5, 0.5});
    const double fundamental = std::abs(spectrumOf(simulator, traceOf(simulator, 0), kFc));
    EXPECT_LT(std::abs(spectrumOf(simulator, sum, kFc)), kQuiet * fundamental);
    EXPECT_NEAR(envelopeAt(simulator, sum, kSeconds + 4e-6), kPart * kFundamental,
                0.05 * kPart * kFundamental);
}

TEST(PulsedEchoes, channelsFollowTheirPulses) {
    const Probe probe = linearProbe(6, {});
    EchoSetup setup = test::setupOf(probe);
    setup.channels = 2;
    for (const ActiveElements active : walk(6, 2, 2)) {
        setup.acquisition.transmits.push_back(
            focusedLine(probe, active, 12e-3, ApertureWindow::Rectangular));
        for (std::int32_t i = 0; i < 2; ++i)
            setup.acquisition.receiveElements.push_back(std::int32_t(active.first) + i);
    }
    setup.excitation.pulses = PulseSequence::Inverted;
    EchoSimulator simulator(setup, pointAt({1e-3, 0.0, 12e-3}));
    const Acquisition& acquisition = *simulator.frame().acquisition;
    EXPECT_EQ(acquisition.receiveElements, (std::vector<std::int32_t>{0, 1, 0, 1, 4, 5, 4, 5}));
    ASSERT_EQ(acquisition.transmits.size(), 4U);
    EXPECT_EQ(acquisition.transmits[2].source, acquisition.transmits[3].source);
    for (const std::int64_t t : {0, 2}) {
        const auto upright = traceOf(simulator, t, 1);
        const auto inverted = traceOf(simulator, t + 1, 1);
        EXPECT_GT(mostOf(upright), 0.1);
        for (std::size_t i = 0; i < upright.size(); ++i) ASSERT_EQ(upright[i], -inverted[i]);
    }
}

TEST(PulsedEchoes, refusesWhatItCannotSend) {
    const auto refusal = [](auto change) -> std::string {
        EchoSetup setup = oneElement(PulseSequence::Inverted);
        try {
            change(setup);
            checkSetup(setup);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    using S = EchoSetup;
    const auto chirp = [](double start, double end, double us) {
        return Chirp{.startHz = start * 1e6, .endHz = end * 1e6, .lengthS = us * 1e-6};
    };
    EXPECT_EQ(refusal([](S&) {}), "accepted");
    EXPECT_THAT(refusal([](S& s) { s.excitation.harmonicPart = 1.5; }), HasSubstr("--harmonic is"));
    EXPECT_THAT(refusal([](S& s) { s.excitation.harmonicPart = std::nan(""); }),
                HasSubstr("--harmonic"));
    EXPECT_THAT(refusal([](S& s) { s.samplingHz = 20e6; }), HasSubstr("second harmonic"));
    EXPECT_THAT(refusal([](S& s) { s.acquisition.transmits[0].wave = Wave::None; }),
                HasSubstr("nothing is sent"));
    EXPECT_THAT(refusal([&](S& s) { s.excitation.chirp = chirp(3, 25, 8); }),
                HasSubstr("--chirp is 25 MHz"));
    EXPECT_THAT(refusal([&](S& s) { s.excitation.chirp = chirp(8, 9, 8); }),
                HasSubstr("outside the band of the transducer, 4.25 to 5.75 MHz"));
    EXPECT_THAT(refusal([&](S& s) { s.excitation.chirp = chirp(4, 6, 200); }),
                HasSubstr("--chirp-length is 200 us"));
    EXPECT_THAT(refusal([&](S& s) { s.excitation.chirp = chirp(4, 6, 0); }),
                HasSubstr("--chirp-length is 0 us"));
    EXPECT_THAT(refusal([](S& s) { s.acquisition.transmits.resize(3000); }),
                HasSubstr("6000 transmits"));
}

} // namespace

} // namespace echolux
