// SPDX-License-Identifier: GPL-3.0-or-later
// combine against ustb and zea (vectors/make_combine.py), closed forms, and what it refuses.
#include "tests/gpu/combine_run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

/// Delayed channel data of so many rows of `pixels` pixels.
FrameSpec delayedSpec(std::int64_t channels, std::int64_t rows, std::int64_t pixels,
                      DType dtype = DType::ComplexF32) {
    FrameSpec spec;
    spec.dtype = dtype;
    spec.axes = {{AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Depth, rows, 1e-4, 0.0, "m"},
                 {AxisName::Lateral, pixels, 1e-4, 0.0, "m"}};
    return spec;
}

/// [channel][row] from [row][channel] of one column, as real and imaginary parts.
HostFrame oneColumn(const std::vector<float>& lines, std::size_t channels) {
    const std::size_t rows = lines.size() / 2 / channels;
    Samples samples(rows * channels);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t c = 0; c < channels; ++c) {
            const float* at = &lines[2 * (row * channels + c)];
            samples[c * rows + row] = {at[0], at[1]};
        }
    }
    return {delayedSpec(std::ssize(samples) / static_cast<std::int64_t>(rows),
                        static_cast<std::int64_t>(rows), 1),
            samples};
}

/// The channels of one pixel.
HostFrame onePixel(const std::vector<float>& parts) {
    return {delayedSpec(std::ssize(parts) / 2, 1, 1), parts};
}

float weightOf(const HostFrame& delayed, const char* method, Settings settings = {}) {
    settings.insert(settings.begin(), {"method", std::string(method)});
    return combined(delayed, settings).weight.front();
}

Samples randomSamples(std::size_t count) {
    std::mt19937 random(53);
    std::normal_distribution<float> normal;
    Samples samples(count);
    for (Complex& each : samples) each = {normal(random), normal(random)};
    return samples;
}

const char* const kWeights[] = {"coherence_factor", "generalized_coherence",
                                "phase_coherence",  "circular_coherence",
                                "sign_coherence",   "short_lag_coherence"};

TEST(Combine, WeightsAreThoseOfUstb) {
    constexpr double kSixteenBits = 2e-5; // as the factors are kept
    const Vectors vectors("gpu/vectors/combine.txt");
    for (int pixel = 0; pixel < 5; ++pixel) {
        const std::string number = std::to_string(pixel);
        const HostFrame delayed = onePixel(vectors["aperture_" + number]);
        const std::vector<float>& wanted = vectors["factors_" + number];
        const Settings whole{{"spectrum", std::string("array")}};
        EXPECT_NEAR(weightOf(delayed, "coherence_factor"), wanted[0], kSixteenBits);
        EXPECT_NEAR(weightOf(delayed, "generalized_coherence", whole), wanted[1], kSixteenBits);
        EXPECT_NEAR(weightOf(delayed, "circular_coherence"), wanted[2], kSixteenBits);
        EXPECT_NEAR(weightOf(delayed, "phase_coherence"), wanted[3], kSixteenBits);
        const Complex sum = combined(delayed, {{"method", std::string("sum")}}).image.front();
        const std::vector<float>& plain = vectors["sum_" + number];
        const double size = std::hypot(plain[0], plain[1]);
        EXPECT_NEAR(sum.re, plain[0], 1e-6 * size);
        EXPECT_NEAR(sum.im, plain[1], 1e-6 * size);
    }
}

TEST(Combine, ShortLagsAreThoseOfUstb) {
    const Vectors vectors("gpu/vectors/combine.txt");
    for (const char* name : {"0", "1"}) {
        constexpr std::size_t kRows = 13;
        const Combined out = combined(oneColumn(vectors[std::string("lines_") + name], 64),
                                      {{"method", std::string("short_lag_coherence")},
                                       {"lags", std::int64_t{10}},
                                       {"rows", std::int64_t{13}}});
        EXPECT_NEAR(out.weight[kRows / 2], vectors[std::string("short_lag_") + name].front(), 2e-5);
    }
}

TEST(Combine, ProductsAreThoseOfZea) {
    const Vectors vectors("gpu/vectors/combine.txt");
    const std::vector<float>& lines = vectors["lines_0"];
    const HostFrame delayed =
        onePixel({lines.begin() + 6 * 2 * 64, lines.begin() + 7 * 2 * 64}); // the middle row
    const Complex out = combined(delayed, {{"method", std::string("multiply")}}).image.front();
    const std::vector<float>& wanted = vectors["products_0"];
    // Ours is scaled so that equal channels give their sum. zea's delays are a little off in phase.
    const double perSet = 2.0 / 63.0;
    EXPECT_NEAR(std::hypot(out.re, out.im), perSet * std::hypot(wanted[0], wanted[1]),
                1e-3 * perSet * std::hypot(wanted[0], wanted[1]));
}

