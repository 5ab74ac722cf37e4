// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and spread of the autocorrelation's velocities against theory, on ensembles of Gaussian
// echoes whose autocorrelation is given.
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/flow_frames.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {
namespace {

/// r[k], the real autocorrelation of blood at the lag of k frames before it is turned by its
/// velocity; r[0] includes the noise. The blood's power is 1.
using Correlation = std::vector<double>;

/// A Gaussian spectrum of standard deviation `width`, in radians per frame, and noise.
Correlation gaussianSpectrum(std::int64_t frames, double width, double noisePower) {
    Correlation r;
    for (std::int64_t k = 0; k < frames; ++k) {
        const double turned = width * static_cast<double>(k);
        r.push_back(std::exp(-0.5 * turned * turned) + (k == 0 ? noisePower : 0.0));
    }
    return r;
}

/// Standard deviation of arg R1 of M pairs of frames that follow each other, of Gaussian echoes:
///   var = 1 / (2 M^2 r[1]^2) * sum over |k| < M of (M - |k|) (r[k]^2 - r[k + 1] r[k - 1])
/// to first order, for ensembles that last several times the echoes' memory, 1 / width frames
/// (Zrnic, Spectral moment estimates from correlated sample pairs, IEEE Trans. Aerosp. Electron.
/// Syst. 13, 1977, for the estimator of Kasai et al.). `independent` pixels are averaged.
double expectedSpread(const Correlation& r, double independent) {
    const auto pairs = static_cast<std::int64_t>(r.size()) - 1;
    const auto at = [&](std::int64_t k) { return r[static_cast<std::size_t>(std::abs(k))]; };
    double sum = 0.0;
    for (std::int64_t k = 1 - pairs; k < pairs; ++k)
        sum += static_cast<double>(pairs - std::abs(k)) * (at(k) * at(k) - at(k + 1) * at(k - 1));
    const auto m = static_cast<double>(pairs);
    return std::sqrt(sum / (2.0 * m * m * at(1) * at(1) * independent));
}

/// Lower triangular L with L L^T = the matrix r[|i - j|].
std::vector<std::vector<double>> cholesky(const Correlation& r) {
    const std::size_t n = r.size();
    std::vector<std::vector<double>> lower(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = r[i - j];
            for (std::size_t k = 0; k < j; ++k) rest -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? std::sqrt(std::max(rest, 0.0)) : rest / lower[j][j];
        }
    }
    return lower;
}

/// Independent pixels with this autocorrelation, which turn by `phase` from frame to frame.
HostFrame gaussianEchoes(const Correlation& r, double phase, std::int64_t side, unsigned seed) {
    HostFrame frame(ensembleSpec(static_cast<std::int64_t>(r.size()), side, side, 0.0));
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const auto lower = cholesky(r);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.0, std::numbers::sqrt2 / 2.0);
    std::vector<std::complex<double>> white(r.size());
    const auto pixels = static_cast<std::size_t>(side * side);
    for (std::size_t p = 0; p < pixels; ++p) {
        for (auto& value : white) value = {normal(random), normal(random)};
        for (std::size_t f = 0; f < r.size(); ++f) {
            std::complex<double> sum;
            for (std::size_t k = 0; k <= f; ++k) sum += lower[f][k] * white[k];
            samples[f * pixels + p] =
                std::complex<float>(sum * std::polar(1.0, phase * static_cast<double>(f)));
        }
    }
    return frame;
}

struct Found {
    double mean = 0.0;
    double spread = 0.0;
};

/// Of pixels whose boxes lie inside and do not overlap.
Found found(const HostFrame& velocity, std::size_t side, std::size_t box) {
    double sum = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (std::size_t z = box / 2; z + box / 2 < side; z += box) {
        for (std::size_t x = box / 2; x + box / 2 < side; x += box) {
            const double v = velocity.as<float>()[z * side + x];
            sum += v;
            squares += v * v;
            count += 1.0;
        }
    }
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean)};
}

Found kasai(const Correlation& r, double phase, std::int64_t side, std::int64_t box,
            unsigned seed) {
    const HostFrame velocity = runStage("flow", gaussianEchoes(r, phase, side, seed),
                                        {{"depth_pixels", box},
                                         {"lateral_pixels", box},
                                         {"threshold", 120.0},
                                         {"max_spread", 1.0}});
    return found(velocity, static_cast<std::size_t>(side), static_cast<std::size_t>(box));
}

/// 4096 pixels show a spread to 1.1 %.
TEST(FlowStatistics, MeanIsWithinTwoPercentAndSpreadWithinTenOfTheory) {
    constexpr double kPhase = 0.8;
    unsigned seed = 1;
    for (const std::int64_t frames : {16, 32}) {
        for (const double width : {0.2, 0.3, 0.4}) {
            for (const double noisePower : {0.001, 0.03}) {
                const Correlation r = gaussianSpectrum(frames, width, noisePower);
                const double expected = expectedSpread(r, 1.0);
                const Found made = kasai(r, kPhase, 64, 1, seed++);
                EXPECT_NEAR(made.mean, kPhase, 0.02 * kPhase) << frames << " " << width;
                EXPECT_NEAR(made.spread, expected, 0.1 * expected)
                    << frames << " frames, width " << width << ", noise " << noisePower;
            }
        }
    }
}

/// 1369 boxes of nine pixels show a spread to 1.9 %.
TEST(FlowStatistics, ABoxOfNinePixelsHasAThirdOfTheSpread) {
    const Correlation r = gaussianSpectrum(12, 0.3, 0.1);
    const double expected = expectedSpread(r, 9.0);
    const Found made = kasai(r, -1.2, 111, 3, 77);
    EXPECT_NEAR(made.mean, -1.2, 0.02 * 1.2);
    EXPECT_NEAR(made.spread, expected, 0.1 * expected);
}

} // namespace
} // namespace echolux::test
