// SPDX-License-Identifier: GPL-3.0-or-later
// refocus against records of single elements in closed form.
#include "gpu/core/firing.hpp"
#include "gpu/decoding/pseudo_inverse.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/gpu/coded_transmits.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

/// A record of each element that fires alone, as `made` is timed.
HostFrame firedAloneIn(const FrameSpec& made) {
    std::vector<Complex> values;
    for (std::size_t s = 0; s < kElements; ++s) {
        const Transmit& fired = made.acquisition->transmits[s];
        for (std::size_t r = 0; r < kElements; ++r)
            for (std::int64_t n = 0; n < made.axes[2].size; ++n)
                values.push_back(echoAt(made, s, r,
                                        static_cast<double>(n) / kSamplingHz + fired.firstSampleS,
                                        0.0, fired.iqPhaseZeroS));
    }
    return frameOf(made, values);
}

/// What the adjoint gives: each transmit, delayed back to each element, over the transmits.
HostFrame delayedBack(const FrameSpec& array, const FrameSpec& sent, const FrameSpec& made) {
    const auto& waves = sent.acquisition->transmits;
    const Acquisition& own = *array.acquisition;
    const auto delay = [&](const Transmit& wave, std::size_t e) {
        return idealDelay(wave, own.probe.elements[e], own.soundSpeedMps, own.steering);
    };
    std::vector<Complex> values;
    for (std::size_t s = 0; s < kElements; ++s) {
        for (std::size_t r = 0; r < kElements; ++r) {
            for (std::int64_t n = 0; n < made.axes[2].size; ++n) {
                const double t = static_cast<double>(n) / kSamplingHz +
                                 made.acquisition->transmits[s].firstSampleS;
                Complex sum;
                for (const Transmit& wave : waves)
                    for (std::size_t other = 0; other < kElements; ++other)
                        sum = sum + echoAt(array, other, r, t, delay(wave, other) - delay(wave, s),
                                           made.acquisition->transmits[s].iqPhaseZeroS);
                values.push_back((1.0F / static_cast<float>(waves.size())) * sum);
            }
        }
    }
    return frameOf(made, values);
}

Settings settingsOf(const char* method, double damping = 1e-6) {
    return {{"method", std::string(method)},
            {"damping", damping},
            {"lowest", 0.5e6},
            {"highest", 9.5e6}};
}

TEST(Refocus, TheInverseGivesBackWhatEachElementSent) {
    for (const bool mixed : {false, true}) {
        const FrameSpec array = fullMatrix(mixed);
        std::vector<Transmit> waves = variousWaves();
        for (Transmit& wave : waves) wave.iqPhaseZeroS = mixed ? 30e-9 + wave.firstSampleS : 0.0;
        const FrameSpec sent = sending(array, waves);
        const HostFrame out = runStage("refocus", sentTogether(array, sent), settingsOf("inverse"));
        ASSERT_EQ(out.spec.axes[0].size, kElements);
        EXPECT_GT(out.spec.axes[2].size, kEchoSamples);
        expectNear(out.as<float>(), firedAloneIn(out.spec).as<float>(), 1e-3);
    }
}

TEST(Refocus, TheAdjointDelaysBackAndAddsUp) {
    for (const bool mixed : {false, true}) {
        const FrameSpec array = fullMatrix(mixed);
        const FrameSpec sent = sending(array, variousWaves());
        const HostFrame out = runStage("refocus", sentTogether(array, sent), settingsOf("adjoint"));
        expectNear(out.as<float>(), delayedBack(array, sent, out.spec).as<float>(), 1e-3);
    }
}

/// A^T (A A^T)^-1 y: the solution of least energy, for a code A without delays.
TEST(Refocus, FewerTransmitsThanElementsGiveTheLeastSolution) {
    const FrameSpec array = fullMatrix(false);
    decoding::CodeMatrix code{5, kElements, {}};
    decoding::CodeMatrix turned{kElements, 5, std::vector<double>(5 * kElements)};
    for (std::size_t t = 0; t < 5; ++t) {
        for (std::size_t e = 0; e < static_cast<std::size_t>(kElements); ++e) {
            code.values.push_back(t == 4 && e > 3 ? 0.0 : decoding::hadamard(16).at(t, e));
            turned.at(e, t) = code.values.back();
        }
    }
    const HostFrame sent = sentTogether(array, sendingCode(array, code));
    const HostFrame out = runStage("refocus", sent, settingsOf("inverse", 1e-9));
    const decoding::CodeMatrix inverse = decoding::pseudoInverse(turned).matrix;
    const auto record = static_cast<std::size_t>(kElements * kEchoSamples);
    std::vector<float> expected(kElements * record);
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t t = 0; t < 5; ++t)
            expected[i] += static_cast<float>(inverse.at(t, i / record)) *
                           sent.as<float>()[t * record + i % record];
    expectNear(out.as<float>(), expected, 1e-3);
}

/// One transmit of all elements alike: x_e = y / (senders + damping T), with T = 1 the mean power
/// of an element.
TEST(Refocus, DampingIsAPartOfTheMeanPower) {
    const FrameSpec array = fullMatrix(false);
    const HostFrame sent = sentTogether(array, sending(array, std::vector<Transmit>(1)));
    const HostFrame out = runStage("refocus", sent, settingsOf("inverse", 0.5));
    std::vector<float> expected;
    for (std::size_t s = 0; s < static_cast<std::size_t>(kElements); ++s)
        for (const float value : sent.as<float>())
            expected.push_back(value / (static_cast<float>(kElements) + 0.5F));
    expectNear(out.as<float>(), expected, 1e-3);
}