TEST(Combine, ProductsAreThoseOfAllSetsOfChannels) {
    const Samples samples = randomSamples(7);
    std::vector<std::complex<double>> roots;
    const auto order = [&](int q) {
        roots.clear();
        for (const Complex& each : samples) {
            const std::complex<double> value(each.re, each.im);
            roots.push_back(value * std::pow(std::abs(value), 1.0 / q - 1.0));
        }
        std::complex<double> sum;
        int sets = 0;
        for (unsigned set = 0; set < 1U << samples.size(); ++set) {
            if (std::popcount(set) != q) continue;
            std::complex<double> term = 1.0;
            for (std::size_t i = 0; i < samples.size(); ++i)
                if ((set >> i & 1U) != 0) term *= roots[i];
            sum += term;
            ++sets;
        }
        return sum * (double(samples.size()) / sets);
    };
    const HostFrame delayed(delayedSpec(std::ssize(samples), 1, 1), samples);
    for (int q = 2; q <= 5; ++q) {
        const Complex out =
            combined(delayed, {{"method", std::string("multiply")}, {"order", std::int64_t{q}}})
                .image.front();
        const std::complex<double> wanted = order(q);
        EXPECT_NEAR(out.re, wanted.real(), 1e-5 * std::abs(wanted) + 1e-6) << q;
        EXPECT_NEAR(out.im, wanted.imag(), 1e-5 * std::abs(wanted) + 1e-6) << q;
    }
}

TEST(Combine, MinimumVarianceIsThatOfUstb) {
    const Vectors vectors("gpu/vectors/combine.txt");
    constexpr std::size_t kRows = 39;
    const Complex out = combined(oneColumn(vectors["capon_lines"], 64),
                                 {{"method", std::string("minimum_variance")},
                                  {"averaged_rows", std::int64_t{39}},
                                  {"subarray", 0.5},
                                  {"loading", 0.01}})
                            .image[kRows / 2];
    const std::vector<float>& wanted = vectors["capon"]; // ustb gives the conjugate
    const double size = std::hypot(wanted[0], wanted[1]);
    EXPECT_NEAR(out.re, wanted[0], 1e-4 * size);
    EXPECT_NEAR(out.im, -wanted[1], 1e-4 * size);
}

/// With one interferer the weights have their null at it: what is left is the echo that is sought.
TEST(Combine, MinimumVarianceCancelsAnInterferer) {
    constexpr int kChannels = 32;
    const auto imageOf = [&](const char* method, Settings settings) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> phases(0.0F, 6.28F);
        constexpr int kRows = 63; // independent phases: the covariance tells both apart
        Samples samples(kChannels * kRows);
        for (int row = 0; row < kRows; ++row) {
            const float phase = row == kRows / 2 ? 0.0F : phases(random);
            for (int i = 0; i < kChannels; ++i) {
                const double aside = 2.0 * M_PI * 2.3 * i / kChannels + phase;
                samples[i * kRows + row] = {float(1.0 + 3.0 * std::cos(aside)),
                                            float(3.0 * std::sin(aside))};
            }
        }
        settings.insert(settings.begin(), {"method", std::string(method)});
        return combined(HostFrame(delayedSpec(kChannels, kRows, 1), samples), settings)
            .image[kRows / 2];
    };
    const auto error = [](const Complex& image) {
        return std::hypot(image.re / kChannels - 1.0F, image.im / kChannels);
    };
    EXPECT_GT(error(imageOf("sum", {})), 0.1);
    for (const bool backwards : {false, true}) {
        EXPECT_LT(error(imageOf("minimum_variance", {{"averaged_rows", std::int64_t{63}},
                                                     {"loading", 1e-3},
                                                     {"backwards", backwards}})),
                  0.02);
    }
}

TEST(Combine, MinimumVarianceOfShortSubarraysAndOfOneEchoIsTheSum) {
    const HostFrame delayed(delayedSpec(16, 1, 1), randomSamples(16));
    const Complex sum = combined(delayed, {{"method", std::string("sum")}}).image.front();
    const Complex one = combined(delayed, {{"method", std::string("minimum_variance")},
                                           {"subarray", 0.06}}) // of 16: one channel
                            .image.front();
    EXPECT_NEAR(one.re, sum.re, 1e-5);
    EXPECT_NEAR(one.im, sum.im, 1e-5);
    const HostFrame same(delayedSpec(16, 1, 1), Samples(16, Complex{0.0F, 2.0F}));
    for (const double loading : {0.001, 0.01}) {
        const Complex out =
            combined(same, {{"method", std::string("minimum_variance")}, {"loading", loading}})
                .image.front();
        EXPECT_NEAR(out.im, 32.0F, 1e-2) << "a singular covariance";
        EXPECT_NEAR(out.re, 0.0F, 1e-2);
    }
}

