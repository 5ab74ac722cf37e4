// SPDX-License-Identifier: GPL-3.0-or-later
// The filter test against the same test by NumPy with other random numbers, and responses against
// closed forms.
#include "app/lab/filter_test.hpp"
#include "app/lab/read_response.hpp"
#include "gpu/stage/registry.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::test {
namespace {

using lab::Interpolator;
using Kind = DelayInterpolation;

constexpr double kOtherNumbers = 0.7; ///< dB between different random numbers

Interpolator lagrange(std::int64_t order) { return {{}, Kind::Lagrange, order + 1}; }
Interpolator linear() { return {{}, Kind::Linear}; }
Interpolator upsampled(int factor) { return {lab::Upsampling{.factor = factor}, Kind::Linear}; }

double levelAt(const Interpolator& interpolator, double frequency, double spread = 1.0,
               double noise = 0.0) {
    const std::vector<Interpolator> one{interpolator};
    return lab::signalToNoiseDb(one, {{frequency}, spread, noise})[0][0];
}

TEST(FilterTest, LinearAndLagrangeZigzagOverAWholeSampleOfDelays) {
    EXPECT_NEAR(levelAt(linear(), 0.2), 16.4, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(2), 0.2), 30.8, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(3), 0.2), 26.6, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(4), 0.2), 38.4, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(5), 0.2), 34.9, kOtherNumbers);
}

TEST(FilterTest, TheyRiseWithTheirOrderOverHalfASample) {
    EXPECT_NEAR(levelAt(linear(), 0.2, 0.5), 16.6, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(2), 0.2, 0.5), 22.4, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(3), 0.2, 0.5), 27.0, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(4), 0.2, 0.5), 31.1, kOtherNumbers);
    EXPECT_NEAR(levelAt(lagrange(5), 0.2, 0.5), 34.9, kOtherNumbers);
}

TEST(FilterTest, SincOvertakesLagrangeOfItsLengthAtAQuarterOfACycle) {
    const std::vector<Interpolator> both{lagrange(5), {{}, Kind::Sinc, 6}};
    const auto levels = lab::signalToNoiseDb(both, {{0.24, 0.25, 0.26, 0.30}});
    EXPECT_NEAR(levels[0][1], 25.5, kOtherNumbers);
    EXPECT_NEAR(levels[1][1], 24.9, kOtherNumbers);
    EXPECT_NEAR(levels[0][3], 17.9, kOtherNumbers);
    EXPECT_NEAR(levels[1][3], 22.5, kOtherNumbers);
    const double before = levels[0][1] - levels[1][1];
    const double after = levels[0][2] - levels[1][2];
    EXPECT_NEAR(0.25 + 0.01 * before / (before - after), 0.255, 0.006);
}

TEST(FilterTest, UpsamplingByThreeReachesWhatItsFilterDoes) {
    EXPECT_NEAR(levelAt(upsampled(2), 0.2), 29.3, kOtherNumbers);
    EXPECT_NEAR(levelAt(upsampled(3), 0.2), 38.2, kOtherNumbers);
    EXPECT_NEAR(levelAt(upsampled(4), 0.2), 37.0, kOtherNumbers);
    EXPECT_NEAR(levelAt({{}, Kind::Sinc, 11}, 0.2), 37.4, kOtherNumbers);
}

TEST(FilterTest, LeastSquaresIsBestOfItsLength) {
    for (const double f : {0.1, 0.2, 0.3}) {
        const double squares = levelAt({{}, Kind::LeastSquares, 6}, f);
        EXPECT_GT(squares, levelAt(lagrange(5), f) + 3.0) << f;
        EXPECT_GT(squares, levelAt({{}, Kind::Sinc, 6}, f) + 3.0) << f;
    }
    EXPECT_NEAR(levelAt({{}, Kind::LeastSquares, 6}, 0.2), 53.1, 1.0);
}

/// Each of 16 copies has noise of the signal's power; their average a 16th of that, less what
/// linear interpolation takes away.
TEST(FilterTest, NoiseIsAveragedOverTheCopies) {
    const double nearest = levelAt({{}, Kind::Sinc, 15}, 0.1, 1.0, 1.0);
    EXPECT_NEAR(nearest, 10.0 * std::log10(16.0), 1.0);
}

TEST(FilterTest, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<Interpolator> one{linear()};
    EXPECT_THAT(lab::signalToNoiseDb(one, {{0.2}}, stop.get_token()), testing::IsEmpty());
}

