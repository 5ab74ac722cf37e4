// SPDX-License-Identifier: GPL-3.0-or-later
// How beamform reads between samples, against closed forms: one element above one column of pixels,
// so that a pixel is one read of the record.
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/dsp/fractional_delay.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

constexpr int kSamples = 64;

/// One element, one plane wave: the pixel at depth z reads the record at 2 z fs / c. Pixels are
/// 0.37 samples apart, from sample 10 to about 50.
HostFrame readBack(const std::function<double(double)>& signal, const Settings& settings) {
    Scan scan;
    scan.elements = 1;
    scan.samples = kSamples;
    std::vector<float> record;
    for (int n = 0; n < kSamples; ++n) record.push_back(static_cast<float>(signal(n)));
    const double perSample = scan.soundSpeedMps / scan.fsHz / 2.0;
    const Settings column{{"lateral_min", 0.0},
                          {"lateral_max", 1e-6},
                          {"pixel_lateral", 0.01},
                          {"depth_min", 10.0 * perSample},
                          {"depth_max", 50.0 * perSample},
                          {"pixel_depth", 0.37 * perSample},
                          {"f_number", 0.0}};
    return runStage("beamform", {specOf(scan, DType::F32), record}, with(column, settings));
}

double indexOf(std::size_t row) { return 10.0 + 0.37 * static_cast<double>(row); }

/// Over reads within `reach` samples of the middle.
double worstError(const HostFrame& read, const std::function<double(double)>& expected,
                  double reach = kSamples) {
    double worst = 0.0;
    for (std::size_t row = 0; row < read.as<float>().size(); ++row) {
        if (std::abs(indexOf(row) - 30.0) > reach) continue;
        worst = std::max(
            worst, std::abs(static_cast<double>(read.as<float>()[row]) - expected(indexOf(row))));
    }
    return worst;
}

Settings kind(const char* name) { return {{"interpolation", std::string(name)}}; }

Settings lagrange(std::int64_t order) {
    return with(kind("lagrange"), {{"lagrange_order", order}});
}

/// Cycles per sample.
std::function<double(double)> sinusoid(double frequency) {
    return [frequency](double n) { return std::cos(kTwoPi * frequency * n + 0.4); };
}

TEST(BeamformInterpolation, NearestTakesTheClosestSample) {
    const auto ramp = [](double n) { return n; };
    EXPECT_LT(
        worstError(readBack(ramp, kind("nearest")), [](double n) { return std::floor(n + 0.5); }),
        1e-5);
}

TEST(BeamformInterpolation, LinearErrorIsThatOfTheParabolaBound) {
    const double f = 0.1;
    const double bound = (kTwoPi * f) * (kTwoPi * f) / 8.0;
    const double worst = worstError(readBack(sinusoid(f), kind("linear")), sinusoid(f));
    EXPECT_LE(worst, bound);
    EXPECT_GT(worst, 0.8 * bound);
}

TEST(BeamformInterpolation, LagrangeOfOrderNIsExactForPolynomialsOfDegreeN) {
    for (std::int64_t order = 1; order <= 5; ++order) {
        const auto power = [order](double n) {
            return std::pow((n - 30.0) / 5.0, static_cast<double>(order));
        };
        const double worst = worstError(readBack(power, lagrange(order)), power, 6.0);
        EXPECT_LT(worst, 2e-5) << order;
        if (order == 1) continue;
        EXPECT_GT(worstError(readBack(power, lagrange(order - 1)), power, 6.0), 2e-4) << order;
    }
}

TEST(BeamformInterpolation, HigherOrdersComeCloserToASinusoid) {
    double before = 1.0;
    for (const std::int64_t order : {1, 3, 5}) {
        const double worst = worstError(readBack(sinusoid(0.15), lagrange(order)), sinusoid(0.15));
        EXPECT_LT(worst, 0.35 * before) << order;
        before = worst;
    }
}

/// The definition, in double precision. Odd lengths lie round the nearest sample.
double truncatedSinc(const std::function<double(double)>& signal, double at, int taps) {
    const int first = taps % 2 == 0 ? static_cast<int>(std::floor(at)) - taps / 2 + 1
                                    : static_cast<int>(std::floor(at + 0.5)) - taps / 2;
    double sum = 0.0;
    for (int n = first; n < first + taps; ++n) {
        const double x = std::numbers::pi * (at - n);
        sum += signal(n) * (std::abs(x) < 1e-9 ? 1.0 : std::sin(x) / x);
    }
    return sum;
}