TEST(CombineEigenspace, AgreesWithNumPy) {
    const Vectors vectors("gpu/vectors/combine.txt");
    constexpr std::size_t kRows = 39;
    for (const char* threshold : {"0.5", "0.006", "0.003"}) {
        const Complex out = combined(oneColumn(vectors["capon_lines"], 64),
                                     {{"method", std::string("minimum_variance")},
                                      {"averaged_rows", std::int64_t{39}},
                                      {"eigenspace", std::stod(threshold)}})
                                .image[kRows / 2];
        const std::vector<float>& wanted = vectors[std::string("eigenspace_") + threshold];
        const double size = std::hypot(wanted[0], wanted[1]);
        EXPECT_NEAR(out.re, wanted[0], 1e-4 * size) << threshold;
        EXPECT_NEAR(out.im, wanted[1], 1e-4 * size) << threshold;
    }
}

TEST(CombineEigenspace, OfAllEigenvectorsIsMinimumVariance) {
    for (const std::int64_t channels : {1, 9, 24, 64}) {
        const HostFrame delayed(delayedSpec(channels, 5, 1), randomSamples(5 * channels));
        for (const bool backwards : {false, true}) {
            const auto imageAt = [&](double eigenspace) {
                return combined(delayed, {{"method", std::string("minimum_variance")},
                                          {"loading", 0.1},
                                          {"backwards", backwards},
                                          {"eigenspace", eigenspace}})
                    .image;
            };
            const Samples plain = imageAt(0.0);
            const Samples all = imageAt(1e-9);
            for (std::size_t row = 0; row < plain.size(); ++row) {
                EXPECT_NEAR(all[row].re, plain[row].re, 1e-4 * double(channels)) << channels;
                EXPECT_NEAR(all[row].im, plain[row].im, 1e-4 * double(channels)) << channels;
            }
        }
    }
}

/// An interferer that is orthogonal to the source in a subarray. Both are eigenvectors, and the
/// threshold tells which are kept: the stronger source alone, both, or the stronger interferer,
/// which takes the source with it.
TEST(CombineEigenspace, KeepsTheStrongest) {
    constexpr int kChannels = 32;
    constexpr int kRows = 63;
    const auto imageOf = [&](double interferer, double eigenspace) {
        std::mt19937 random(8);
        std::uniform_real_distribution<double> phases(0.0, 6.28);
        Samples samples(kChannels * kRows);
        for (int row = 0; row < kRows; ++row) {
            const double phase = phases(random);
            for (int i = 0; i < kChannels; ++i) {
                const double aside = 2.0 * M_PI * 4.0 * i / kChannels + phase;
                samples[i * kRows + row] = {float(1.0 + interferer * std::cos(aside)),
                                            float(interferer * std::sin(aside))};
            }
        }
        const Complex image = combined(HostFrame(delayedSpec(kChannels, kRows, 1), samples),
                                       {{"method", std::string("minimum_variance")},
                                        {"averaged_rows", std::int64_t{63}},
                                        {"eigenspace", eigenspace}})
                                  .image[kRows / 2];
        return std::complex<double>(image.re, image.im) / double(kChannels);
    };
    // Rows of independent phases leave cross terms of 1 / sqrt(63).
    EXPECT_LT(std::abs(imageOf(0.3, 0.5) - 1.0), 0.1);
    EXPECT_LT(std::abs(imageOf(3.0, 0.05) - 1.0), 0.1);
    EXPECT_LT(std::abs(imageOf(3.0, 0.5)), 0.2);
}

