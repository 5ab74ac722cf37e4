// SPDX-License-Identifier: GPL-3.0-or-later
// Which transmits a pixel sums where only waves that pass it count.
#include "tests/gpu/fired_echoes.hpp"

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

FrameSpec specWith(const Scan& scan, const std::vector<std::pair<int, int>>& firing, DType dtype) {
    FrameSpec spec = specOf(scan, dtype);
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

/// Recordings of lines whose aperture walks along an array.
struct Walk {
    int elements = 64;
    int active = 16;
    int step = 2; ///< elements
    double focusM = 20e-3;

    double lambda() const { return 1540.0 / 5e6; }
    double width() const { return active * 0.3e-3; }
    double gap() const { return step * 0.3e-3; }
    int lines() const { return (elements - active) / step + 1; }
    Scan scan() const { return {.elements = elements, .samples = 2400, .transmits = {}}; }
    double lineX(int line) const {
        const Scan s = scan();
        return 0.5 * (elementX(s, line * step) + elementX(s, line * step + active - 1));
    }
    FrameSpec spec(DType dtype) const {
        Scan s = scan();
        std::vector<std::pair<int, int>> firing;
        for (int line = 0; line < lines(); ++line) {
            Transmit t = sourceAt(Wave::Focused, lineX(line), focusM);
            t.origin = {lineX(line), 0.0, 0.0};
            s.transmits.push_back(t);
            firing.emplace_back(line * step, active);
        }
        return specWith(s, firing, dtype);
    }
};

/// Lines every 0.6 mm of 16 of 64 elements with a pitch of 0.3 mm, focused at 20 mm: each pixel
/// between the first and the last line has a transmit, also in the focus. The shares are those of
/// Gaussian beams with the edges of the aperture, and their squares add up to 1.
TEST(BeamformShadow, LeavesNoHoleBetweenWalkingLines) {
    const Walk walk;
    constexpr int kColumns = 121;
    constexpr int kRows = 33;
    const auto counts =
        transmitsPerPixel(walk.spec(DType::F32), gridOf(-6e-3, 6e-3, 0.1e-3, 12e-3, 28e-3, 0.5e-3));
    ASSERT_EQ(counts.size(), std::size_t{kColumns * kRows});
    for (int row = 0; row < kRows; ++row) {
        const double z = 12e-3 + row * 0.5e-3;
        for (int column = 0; column < kColumns; ++column) {
            const double x = -6e-3 + column * 0.1e-3;
            const double count = counts[static_cast<std::size_t>(row * kColumns + column)];
            EXPECT_GE(count, 0.999) << 1e3 * x << ", " << 1e3 * z << " mm";
            const double slope = 0.5 * walk.width() / walk.focusM;
            const double oblique = 1.0 / std::hypot(1.0, slope); // distances are from the edges
            const double waist = 2.0 / std::numbers::pi * walk.lambda() / (2.0 * slope);
            const double half = std::hypot(oblique * slope * (z - walk.focusM), waist);
            double sum = 0.0;
            double squares = 0.0;
            bool isOnEdge = false;
            for (int line = 0; line < walk.lines(); ++line) {
                const double faded = std::pow(oblique * (x - walk.lineX(line)) / half, 2);
                isOnEdge = isOnEdge || std::abs(faded - 3.0) < 1e-3;
                const double share = faded < 3.0 ? std::exp(-faded) : 0.0;
                sum += share;
                squares += share * share;
            }
            if (isOnEdge) continue;
            EXPECT_NEAR(count, sum / std::sqrt(squares), 2e-3) << x << ", " << z;
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

/// A wave alone has all the weight, up to where its beam has faded by 26 dB: sqrt(3) times the
/// waist, 2 lambda F / (pi D).
TEST(BeamformShadow, OfOneFocusEndsWhereItsBeamHasFaded) {
    const Scan scan{
        .elements = 64, .samples = 2400, .transmits = {sourceAt(Wave::Focused, 0.0, 20e-3)}};
    const auto counts = transmitsPerPixel(
        specOf(scan, DType::F32), gridOf(-0.5e-3, 0.5e-3, 0.02e-3, 19.99e-3, 20.01e-3, 0.01e-3));
    const double waist = 2.0 / std::numbers::pi * 1540.0 / 5e6 * 20e-3 / (64 * 0.3e-3);
    const double half = std::sqrt(3.0) * waist; // the edges of its aperture are a bit oblique
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double aside = std::abs(-0.5e-3 + static_cast<double>(i % 51) * 0.02e-3);
        const bool edge = aside >= 0.95 * half && aside <= 1.25 * half;
        EXPECT_NEAR(counts[i], aside < half ? 1.0 : 0.0, edge ? 1.0 : 1e-3);
    }
}

/// Points before, in and behind the focus, on a line and halfway between two, lie where they are
/// and are brightest there. Echoes are those of single elements: no wave is ideal.
TEST(BeamformShadow, PointsLieWhereTheyAreRoundTheFocus) {
    const Walk walk{.elements = 48, .active = 32, .step = 1};
    FrameSpec spec = walk.spec(DType::ComplexF32);
    spec.demodulationFrequencyHz = spec.centreFrequencyHz;
    const FiringTimes times = timesFor(*spec.acquisition, 1540.0);
    for (const double z : {15e-3, 18e-3, 19e-3, 20e-3, 21e-3, 22e-3, 26e-3}) {
        for (const double part : {0.0, 0.5}) {
            SCOPED_TRACE(testing::PrintToString(z) + " m, " + testing::PrintToString(part));
            const Point point{walk.lineX(8) + part * walk.gap(), 0.0, z};
            const Peak peak =
                peakOf<Complex>(runStage("beamform", firedEchoes(spec, times, 1540.0, {point}),
                                         with(gridRound(point.x, z, 0.4e-3, 0.12e-3, 20e-6, 20e-6),
                                              {{"grid", std::string("image")},
                                               {"transmit_aperture", std::string("shadow")},
                                               {"f_number", 0.0}})));
            EXPECT_NEAR(peak.x, point.x, 0.1 * walk.lambda());
            EXPECT_NEAR(peak.z, z, 0.1 * walk.lambda());
        }
    }
}

/// Focused waves into a volume: a point beside the outermost beams of a matrix array.
TEST(BeamformShadow, PointsOfAVolumeLieWhereTheyAre) {
    constexpr double kPitch = 0.45e-3;
    Scan scan{.elements = 64, .pitchM = kPitch, .samples = 900, .transmits = {}};
    for (const double x : {-0.07, 0.0, 0.07})
        for (const double y : {-0.07, 0.0, 0.07})
            scan.transmits.push_back(
                {.wave = Wave::Focused,
                 .source = {9e-3 * x, 9e-3 * y, 9e-3 * std::sqrt(1.0 - x * x - y * y)}});
    FrameSpec spec = specOf(scan, DType::ComplexF32, scan.fcHz);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::size_t e = 0; e < 64; ++e)
        acquisition->probe.elements[e] = {(static_cast<double>(e % 8) - 3.5) * kPitch,
                                          (static_cast<double>(e / 8) - 3.5) * kPitch, 0.0};
    spec.acquisition = acquisition;
    EXPECT_EQ(stageType("beamform").defaultsFor(spec).as<BeamformParams>().transmitAperture,
              TransmitAperture::Shadow);
    const Point point{-0.8e-3, 0.0, 7.5e-3};
    const HostFrame echoes = firedEchoes(spec, timesFor(*acquisition, 1540.0), 1540.0, {point});
    const HostFrame image = runStage(
        "beamform", echoes,
        with(gridRound(point.x, point.z, 0.3e-3, 0.09e-3, 30e-6, 30e-6),
             {{"elevation_min", -1e-4}, {"elevation_max", 1e-4}, {"pixel_elevation", 1e-4}}));
    // The middle slice.
    HostFrame slice{image.spec};
    slice.spec.axes.erase(slice.spec.axes.begin());
    const auto values = image.as<Complex>();
    const auto pixels = static_cast<std::size_t>(slice.spec.count());
    slice = HostFrame(slice.spec, std::vector<Complex>(values.begin() + std::ssize(values) / 3,
                                                       values.begin() + std::ssize(values) / 3 +
                                                           static_cast<std::ptrdiff_t>(pixels)));
    const Peak peak = peakOf<Complex>(slice);
    EXPECT_NEAR(peak.x, point.x, 0.2 * 1540.0 / 5e6);
    EXPECT_NEAR(peak.z, point.z, 0.1 * 1540.0 / 5e6);
}

} // namespace
} // namespace echolux::test