TEST(BeamformInterpolation, SincIsItsDefinitionAndApproachesTheSinusoid) {
    const auto signal = sinusoid(0.2);
    for (const std::int64_t taps : {2, 3, 4, 7, 8, 11, 15, 16}) {
        const HostFrame read = readBack(signal, with(kind("sinc"), {{"sinc_taps", taps}}));
        EXPECT_LT(
            worstError(read,
                       [&](double n) { return truncatedSinc(signal, n, static_cast<int>(taps)); }),
            1e-4)
            << taps;
    }
    const HostFrame many = readBack(signal, with(kind("sinc"), {{"sinc_taps", std::int64_t{16}}}));
    EXPECT_LT(worstError(many, signal), 0.08);
}

TEST(BeamformInterpolation, TextureIsLinearToA256thOfASample) {
    const auto signal = sinusoid(0.2);
    const HostFrame read = readBack(signal, kind("texture"));
    const auto at256ths = [&](double n) {
        const double at = std::floor(256.0 * n + 0.5) / 256.0;
        const double f = at - std::floor(at);
        return (1.0 - f) * signal(std::floor(at)) + f * signal(std::floor(at) + 1.0);
    };
    EXPECT_LT(worstError(read, at256ths), 1e-5);
    const HostFrame linear = readBack(signal, kind("linear"));
    EXPECT_GT(worstError(linear, at256ths), 1e-4);
}

TEST(BeamformInterpolation, TextureRefusesFramesThatNoneHolds) {
    Scan scan;
    scan.elements = 256;
    scan.samples = 8;
    scan.transmits = std::vector<Transmit>(256);
    const FrameSpec spec = specOf(scan, DType::F32);
    BeamformParams params = das::defaultParams(spec);
    das::checkBeamformable(spec, params);
    params.interpolation = DelayInterpolation::Texture;
    EXPECT_THAT(testing_support::refusal([&] { das::checkBeamformable(spec, params); }),
                testing::HasSubstr("65536 of 8; set interpolation to linear."));
}

/// Filters at 128ths of a sample, against their design in double precision.
double leastSquares(const std::function<double(double)>& signal, double at, std::int64_t taps,
                    EchoBand band) {
    const double rounded = std::floor(128.0 * at + 0.5) / 128.0;
    const auto first = static_cast<double>(firstTap(taps, at));
    const std::vector<double> h =
        FractionalDelay(FractionalDesign::LeastSquares, taps, band).tapsAt(rounded - first);
    double sum = 0.0;
    for (std::size_t n = 0; n < h.size(); ++n) sum += h[n] * signal(first + static_cast<double>(n));
    return sum;
}

TEST(BeamformInterpolation, LeastSquaresReadsItsTable) {
    const auto signal = sinusoid(0.125); // the scan's centre frequency
    for (const std::int64_t taps : {4, 5, 8, 11, 16}) {
        const HostFrame read =
            readBack(signal, with(kind("least_squares"),
                                  {{"least_squares_taps", taps}, {"bandwidth", 0.8}}));
        const auto wanted = [&](double n) {
            return leastSquares(signal, n, taps, {0.125, 0.8 * 0.125});
        };
        EXPECT_LT(worstError(read, wanted), 2e-4) << taps;
    }
}

TEST(BeamformInterpolation, LeastSquaresIsBestWhereTheEchoesLie) {
    const auto signal = sinusoid(0.125);
    const Settings squares = with(kind("least_squares"), {{"least_squares_taps", std::int64_t{6}}});
    // What remains is the table's grid: a 256th of a sample is 0.3 % of the phase here.
    EXPECT_LT(worstError(readBack(signal, squares), signal), 5e-3);
    EXPECT_GT(
        worstError(readBack(signal, with(kind("sinc"), {{"sinc_taps", std::int64_t{6}}})), signal),
        2e-2);
}

TEST(BeamformInterpolation, OutsideTheRecordIsZero) {
    const auto one = [](double) { return 1.0; };
    Scan scan;
    scan.elements = 1;
    scan.samples = kSamples;
    const double perSample = scan.soundSpeedMps / scan.fsHz / 2.0;
    const Settings beyond{{"lateral_min", 0.0},
                          {"lateral_max", 1e-6},
                          {"pixel_lateral", 0.01},
                          {"depth_min", (kSamples + 17.0) * perSample},
                          {"depth_max", (kSamples + 40.0) * perSample},
                          {"pixel_depth", 0.37 * perSample},
                          {"f_number", 0.0}};
    const HostFrame frame(specOf(scan, DType::F32), std::vector<float>(kSamples, 1.0F));
    for (const char* name : {"nearest", "linear", "lagrange", "sinc", "least_squares", "texture"}) {
        const HostFrame read = runStage("beamform", frame, with(beyond, kind(name)));
        EXPECT_THAT(read.as<float>(), testing::Each(0.0F)) << name;
        EXPECT_LT(worstError(readBack(one, kind(name)), one, 15.0), 0.2) << name;
    }
}

} // namespace
} // namespace echolux::test