TEST(ReadResponse, OfLinearIsItsClosedForm) {
    for (const double d : {0.25, 0.5, 0.8}) {
        const lab::ReadResponse response = lab::readResponse(linear(), d, {}, 50);
        for (std::size_t i = 0; i < response.frequencies.size(); ++i) {
            const double w = 2.0 * std::numbers::pi * response.frequencies[i];
            const double re = 1.0 - d + d * std::cos(w);
            const double im = d * std::sin(w);
            if (std::hypot(re, im) < 1e-3) continue; // 0 at half the sampling frequency
            EXPECT_NEAR(response.magnitudeDb[i], 20.0 * std::log10(std::hypot(re, im)), 1e-3);
            EXPECT_NEAR(response.delay[i], std::atan2(im, re) / w, 1e-4);
        }
    }
}

TEST(ReadResponse, OfEvenLengthsHalfwayHasTheIdealDelay) {
    for (const std::int64_t taps : {4, 6}) {
        const lab::ReadResponse even = lab::readResponse({{}, Kind::Sinc, taps}, 0.5, {}, 50);
        for (std::size_t i = 0; i + 1 < even.delay.size(); ++i)
            EXPECT_NEAR(even.delay[i], 0.5, 1e-4) << even.frequencies[i];
    }
    const lab::ReadResponse odd = lab::readResponse(lagrange(2), 0.5, {}, 50);
    EXPECT_GT(std::abs(odd.delay[40] - 0.5), 0.05);
}

TEST(Interpolators, AreNamedAndTellThemselvesApart) {
    EXPECT_EQ(lagrange(5).id(), "lagrange_5");
    EXPECT_EQ(upsampled(3).id(), "upsample_3_sinc_11_linear");
    EXPECT_EQ(upsampled(3).label(), "x3 sinc 11, linear");
    const auto all = lab::comparedInterpolators();
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i].id(), all[j].id());
    }
    Params params(stageTypeWith(Role::Beamforms).table);
    EXPECT_EQ(lab::interpolatorOf(params, lab::Upsampling{.factor = 4}), upsampled(4));
    params.as<BeamformParams>().interpolation = Kind::Lagrange;
    params.as<BeamformParams>().lagrangeOrder = 4;
    EXPECT_EQ(lab::interpolatorOf(params, {}), lagrange(4));
    EXPECT_FALSE(lab::interpolatorOf(Params(stageTypeWith(Role::Upsamples).table), {}));
}

TEST(ReadTaps, AreTheWeightsOfTheSamples) {
    const auto two = lab::readResponse(linear(), 0.3, {}).taps;
    ASSERT_EQ(two.size(), 2U);
    EXPECT_EQ(two[0].offset, 0);
    EXPECT_NEAR(two[0].weight, 0.7, 1e-5);
    EXPECT_EQ(two[1].offset, 1);
    EXPECT_NEAR(two[1].weight, 0.3, 1e-5);
    // Gronvold 2008, figure 2.7: h[n] = sinc(n - D).
    const auto sinc = lab::readResponse({{}, Kind::Sinc, 8}, 0.3, {}).taps;
    ASSERT_EQ(sinc.size(), 8U);
    for (const lab::Tap& tap : sinc) {
        const double turn = std::numbers::pi * (tap.offset - 0.3);
        EXPECT_NEAR(tap.weight, std::sin(turn) / turn, 1e-5) << tap.offset;
    }
    EXPECT_EQ(sinc.front().offset, -3);
    EXPECT_EQ(lab::readResponse({{}, Kind::Sinc, 8}, 0.0, {}).taps.size(), 1U); // the sample itself
}

// Linear between samples n and n + 1: 1 - d + d exp(i w).
TEST(ResponseFamily, HasTheClosedFormAtEachFraction) {
    const auto family = lab::responseFamily(linear(), {});
    ASSERT_EQ(family.size(), 9U);
    for (std::size_t k = 0; k < family.size(); ++k) {
        const double d = static_cast<double>(k) / 8.0;
        EXPECT_DOUBLE_EQ(family[k].fraction, d);
        ASSERT_EQ(family[k].frequencies.size(), 100U);
        for (std::size_t i = 0; i + 1 < 100U; ++i) {
            const double w = 2.0 * std::numbers::pi * family[k].frequencies[i];
            const std::complex<double> gain = 1.0 - d + std::polar(d, w);
            EXPECT_NEAR(family[k].magnitudeDb[i], 20.0 * std::log10(std::abs(gain)), 2e-3);
            EXPECT_NEAR(family[k].delay[i], std::arg(gain) / w, 1e-4);
        }
    }
}

} // namespace
} // namespace echolux::test