TEST(Combine, ChannelsThatAgreeKeepTheirSum) {
    const std::int64_t channels = 24;
    const HostFrame same(delayedSpec(channels, 3, 1), Samples(3 * channels, Complex{0.3F, -2.0F}));
    for (const char* method : kWeights) {
        const Combined out = combined(same, {{"method", std::string(method)}});
        for (int row = 0; row < 3; ++row) {
            EXPECT_NEAR(out.weight[row], 1.0F, 1e-5) << method;
            EXPECT_NEAR(out.image[row].re, 0.3 * channels, 1e-3) << method;
            EXPECT_NEAR(out.image[row].im, -2.0 * channels, 1e-3) << method;
        }
    }
    const Combined products = combined(same, {{"method", std::string("multiply")}});
    const std::complex<double> root = std::sqrt(std::abs(std::complex<double>(0.3, -2.0)));
    const double phase = 2.0 * std::arg(std::complex<double>(0.3, -2.0)); // twice the carrier
    EXPECT_NEAR(products.image[0].re, channels * std::norm(root) * std::cos(phase), 1e-3);
    EXPECT_NEAR(products.image[0].im, channels * std::norm(root) * std::sin(phase), 1e-3);
}

/// Means over independent channels of white noise. Phases are uniform: their standard deviation is
/// pi / sqrt(3), less what the mean takes away.
TEST(Combine, NoiseHasTheWeightsThatTheFormulasGive) {
    constexpr std::int64_t kChannels = 32;
    constexpr std::int64_t kPixels = 4000;
    const HostFrame noise(delayedSpec(kChannels, 1, kPixels), randomSamples(kChannels * kPixels));
    const auto meanOf = [&](const char* method, Settings settings = {}) {
        settings.insert(settings.begin(), {"method", std::string(method)});
        double sum = 0.0;
        for (const float each : combined(noise, settings).weight) sum += each;
        return sum / kPixels;
    };
    EXPECT_NEAR(meanOf("coherence_factor"), 1.0 / kChannels, 1e-3);
    for (const std::int64_t bins : {1, 3}) {
        EXPECT_NEAR(meanOf("generalized_coherence", {{"low_bins", bins}}),
                    (2.0 * double(bins) + 1.0) / kChannels, 3e-3);
    }
    EXPECT_NEAR(meanOf("short_lag_coherence", {{"rows", std::int64_t{1}}}), 0.0, 2e-3);
    // 1 - sqrt(1 - B^2) ~ B^2 / 2, and the mean of B^2 is 1 / n.
    EXPECT_NEAR(meanOf("sign_coherence"), 0.5 / kChannels, 2e-3);
    EXPECT_NEAR(meanOf("circular_coherence"), 0.5 / kChannels, 2e-3);
    EXPECT_LT(meanOf("phase_coherence"), 0.12);
}

TEST(Combine, OneFrequencyOverTheApertureLiesInItsBin) {
    constexpr int kChannels = 40;
    const auto weightAt = [&](double cycles, std::int64_t bins, int silent) {
        Samples samples(kChannels + silent);
        for (int i = 0; i < kChannels; ++i) {
            const double phase = 2.0 * M_PI * cycles * i / kChannels;
            samples[silent + i] = {float(std::cos(phase)), float(std::sin(phase))};
        }
        return weightOf(HostFrame(delayedSpec(std::ssize(samples), 1, 1), samples),
                        "generalized_coherence", {{"low_bins", bins}});
    };
    for (const int silent : {0, 13}) { // elements outside the aperture
        EXPECT_NEAR(weightAt(3.0, 2, silent), 0.0F, 1e-5);
        EXPECT_NEAR(weightAt(3.0, 3, silent), 1.0F, 1e-5);
        EXPECT_NEAR(weightAt(-3.0, 3, silent), 1.0F, 1e-5);
    }
    EXPECT_EQ(weightAt(17.0, 20, 0), 1.0F) << "all frequencies are low";
}

TEST(Combine, BlendAndExponentActOnTheWeight) {
    const HostFrame delayed(delayedSpec(9, 1, 1), randomSamples(9));
    const std::string method = "coherence_factor";
    const Complex sum = combined(delayed, {{"method", std::string("sum")}}).image.front();
    const auto imageWith = [&](double blend, double exponent) {
        return combined(delayed, {{"method", method}, {"blend", blend}, {"exponent", exponent}})
            .image.front()
            .re;
    };
    const double weight = weightOf(delayed, "coherence_factor");
    EXPECT_FLOAT_EQ(imageWith(0.0, 1.0), sum.re);
    EXPECT_NEAR(imageWith(1.0, 1.0), weight * sum.re, 1e-6);
    EXPECT_NEAR(imageWith(0.25, 2.0), (0.75 + 0.25 * weight * weight) * sum.re, 1e-5);
}

TEST(Combine, SilenceStaysSilent) {
    const HostFrame silence(delayedSpec(16, 4, 2), Samples(16 * 8));
    for (const char* method : kWeights) {
        const Combined out = combined(silence, {{"method", std::string(method)}});
        EXPECT_THAT(out.weight, testing::Each(0.0F)) << method;
        for (const Complex& each : out.image) EXPECT_EQ(norm(each), 0.0F) << method;
    }
}

