// SPDX-License-Identifier: GPL-3.0-or-later
// Fractional-delay filters and upsample against NumPy, and what a frame says of itself afterwards.
#include "gpu/dsp/fractional_delay.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

const Vectors& vectors() {
    static const Vectors kVectors("gpu/vectors/fractional_delay.txt");
    return kVectors;
}

struct DesignCase {
    FractionalDesign design;
    const char* name;
    const char* suffix = "";
    EchoBand band = {};
    double tolerance = 1e-6;
};

class FractionalDelayDesigns : public testing::TestWithParam<DesignCase> {};

TEST_P(FractionalDelayDesigns, AgreeWithNumpy) {
    const DesignCase& at = GetParam();
    for (const std::int64_t taps : {2, 4, 7, 11, 16}) {
        const auto middle = static_cast<double>((taps - 1) / 2);
        const FractionalDelay delay(at.design, taps, at.band);
        std::vector<float> made;
        for (const double u :
             {middle, middle + 0.25, middle + 0.5, taps % 2 == 0 ? middle + 0.8 : middle - 0.3}) {
            for (const double tap : delay.tapsAt(u)) made.push_back(static_cast<float>(tap));
        }
        SCOPED_TRACE(taps);
        const std::string name = std::string(at.name) + "_" + std::to_string(taps) + at.suffix;
        expectNear(made, vectors()[name], at.tolerance);
    }
}

constexpr auto kSinc = FractionalDesign::Sinc;
constexpr auto kLagrange = FractionalDesign::Lagrange;
constexpr auto kLeastSquares = FractionalDesign::LeastSquares;

// The grid of the vectors' equations is finite: least squares differs a little.
INSTANTIATE_TEST_SUITE_P(
    All, FractionalDelayDesigns,
    testing::Values(DesignCase{kSinc, "sinc"}, DesignCase{kLagrange, "lagrange"},
                    DesignCase{kLeastSquares, "least_squares", "_rf", {0.25, 0.15}, 2e-4},
                    DesignCase{kLeastSquares, "least_squares", "_iq", {0.0, 0.3}, 2e-4},
                    DesignCase{kLeastSquares, "least_squares", "_wide", {0.4, 0.5}, 2e-4}),
    [](const auto& one) { return std::string(one.param.name) + one.param.suffix; });

TEST(FractionalDelay, OfAWhiteSpectrumLeastSquaresIsTheTruncatedSinc) {
    // So narrow a time of correlation that only the white echoes relate neighbouring samples.
    const FractionalDelay squares(kLeastSquares, 8, {0.1, 40.0});
    const FractionalDelay sinc(kSinc, 8, {});
    for (std::size_t n = 0; n < 8; ++n)
        EXPECT_NEAR(squares.tapsAt(3.4)[n] * 1e6, sinc.tapsAt(3.4)[n], 1e-5) << n;
}

TEST(FractionalDelay, BeginsAsCentredAsCanBe) {
    EXPECT_EQ(firstTap(2, 5.9), 5);
    EXPECT_EQ(firstTap(4, 5.0), 4);
    EXPECT_EQ(firstTap(3, 5.4), 4);
    EXPECT_EQ(firstTap(3, 5.5), 5);
    EXPECT_EQ(firstTap(11, -0.25), -5);
}

TEST(EchoBand, LiesWhereTheSamplesHaveIt) {
    FrameSpec spec = channelSpec(1, 1, 8, 20e6, 5e6);
    EXPECT_NEAR(echoBand(spec, 0.6).centre, 0.25, 1e-12);
    EXPECT_NEAR(echoBand(spec, 0.6).width, 0.15, 1e-12);
    spec.demodulationFrequencyHz = 4e6;
    EXPECT_NEAR(echoBand(spec, 0.6).centre, 0.05, 1e-12);
    const FrameSpec folded = channelSpec(1, 1, 8, 20e6 / 3.0, 5e6);
    EXPECT_NEAR(echoBand(folded, 0.6).centre, 0.25, 1e-9);
    EXPECT_NEAR(echoBand(folded, 0.6).width, 0.45, 1e-9);
}

Settings upsampling(std::int64_t factor, const char* design, std::int64_t taps) {
    return {
        {"factor", factor}, {"design", std::string(design)}, {"taps", taps}, {"bandwidth", 0.6}};
}

struct UpsampleCase {
    std::int64_t factor;
    const char* design;
    std::int64_t taps;
    double tolerance = 3e-6;
};

class UpsampleOfRf : public testing::TestWithParam<UpsampleCase> {};

