// SPDX-License-Identifier: GPL-3.0-or-later
// Pulses as sound, against closed forms: tones, the response of a Butterworth filter.
#include "app/sound/doppler_sound.hpp"
#include "app/sound/loudness.hpp"
#include "gpu/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

namespace echolux {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

std::vector<Complex> tone(double hz, double rateHz, std::int64_t count, double still = 0.0) {
    std::vector<Complex> pulses;
    for (std::int64_t n = 0; n < count; ++n) {
        const auto value = std::polar(1.0, kTurn * hz / rateHz * static_cast<double>(n)) + still;
        pulses.push_back({static_cast<float>(value.real()), static_cast<float>(value.imag())});
    }
    return pulses;
}

std::vector<StereoSample> soundOf(const DopplerSoundSetup& setup, std::span<const Complex> pulses,
                                  std::size_t piece = 1000000) {
    DopplerSound sound(setup);
    std::vector<StereoSample> samples;
    for (std::size_t at = 0; at < pulses.size(); at += piece)
        sound.add(pulses.subspan(at, std::min(piece, pulses.size() - at)), samples);
    sound.finish(samples);
    return samples;
}

/// The middle half, where the ends of the pulses have no effect.
std::span<const StereoSample> middle(const std::vector<StereoSample>& sound) {
    return std::span(sound).subspan(sound.size() / 4, sound.size() / 2);
}

/// Amplitude of the part of that frequency.
double amplitudeAt(double hz, double rateHz, const std::vector<StereoSample>& sound,
                   float StereoSample::*side) {
    std::complex<double> sum;
    double weights = 0.0;
    const auto part = middle(sound);
    for (std::size_t k = 0; k < part.size(); ++k) {
        const double place = (static_cast<double>(k) + 0.5) / static_cast<double>(part.size());
        const double hann = 1.0 - std::cos(kTurn * place);
        const double phase = -kTurn * hz / rateHz * static_cast<double>(k);
        sum += hann * static_cast<double>(part[k].*side) * std::polar(1.0, phase);
        weights += hann;
    }
    return 2.0 * std::abs(sum) / weights;
}

double rms(const std::vector<StereoSample>& sound, float StereoSample::*side) {
    double sum = 0.0;
    for (const StereoSample& each : middle(sound)) sum += std::pow(each.*side, 2.0);
    return std::sqrt(sum / static_cast<double>(middle(sound).size()));
}

TEST(DopplerSound, AToneIsInOneChannelAtItsFrequencyAndAmplitude) {
    for (const double rateHz : {1000.0, 4000.0, 3333.3, 15000.0})
        for (const double share : {0.03, 0.11, 0.25, 0.4, 0.47})
            for (const int sign : {1, -1}) {
                const DopplerSoundSetup setup{.pulseRateHz = rateHz};
                const double hz = share * rateHz;
                const auto sound = soundOf(setup, tone(sign * hz, rateHz, 2000));
                const auto loud = sign > 0 ? &StereoSample::left : &StereoSample::right;
                const auto still = sign > 0 ? &StereoSample::right : &StereoSample::left;
                EXPECT_NEAR(amplitudeAt(hz, setup.rateHz, sound, loud), 1.0, 2e-3)
                    << rateHz << " " << share;
                // All of it: there is no other tone.
                EXPECT_NEAR(rms(sound, loud), std::sqrt(0.5), 2e-3) << rateHz << " " << share;
                EXPECT_LT(20.0 * std::log10(rms(sound, still) / rms(sound, loud)), -60.0)
                    << rateHz << " " << share;
            }
}

TEST(DopplerSound, SamplesLieOnTheToneItself) {
    const DopplerSoundSetup setup{.pulseRateHz = 4000.0};
    const auto sound = soundOf(setup, tone(700.0, 4000.0, 4000));
    ASSERT_EQ(sound.size(), 48000U) << "a second";
    for (std::size_t k = 12000; k < 36000; ++k)
        ASSERT_NEAR(sound[k].left, std::cos(kTurn * 700.0 * static_cast<double>(k) / 48000.0), 2e-3)
            << k;
}

TEST(DopplerSound, PiecesGiveTheSameSoundAndInvertExchangesTheChannels) {
    DopplerSoundSetup setup{.pulseRateHz = 2500.0, .wallHz = 60.0};
    const auto pulses = tone(400.0, 2500.0, 3000, 5.0);
    const auto whole = soundOf(setup, pulses);
    const auto pieces = soundOf(setup, pulses, 7);
    setup.inverted = true;
    const auto inverted = soundOf(setup, pulses);
    ASSERT_EQ(whole.size(), pieces.size());
    for (std::size_t k = 0; k < whole.size(); ++k) {
        ASSERT_EQ(whole[k].left, pieces[k].left);
        ASSERT_EQ(whole[k].left, inverted[k].right);
        ASSERT_EQ(whole[k].right, inverted[k].left);
    }
}

TEST(DopplerSound, FrequenciesThatTheSoundCannotHoldAreLeftOut) {
    const DopplerSoundSetup setup{.pulseRateHz = 20000.0, .rateHz = 8000.0};
    EXPECT_LT(rms(soundOf(setup, tone(5000.0, 20000.0, 20000)), &StereoSample::left), 1e-3);
    EXPECT_NEAR(rms(soundOf(setup, tone(3000.0, 20000.0, 20000)), &StereoSample::left),
                std::sqrt(0.5), 2e-3);
}

TEST(DopplerSound, TheWallFilterIsAButterworthOfOrderFour) {
    constexpr double kRateHz = 4000.0;
    constexpr double kWallHz = 200.0;
    const DopplerSoundSetup setup{.pulseRateHz = kRateHz, .wallHz = kWallHz};
    for (const double hz : {150.0, 200.0, 300.0, 800.0}) {
        const auto warped = [](double each) { return std::tan(std::numbers::pi * each / kRateHz); };
        const double expected = 1.0 / std::sqrt(1.0 + std::pow(warped(kWallHz) / warped(hz), 8.0));
        const auto sound = soundOf(setup, tone(-hz, kRateHz, 8000));
        EXPECT_NEAR(amplitudeAt(hz, setup.rateHz, sound, &StereoSample::right), expected, 3e-3)
            << hz;
    }
}

TEST(DopplerSound, WhatStandsStillIsSilentFromTheFirstPulse) {
    const DopplerSoundSetup setup{.pulseRateHz = 4000.0, .wallHz = 100.0};
    for (const StereoSample& each : soundOf(setup, tone(0.0, 4000.0, 1000, 1e4))) {
        EXPECT_NEAR(each.left, 0.0, 1e-5 * 1e4);
        EXPECT_NEAR(each.right, 0.0, 1e-5 * 1e4);
    }
}

TEST(DopplerSound, PulsesThatAreNotFiniteCountAsZero) {
    auto pulses = tone(300.0, 4000.0, 500);
    pulses[200] = {NAN, INFINITY};
    for (const StereoSample& each : soundOf({.pulseRateHz = 4000.0}, pulses))
        ASSERT_TRUE(std::isfinite(each.left) && std::isfinite(each.right));
}

TEST(DopplerSound, AnUnknownRateIsRefused) {
    EXPECT_THROW(DopplerSound({.pulseRateHz = 0.0}), Error);
    EXPECT_THROW(DopplerSound({.pulseRateHz = NAN}), Error);
}

TEST(Loudness, PiecesEndAtThePeakAndSilenceStaysSilence) {
    Loudness loudness(48000.0);
    std::vector<StereoSample> silence(10);
    loudness.level(silence);
    EXPECT_EQ(silence[3].left, 0.0F);
    std::vector<StereoSample> faint(1000, {1e-6F, -2e-6F});
    loudness.level(faint);
    EXPECT_FLOAT_EQ(faint[5].right, -Loudness::kPeak);
    std::vector<StereoSample> loud(1000, {2.0F, 0.0F});
    loudness.level(loud);
    EXPECT_FLOAT_EQ(loud[5].left, Loudness::kPeak);
    std::vector<StereoSample> again(1000, {1.0F, 0.0F});
    loudness.level(again);
    EXPECT_NEAR(again[5].left, 0.5F * Loudness::kPeak, 0.02F) << "it rises slowly";
}

} // namespace
} // namespace echolux