TEST(Combine, RealChannelsAndVolumes) {
    FrameSpec spec = delayedSpec(12, 2, 3, DType::F32);
    const std::vector<float> values(72, -1.5F);
    const HostFrame out =
        runStage("combine", HostFrame(spec, values), {{"method", std::string("sign_coherence")}});
    EXPECT_THAT(out.as<float>(), testing::Each(testing::FloatEq(-18.0F)));
    spec.axes.insert(spec.axes.begin() + 1, {AxisName::Elevation, 2, 1e-3, 0.0, "m"});
    const HostFrame volume = runStage("combine", HostFrame(spec, std::vector<float>(144, 2.0F)));
    EXPECT_EQ(volume.spec.axes.front().name, AxisName::Elevation);
    EXPECT_THAT(volume.as<float>(), testing::Each(testing::FloatEq(24.0F)));
}

const char* const kMethods[] = {"sum",
                                "coherence_factor",
                                "phase_coherence",
                                "circular_coherence",
                                "sign_coherence",
                                "multiply",
                                "generalized_coherence",
                                "short_lag_coherence",
                                "minimum_variance"};

/// The terms of the sum are combined alike, whatever they are of.
TEST(Combine, TransmitsAndPairsAreTakenAsChannelsAre) {
    const Samples samples = randomSamples(12 * 6);
    const auto outOf = [&](const std::vector<Axis>& terms, const char* method) {
        FrameSpec spec = delayedSpec(1, 2, 3);
        spec.axes.erase(spec.axes.begin());
        spec.axes.insert(spec.axes.begin(), terms.begin(), terms.end());
        return combined(HostFrame(spec, samples), {{"method", std::string(method)}});
    };
    const auto sameBits = [](const Combined& a, const Combined& b) {
        const auto same = [](const Complex& x, const Complex& y) {
            return x.re == y.re && x.im == y.im;
        };
        return std::ranges::equal(a.image, b.image, same) && a.weight == b.weight;
    };
    const Axis transmits{AxisName::Transmit, 12, 1.0, 0.0, ""};
    const Axis channels{AxisName::Channel, 12, 1.0, 0.0, ""};
    for (const char* method : kMethods)
        EXPECT_TRUE(sameBits(outOf({transmits}, method), outOf({channels}, method))) << method;
    Axis three = transmits;
    Axis four = channels;
    three.size = 3;
    four.size = 4;
    for (const char* method : std::span(kMethods).first(6))
        EXPECT_TRUE(sameBits(outOf({three, four}, method), outOf({channels}, method))) << method;
    for (const char* method : std::span(kMethods).subspan(6)) {
        EXPECT_THAT(refusal([&] {
                        outOf({three, four}, method);
                    }),
                    HasSubstr("pairs of transmits and channels have none; link "
                              "'delayed@beamform' or 'transmits@beamform'"))
            << method;
    }
}

TEST(Combine, RefusesWhatAMethodCannotTell) {
    const auto refused = [](const FrameSpec& spec, const char* method) {
        return refusal([&] {
            runStage("combine", HostFrame(spec),
                     {{"method", std::string(method)}, {"lags", std::int64_t{10}}});
        });
    };
    const FrameSpec real = delayedSpec(12, 2, 3, DType::F32);
    for (const char* method :
         {"phase_coherence", "circular_coherence", "multiply", "minimum_variance"})
        EXPECT_THAT(refused(real, method),
                    HasSubstr("put 'analytic' or 'iq_demod' before 'beamform'"));
    FrameSpec volume = delayedSpec(12, 2, 3);
    volume.axes.insert(volume.axes.begin() + 1, {AxisName::Elevation, 2, 1e-3, 0.0, "m"});
    for (const char* method : {"generalized_coherence", "short_lag_coherence", "minimum_variance"})
        EXPECT_THAT(refused(volume, method),
                    HasSubstr("channels of this volume stand neither in a line"));
    FrameSpec few = delayedSpec(10, 2, 3);
    EXPECT_THAT(
        refused(few, "short_lag_coherence"),
        HasSubstr("'lags' = 10 needs more than as many channels in a line, but there are 10"));
    few.axes.front() = {AxisName::Transmit, 7, 1.0, 0.0, ""};
    EXPECT_THAT(refused(few, "short_lag_coherence"),
                HasSubstr("more than as many transmits in a line, but there are 7"));
}

} // namespace
} // namespace echolux::test