TEST_P(UpsampleOfRf, AgreesWithNumpy) {
    const UpsampleCase& at = GetParam();
    const HostFrame out = runStage("upsample", HostFrame(channelSpec(2, 3, 41), vectors()["rf"]),
                                   upsampling(at.factor, at.design, at.taps));
    const std::string name = std::string("rf_") + at.design + "_" + std::to_string(at.taps) + "_x" +
                             std::to_string(at.factor);
    expectNear(out.as<float>(), vectors()[name], at.tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, UpsampleOfRf,
                         testing::Values(UpsampleCase{2, "sinc", 11}, UpsampleCase{3, "sinc", 11},
                                         UpsampleCase{4, "sinc", 11}, UpsampleCase{4, "sinc", 6},
                                         UpsampleCase{3, "lagrange", 4},
                                         UpsampleCase{4, "lagrange", 31, 1e-5},
                                         UpsampleCase{4, "least_squares", 11, 5e-4},
                                         UpsampleCase{2, "least_squares", 8, 5e-4}),
                         [](const auto& one) {
                             return std::string(one.param.design) + "_" +
                                    std::to_string(one.param.taps) + "_x" +
                                    std::to_string(one.param.factor);
                         });

TEST(Upsample, TakesComplexSamplesInTheirBand) {
    FrameSpec spec = channelSpec(2, 1, 29);
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = spec.centreFrequencyHz;
    const HostFrame out =
        runStage("upsample", HostFrame(spec, vectors()["iq"]), upsampling(4, "least_squares", 11));
    expectNear(out.as<float>(), vectors()["iq_least_squares_11_x4"], 5e-4);
    EXPECT_EQ(out.spec.demodulationFrequencyHz, spec.demodulationFrequencyHz);
}

TEST(Upsample, KeepsTheSamplesAndTheirTimes) {
    const FrameSpec spec = channelSpec(2, 3, 41);
    const HostFrame in(spec, vectors()["rf"]);
    for (const std::int64_t factor : {2, 3, 4}) {
        const HostFrame out = runStage("upsample", in, {{"factor", factor}});
        EXPECT_EQ(out.spec.sizeOf(AxisName::Sample), 41 * factor);
        EXPECT_NEAR(out.spec.samplingFrequencyHz(),
                    spec.samplingFrequencyHz() * static_cast<double>(factor), 1e-3);
        EXPECT_EQ(out.spec.axes.back().origin, spec.axes.back().origin);
        const auto step = static_cast<std::size_t>(factor);
        for (std::size_t n = 0; n < in.as<float>().size(); ++n)
            ASSERT_EQ(out.as<float>()[n * step], in.as<float>()[n]) << factor;
    }
}

/// Echoes of 60 % bandwidth at a fifth of the sampling frequency, between whose samples an 11-tap
/// sinc comes within 4 %, least squares within 0.1 %.
TEST(Upsample, ReadsAPulseBetweenItsSamples) {
    constexpr double kCycles = 0.2;
    const auto pulse = [](double t) {
        const double s = std::sqrt(2.0 * std::numbers::ln2) / (std::numbers::pi * 0.6 * kCycles);
        return std::exp(-0.5 * t * t / (s * s)) * std::cos(2.0 * std::numbers::pi * kCycles * t);
    };
    std::vector<float> samples;
    for (int n = 0; n < 80; ++n) samples.push_back(static_cast<float>(pulse(n - 40.3)));
    const HostFrame in(channelSpec(1, 1, 80, 20e6, kCycles * 20e6), samples);
    const auto worst = [&](const char* design) {
        const HostFrame out = runStage("upsample", in, upsampling(4, design, 11));
        double most = 0.0;
        for (std::size_t i = 0; i < out.as<float>().size(); ++i) {
            const double wanted = pulse(0.25 * static_cast<double>(i) - 40.3);
            most = std::max(most, std::abs(static_cast<double>(out.as<float>()[i]) - wanted));
        }
        return most;
    };
    EXPECT_LT(worst("sinc"), 0.05);
    EXPECT_GT(worst("sinc"), 0.01);
    EXPECT_LT(worst("least_squares"), 1e-3);
}

TEST(Upsample, RefusesWhatHasNoSamplesOverTime) {
    EXPECT_THAT(testing_support::refusal([] {
                    const FrameSpec image = imageSpec(8, 4);
                    runStage("upsample", HostFrame(image), {});
                }),
                testing::HasSubstr("'upsample' works along samples over time"));
}

} // namespace
} // namespace echolux::test