TEST(Refocus, ElementsThatFireAloneStayAsTheyAre) {
    for (const char* method : {"adjoint", "inverse"}) {
        for (const bool mixed : {false, true}) {
            const FrameSpec array = fullMatrix(mixed);
            const HostFrame out =
                runStage("refocus", recorded(array, kNone), settingsOf(method, 1e-9));
            expectNear(out.as<float>(), firedAloneIn(out.spec).as<float>(), 1e-3);
        }
    }
}

/// Each transmit is heard by three channels, which walk along the array.
TEST(Refocus, ChannelsThatWalkBecomeElements) {
    const FrameSpec array = fullMatrix(false);
    HostFrame walking(array);
    walking.spec.axes[1].size = 3;
    auto acquisition = std::make_shared<Acquisition>(*array.acquisition);
    const HostFrame all = recorded(array, kNone);
    std::vector<float> values;
    for (std::int64_t t = 0; t < kElements; ++t) {
        for (std::int64_t c = 0; c < 3; ++c) {
            const std::int64_t element = (t + c) % kElements;
            acquisition->receiveElements.push_back(static_cast<std::int32_t>(element));
            const auto record = all.as<float>().subspan(
                static_cast<std::size_t>((t * kElements + element) * kEchoSamples), kEchoSamples);
            values.insert(values.end(), record.begin(), record.end());
        }
    }
    walking.spec.acquisition = acquisition;
    const HostFrame out =
        runStage("refocus", HostFrame(walking.spec, values), settingsOf("adjoint"));
    ASSERT_EQ(out.spec.axes[1].size, kElements);
    const HostFrame whole = firedAloneIn(out.spec);
    std::vector<float> expected(whole.as<float>().begin(), whole.as<float>().end());
    const auto length = static_cast<std::size_t>(out.spec.axes[2].size);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t sender = i / length / kElements;
        const std::size_t receiver = i / length % kElements;
        if ((receiver + kElements - sender) % kElements >= 3) expected[i] = 0.0F;
    }
    expectNear(out.as<float>(), expected, 1e-3);
    EXPECT_THAT(refusal([&] {
                    runStage("refocus", HostFrame(walking.spec, values), settingsOf("inverse"));
                }),
                HasSubstr("choose the method 'adjoint'"));
}

/// Elements whose code is -1 fire half a period later, which the recording does not tell.
TEST(Refocus, CodesOfDelaysAreNamed) {
    const FrameSpec array = fullMatrix(false);
    const FrameSpec sent = sending(array, std::vector<Transmit>(16));
    constexpr double kDelayS = 0.5 / kCentreHz;
    std::vector<Complex> values;
    for (std::size_t t = 0; t < 16; ++t) {
        for (std::size_t r = 0; r < kElements; ++r) {
            for (std::int64_t n = 0; n < kEchoSamples; ++n) {
                Complex sum;
                for (std::size_t e = 0; e < kElements; ++e)
                    sum = sum + echoAt(array, e, r, static_cast<double>(n) / kSamplingHz,
                                       decoding::hadamard(16).at(t, e) < 0.0 ? kDelayS : 0.0, 0.0);
                values.push_back(sum);
            }
        }
    }
    Settings settings = settingsOf("inverse", 1e-9);
    settings.emplace_back("code", std::string("hadamard_delays"));
    settings.emplace_back("code_delay", kDelayS);
    const HostFrame out = runStage("refocus", frameOf(sent, values), settings);
    expectNear(out.as<float>(), firedAloneIn(out.spec).as<float>(), 1e-3);
    EXPECT_THAT(refusal([&] {
                    runStage("refocus", HostFrame(sending(array, std::vector<Transmit>(12))),
                             settings);
                }),
                HasSubstr("a power of two of transmits"));
}

TEST(Refocus, RefusesWhatHasNoTimes) {
    const auto said = [](const FrameSpec& spec, double highestHz) {
        return refusal([&] {
            runStage("refocus", HostFrame(spec), {{"lowest", 6e6}, {"highest", highestHz}});
        });
    };
    const FrameSpec array = fullMatrix(false);
    EXPECT_THAT(said(array, 5e6), HasSubstr("widen the band"));
    std::vector<Transmit> waves(2);
    waves[0].wave = Wave::Diverging;
    waves[0].source = {5.0, 0.0, -1.0};
    waves[1].wave = Wave::Focused;
    waves[1].source = {5.0, 0.0, 1.0};
    FrameSpec slow = sending(array, waves);
    auto acquisition = std::make_shared<Acquisition>(*slow.acquisition);
    acquisition->soundSpeedMps = 1.0;
    slow.acquisition = acquisition;
    EXPECT_THAT(said(slow, 9e6), HasSubstr("speed of sound wrong"));
    for (Transmit& wave : waves) wave.wave = Wave::None;
    EXPECT_THAT(said(sending(array, waves), 9e6), HasSubstr("nothing is sent"));
    FrameSpec folded = array;
    folded.centreFrequencyHz = 12e6;
    EXPECT_THAT(said(folded, 9e6), HasSubstr("put 'analytic' before"));
    FrameSpec other = array;
    other.axes[0].size = 11;
    EXPECT_THAT(said(other, 9e6), HasSubstr("does not fit the frame"));
}

} // namespace
} // namespace echolux::test
