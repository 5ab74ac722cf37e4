// SPDX-License-Identifier: GPL-3.0-or-later
// The contrast of a levelled image: of its region alone, largest without dispersion.
#include "app/calibration/levelled_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace echolux {

namespace {

constexpr std::int64_t kSamples = 256;
constexpr std::int64_t kLevelledLines = 128;
constexpr std::int64_t kLevelledDepths = kSamples; ///< half bins

Complex turned(double angle) {
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// exp(j turn v^3).
std::vector<Complex> cubic(double turn) {
    std::vector<Complex> phasors;
    for (std::int64_t u = 0; u < kSamples; ++u)
        phasors.push_back(
            turned(turn * std::pow(static_cast<double>(u) / (kSamples - 1) - 0.5, 3.0)));
    return phasors;
}

/// Speckle below a bright surface, fading: [line][sample].
std::vector<Complex> tissueSpectra() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<Complex> spectra(kLevelledLines * kSamples);
    for (std::int64_t line = 0; line < kLevelledLines; ++line)
        for (std::int64_t z = kLevelledDepths / 8; z < kLevelledDepths * 3 / 8; ++z) { // bins
            const auto amplitude =
                static_cast<float>(std::exp(-0.03 * static_cast<double>(z - kLevelledDepths / 8)));
            const Complex scatterer{amplitude * normal(random), amplitude * normal(random)};
            for (std::int64_t u = 0; u < kSamples; ++u) {
                Complex& sample = spectra[static_cast<std::size_t>(line * kSamples + u)];
                sample =
                    sample + scatterer * turned(-2.0 * std::numbers::pi *
                                                static_cast<double>(u * z % kSamples) / kSamples);
            }
        }
    return spectra;
}

/// [line][half bin] of the spectra times `phasors`.
std::vector<Complex> imageOf(const std::vector<Complex>& spectra,
                             const std::vector<Complex>& phasors) {
    std::vector<Complex> image;
    for (std::int64_t line = 0; line < kLevelledLines; ++line)
        for (std::int64_t d = 0; d < kLevelledDepths; ++d) {
            Complex sum{};
            for (std::int64_t u = 0; u < kSamples; ++u)
                sum = sum + spectra[static_cast<std::size_t>(line * kSamples + u)] *
                                phasors[static_cast<std::size_t>(u)] *
                                turned(std::numbers::pi *
                                       static_cast<double>(u * d % (2 * kSamples)) / kSamples);
            image.push_back(sum);
        }
    return image;
}

std::vector<float> powers(const std::vector<Complex>& image) {
    std::vector<float> result;
    for (const Complex value : image) result.push_back(norm(value));
    return result;
}

LevelledImages levelledAt(const std::vector<Complex>& image, std::int64_t firstDepth,
                          const RegionPower& region) {
    LevelledImages levelled(kLevelledDepths, kLevelledLines);
    levelled.add(image.data(), firstDepth, region);
    return levelled;
}

TEST(LevelledImages, hasTheContrastOfTheImage) {
    const std::vector<Complex> image = imageOf(tissueSpectra(), cubic(0.0));
    const std::vector<float> power = powers(image);
    const std::vector<float> share(kLevelledDepths, 1.0F);
    const RegionPower region{kLevelledDepths, power, share};
    // What the gains bring beyond the ends of the spectrum is cut off.
    EXPECT_NEAR(levelledAt(image, 0, region).contrast(cubic(0.0)) /
                    sharpness(region, SharpnessMetric::Contrast),
                1.0, 0.1);
}

TEST(LevelledImages, keepsTheRegionAlone) {
    std::vector<Complex> image = imageOf(tissueSpectra(), cubic(0.0));
    const std::int64_t first = 40;
    const std::vector<float> share(20, 1.0F);
    const auto contrastOfRegion = [&] {
        std::vector<float> power;
        for (std::int64_t line = 0; line < kLevelledLines; ++line)
            for (std::int64_t d = first; d < first + 20; ++d)
                power.push_back(norm(image[static_cast<std::size_t>(line * kLevelledDepths + d)]));
        return levelledAt(image, first, {20, power, share}).contrast(cubic(5.0));
    };
    const double before = contrastOfRegion();
    for (std::int64_t line = 0; line < kLevelledLines; ++line)
        image[static_cast<std::size_t>(line * kLevelledDepths + first + 20)] = {1e6F, 0.0F};
    EXPECT_EQ(contrastOfRegion(), before);
}

TEST(LevelledImages, isSharpestWithoutDispersion) {
    const std::vector<Complex> image = imageOf(tissueSpectra(), cubic(0.0));
    const std::vector<float> power = powers(image);
    const std::vector<float> share(kLevelledDepths, 1.0F);
    LevelledImages levelled = levelledAt(image, 0, {kLevelledDepths, power, share});
    const double sharpest = levelled.contrast(cubic(0.0));
    for (const double turn : {-60.0, -20.0, 20.0, 60.0})
        EXPECT_LT(levelled.contrast(cubic(turn)), sharpest) << turn;
    EXPECT_GT(sharpest, levelled.contrast(cubic(60.0)) + 0.1);
}

} // namespace

} // namespace echolux
