// SPDX-License-Identifier: GPL-3.0-or-later
// Which transmits a pixel sums where only waves that pass it count.
#include "tests/gpu/beamform_run.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

/// All samples are 1, so that a pixel counts its transmits; over 64 elements.
std::vector<double> transmitsPerPixel(const FrameSpec& spec, const Settings& grid) {
    HostFrame ones(spec);
    std::ranges::fill(ones.as<float>(), 1.0F);
    const HostFrame image = runStage("beamform", ones,
                                     with(grid, {{"grid", std::string("image")},
                                                 {"transmit_aperture", std::string("shadow")},
                                                 {"f_number", 0.0}}));
    std::vector<double> counts;
    for (const float value : image.as<float>())
        counts.push_back(value / static_cast<double>(spec.acquisition->probe.elements.size()));
    return counts;
}

FrameSpec specWith(const Scan& scan, const std::vector<std::pair<int, int>>& firing) {
    FrameSpec spec = specOf(scan, DType::F32);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::size_t i = 0; i < firing.size(); ++i) {
        auto& weights = acquisition->transmits[i].apodization;
        weights.assign(static_cast<std::size_t>(scan.elements), 0.0F);
        std::fill_n(weights.begin() + firing[i].first, firing[i].second, 1.0F);
    }
    spec.acquisition = acquisition;
    return spec;
}

Settings gridOf(double x0, double x1, double dx, double z0, double z1, double dz) {
    return {{"lateral_min", x0}, {"lateral_max", x1}, {"pixel_lateral", dx},
            {"depth_min", z0},   {"depth_max", z1},   {"pixel_depth", dz}};
}

/// Lines every 0.6 mm of 16 of 64 elements with a pitch of 0.3 mm, focused at 20 mm: each pixel
/// between the first and the last line has a transmit, also in the focus. Where waves are
/// wide, the count is that of the cones: |x - line| <= 2.4 mm |z - F| / F for a focus F.
TEST(BeamformShadow, LeavesNoHoleBetweenWalkingLines) {
    Scan scan{.elements = 64, .samples = 2400, .transmits = {}};
    std::vector<std::pair<int, int>> firing;
    std::vector<double> lines;
    for (int first = 0; first <= 48; first += 2) {
        const double x = 0.5 * (elementX(scan, first) + elementX(scan, first + 15));
        Transmit t = sourceAt(Wave::Focused, x, 20e-3);
        t.origin = {x, 0.0, 0.0};
        scan.transmits.push_back(t);
        firing.emplace_back(first, 16);
        lines.push_back(x);
    }
    const FrameSpec spec = specWith(scan, firing);
    constexpr int kColumns = 121;
    constexpr int kRows = 33;
    const auto counts = transmitsPerPixel(spec, gridOf(-6e-3, 6e-3, 0.1e-3, 12e-3, 28e-3, 0.5e-3));
    ASSERT_EQ(counts.size(), std::size_t{kColumns * kRows});
    for (int row = 0; row < kRows; ++row) {
        const double z = 12e-3 + row * 0.5e-3;
        for (int column = 0; column < kColumns; ++column) {
            const double x = -6e-3 + column * 0.1e-3;
            const double count = counts[static_cast<std::size_t>(row * kColumns + column)];
            EXPECT_GE(count, 0.999) << 1e3 * x << ", " << 1e3 * z << " mm";
            if (std::abs(z - 20e-3) < 6e-3) continue;
            int least = 0;
            int most = 0;
            for (const double line : lines) {
                const double aside = std::abs(x - line);
                const double half = 2.4e-3 * std::abs(z - 20e-3) / 20e-3;
                least += aside < half - 1e-6 ? 1 : 0;
                most += aside < half + 1e-6 ? 1 : 0;
            }
            EXPECT_GE(count, least - 1e-3);
            EXPECT_LE(count, most + 1e-3);
        }
    }
}

/// The same for beams that fan out from a phased array, whose foci are farther from each other than
/// from what lies between them; also behind the focus, where the lines part.
TEST(BeamformShadow, LeavesNoHoleBetweenLinesOfAFan) {
    Scan scan{.elements = 32, .pitchM = 0.15e-3, .samples = 3600, .transmits = {}};
    for (int i = -10; i <= 10; ++i) {
        const double angle = 0.06 * i;
        scan.transmits.push_back(
            sourceAt(Wave::Focused, 25e-3 * std::sin(angle), 25e-3 * std::cos(angle)));
    }
    const auto counts = transmitsPerPixel(specOf(scan, DType::F32),
                                          gridOf(-9e-3, 9e-3, 0.1e-3, 21e-3, 30e-3, 0.25e-3));
    for (std::size_t i = 0; i < counts.size(); ++i)
        EXPECT_GE(counts[i], 0.999) << i % 181 << ", " << i / 181;
}

/// A wave alone is a wavelength thick in its focus.
TEST(BeamformShadow, OfOneFocusIsAWavelengthThick) {
    const Scan scan{
        .elements = 64, .samples = 2400, .transmits = {sourceAt(Wave::Focused, 0.0, 20e-3)}};
    const auto counts = transmitsPerPixel(
        specOf(scan, DType::F32), gridOf(-0.5e-3, 0.5e-3, 0.02e-3, 19.99e-3, 20.01e-3, 0.01e-3));
    const double half = 0.5 * 1540.0 / 5e6; // of the wave's thickness; edges are a bit oblique
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double aside = std::abs(-0.5e-3 + static_cast<double>(i % 51) * 0.02e-3);
        const bool edge = aside >= 0.95 * half && aside <= 1.25 * half;
        EXPECT_NEAR(counts[i], aside < half ? 1.0 : 0.0, edge ? 1.0 : 1e-3);
    }
}

} // namespace
} // namespace echolux::test
