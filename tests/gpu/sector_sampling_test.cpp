// SPDX-License-Identifier: GPL-3.0-or-later
// Default sectors, pictures of concave arrays and volumes keep the levels and places of points:
// echoes in closed form, imaged with all defaults, against the same sum at the points' own places.
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/sector.hpp"
#include "tests/gpu/beamform_run.hpp"

#include <functional>
#include <ostream>
#include <string>

namespace echolux::test {
namespace {

constexpr double kSpeed = 1540.0;
constexpr double kCentreHz = 3.5e6;
constexpr double kFsHz = 28e6;
constexpr double kBend = 50e-3; ///< radius of the curved arrays

struct SectorCase {
    std::string name;
    int elements = 64;
    double pitchM = 0.2e-3;
    bool curved = false;
    double bandwidth = 0.6; ///< -6 dB, both ways
    std::vector<double> sourceX = {};
    double sourceZ = -15e-3;
    double startS = 20e-6;
    bool concave = false;
};

void PrintTo(const SectorCase& c, std::ostream* out) { *out << c.name; }

Point elementAt(const SectorCase& c, int e) {
    const double along = (e - 0.5 * (c.elements - 1)) * c.pitchM;
    if (c.concave)
        return {kBend * std::sin(along / kBend), 0.0, kBend * (1.0 - std::cos(along / kBend))};
    return c.curved
               ? Point{kBend * std::sin(along / kBend), 0.0, kBend * (std::cos(along / kBend) - 1)}
               : Point{along, 0.0, 0.0};
}

/// At places that are no pixels of anything, far enough from each other.
std::vector<Point> targets() {
    return {{0.37e-3, 0.0, 24.13e-3},  {-6.91e-3, 0.0, 31.57e-3}, {9.43e-3, 0.0, 33.91e-3},
            {1.09e-3, 0.0, 41.77e-3},  {-13.3e-3, 0.0, 45.21e-3}, {7.77e-3, 0.0, 48.99e-3},
            {-3.41e-3, 0.0, 53.63e-3}, {15.1e-3, 0.0, 55.31e-3}};
}

/// Analytic signals; pulses whose spectrum is a Gaussian of the bandwidth.
HostFrame echoesOf(const SectorCase& c, const std::function<void(Acquisition&)>& addWaves) {
    constexpr int kEchoSamples = 1900;
    const double width = 0.375 / (c.bandwidth * kCentreHz); // rms of the envelope, s
    auto acquisition = std::make_shared<Acquisition>();
    Probe& probe = acquisition->probe;
    for (int e = 0; e < c.elements; ++e) probe.elements.push_back(elementAt(c, e));
    probe.pitchM = c.pitchM;
    probe.fractionalBandwidth = c.bandwidth;
    addWaves(*acquisition);
    std::vector<Complex> samples;
    for (const Transmit& wave : acquisition->transmits) {
        for (int e = 0; e < c.elements; ++e) {
            std::vector<Complex> line(kEchoSamples);
            for (const Point& p : targets()) {
                const Point at = probe.elements[static_cast<std::size_t>(e)];
                const double arrival = transmitTime(wave, p.x, p.z, kSpeed) +
                                       std::hypot(p.x - at.x, p.z - at.z) / kSpeed;
                const double centre = (arrival - c.startS) * kFsHz;
                const double reach = 6.0 * width * kFsHz;
                const int first = std::max(0, static_cast<int>(centre - reach));
                const int last = std::min(kEchoSamples - 1, static_cast<int>(centre + reach));
                for (int n = first; n <= last; ++n) {
                    const double s = (n - centre) / kFsHz;
                    const auto echo = std::exp(-0.5 * (s / width) * (s / width)) *
                                      std::polar(1.0, kTwoPi * kCentreHz * s);
                    auto& sample = line[static_cast<std::size_t>(n)];
                    sample.re += static_cast<float>(echo.real());
                    sample.im += static_cast<float>(echo.imag());
                }
            }
            samples.insert(samples.end(), line.begin(), line.end());
        }
    }
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Transmit, std::ssize(acquisition->transmits), 1.0, 0.0, ""},
                 {AxisName::Channel, c.elements, 1.0, 0.0, ""},
                 {AxisName::Sample, kEchoSamples, 1.0 / kFsHz, 0.0, "s"}};
    spec.centreFrequencyHz = kCentreHz;
    spec.acquisition = acquisition;
    return {spec, samples};
}

HostFrame divergingEchoesOf(const SectorCase& c) {
    return echoesOf(c, [&](Acquisition& a) {
        for (const double x : c.sourceX)
            a.transmits.push_back(sourceAt(Wave::Diverging, x, c.sourceZ, c.startS));
    });
}

HostFrame inDecibels(const HostFrame& image) {
    return runStage(
        "log_compression", runStage("envelope", image),
        {{"reference", std::string("fixed")}, {"fixed_reference", 1e4}, {"range_db", 120.0}});
}

/// The highest pixel no farther than 1 mm from the target.
Peak peakNear(const HostFrame& image, const Point& target) {
    const Axis& depth = image.spec.axes[0];
    const Axis& lateral = image.spec.axes[1];
    Peak peak{.value = -1e9};
    for (std::int64_t i = 0; i < image.spec.count(); ++i) {
        const double x = lateral.origin + static_cast<double>(i % lateral.size) * lateral.spacing;
        const double z = depth.origin + static_cast<double>(i / lateral.size) * depth.spacing;
        const double value = image.as<float>()[static_cast<std::size_t>(i)];
        if (std::hypot(x - target.x, z - target.z) < 1e-3 && value > peak.value)
            peak = {x, z, value};
    }
    return peak;
}

class DefaultSector : public testing::TestWithParam<SectorCase> {};

TEST_P(DefaultSector, PointsKeepLevelAndPlace) {
    const HostFrame echoes = divergingEchoesOf(GetParam());
    const auto defaults = stageType("beamform").defaultsFor(echoes.spec).as<BeamformParams>();
    ASSERT_EQ(defaults.grid, PixelGrid::Beams);
    const HostFrame image = runStage("scan_conversion", inDecibels(runStage("beamform", echoes)));
    // On beams the aperture of a flat array is the whole array beyond 24 mm.
    const double fNumber = GetParam().curved ? defaults.fNumber : 0.0;
    for (const Point& target : targets()) {
        SCOPED_TRACE(testing::PrintToString(1e3 * target.x) + ", " +
                     testing::PrintToString(1e3 * target.z) + " mm");
        const Settings fine = with(gridRound(target.x, target.z, 0.6e-3, 0.3e-3, 15e-6, 5e-6),
                                   {{"grid", std::string("image")}, {"f_number", fNumber}});
        const Peak own = peakNear(inDecibels(runStage("beamform", echoes, fine)), target);
        const Peak shown = peakNear(image, target);
        EXPECT_NEAR(shown.value, own.value, 0.5) << "dB";
        EXPECT_NEAR(shown.x, target.x, 0.15e-3);
        EXPECT_NEAR(shown.z, target.z, 0.05e-3);
    }
}

/// Focused lines of a curved array, 1.2 degrees apart, and a point between two of them, against as
/// many and as fine lines as there can be.
TEST(DefaultSectors, PointsBetweenOwnLinesKeepTheirLevel) {
    const SectorCase c{.name = "own_lines", .elements = 96, .pitchM = 0.4e-3, .curved = true};
    constexpr double kStep = 1.2 * std::numbers::pi / 180.0;
    const HostFrame echoes = echoesOf(c, [&](Acquisition& a) {
        for (int i = -8; i <= 8; ++i) {
            const double angle = i * kStep;
            const Point from{kBend * std::sin(angle), 0.0, kBend * (std::cos(angle) - 1.0)};
            Transmit wave = sourceAt(Wave::Focused, from.x + 70e-3 * std::sin(angle),
                                     from.z + 70e-3 * std::cos(angle), c.startS);
            wave.origin = from;
            a.transmits.push_back(wave);
        }
    });
    const HostFrame image = runStage("scan_conversion", inDecibels(runStage("beamform", echoes)));
    const HostFrame fine = runStage(
        "scan_conversion",
        inDecibels(runStage("beamform", echoes,
                            {{"lines_per_transmit", std::int64_t{16}}, {"pixel_depth", 30e-6}})),
        {{"pixel", 30e-6}});
    for (const Point& target : targets()) {
        SCOPED_TRACE(testing::PrintToString(1e3 * target.x) + " mm");
        if (std::abs(std::atan2(target.x, target.z + kBend)) > 7.0 * kStep) continue;
        const Peak shown = peakNear(image, target);
        EXPECT_NEAR(shown.value, peakNear(fine, target).value, 0.5) << "dB";
        EXPECT_NEAR(shown.x, target.x, 0.2e-3);
        EXPECT_NEAR(shown.z, target.z, 0.1e-3);
    }
}

SectorCase concaveCase() {
    return {.name = "concave",
            .elements = 128,
            .pitchM = 0.4e-3,
            .sourceX = {-8e-3, 0.0, 8e-3},
            .sourceZ = -60e-3,
            .concave = true};
}

/// A picture that no scan conversion makes, since beams of such an array meet before they part.
TEST(ConcaveArray, PointsKeepLevelAndPlace) {
    const HostFrame echoes = divergingEchoesOf(concaveCase());
    ASSERT_EQ(stageType("beamform").defaultsFor(echoes.spec).as<BeamformParams>().grid,
              PixelGrid::Image);
    const HostFrame image = inDecibels(runStage("beamform", echoes));
    for (const Point& target : targets()) {
        SCOPED_TRACE(testing::PrintToString(1e3 * target.x) + " mm");
        const Settings fine = gridRound(target.x, target.z, 0.6e-3, 0.3e-3, 15e-6, 5e-6);
        const Peak own = peakNear(inDecibels(runStage("beamform", echoes, fine)), target);
        const Peak shown = peakNear(image, target);
        EXPECT_GT(own.value, -60.0);
        EXPECT_NEAR(shown.value, own.value, 0.5) << "dB";
        EXPECT_NEAR(shown.x, target.x, 0.15e-3);
        EXPECT_NEAR(shown.z, target.z, 0.05e-3);
    }
}

/// Before and behind the place where the beams meet, 50 mm deep.
TEST(ConcaveArray, BeamsStartAtTheElementsAndMeet) {
    const HostFrame echoes = divergingEchoesOf(concaveCase());
    const HostFrame beams = runStage("beamform", echoes,
                                     {{"grid", std::string("beams")},
                                      {"angle_min", -0.5},
                                      {"angle_max", 0.5},
                                      {"lines", std::int64_t{512}},
                                      {"pixel_depth", 60e-6}});
    ASSERT_NE(beams.spec.sector, nullptr);
    EXPECT_NEAR(beams.spec.sector->radiusM, -kBend, 1e-6);
    EXPECT_NEAR(beams.spec.sector->apexZM, kBend, 1e-6);
    const HostFrame image = runStage("scan_conversion", inDecibels(beams));
    for (const Point& target : targets()) {
        const double away = target.z - kBend;
        if (std::abs(std::atan(target.x / away)) > 0.45 || std::abs(away) < 2e-3) continue;
        SCOPED_TRACE(testing::PrintToString(1e3 * target.x) + " mm");
        const Settings fine = gridRound(target.x, target.z, 0.6e-3, 0.3e-3, 15e-6, 5e-6);
        const Peak own = peakNear(inDecibels(runStage("beamform", echoes, fine)), target);
        const Peak shown = peakNear(image, target);
        EXPECT_NEAR(shown.value, own.value, 0.5) << "dB";
        EXPECT_NEAR(shown.x, target.x, 0.15e-3);
        EXPECT_NEAR(shown.z, target.z, 0.06e-3);
    }
}

/// A matrix array that sends one plane wave. The default voxels are coarse beside a point's width
/// in depth, or across near the array.
HostFrame matrixEchoes(const std::vector<Point>& points) {
    constexpr int kSide = 12;
    constexpr int kLength = 700;
    constexpr double kStartS = 12e-6;
    constexpr double kPitch = 0.3e-3;
    const double width = 0.375 / (0.6 * kCentreHz);
    auto acquisition = std::make_shared<Acquisition>();
    Probe& probe = acquisition->probe;
    for (int i = 0; i < kSide * kSide; ++i)
        probe.elements.push_back({(i % kSide - 0.5 * (kSide - 1)) * kPitch,
                                  (i / kSide - 0.5 * (kSide - 1)) * kPitch, 0.0});
    probe.pitchM = kPitch;
    probe.fractionalBandwidth = 0.6;
    acquisition->transmits = {planeWave(0.0, kStartS)};
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Transmit, 1, 1.0, 0.0, ""},
                 {AxisName::Channel, kSide * kSide, 1.0, 0.0, ""},
                 {AxisName::Sample, kLength, 1.0 / kFsHz, 0.0, "s"}};
    spec.centreFrequencyHz = kCentreHz;
    spec.acquisition = acquisition;
    std::vector<Complex> samples;
    for (const Point& e : probe.elements) {
        for (int n = 0; n < kLength; ++n) {
            std::complex<double> sum;
            for (const Point& p : points) {
                const double away = std::hypot(p.x - e.x, p.y - e.y, p.z - e.z);
                const double s = kStartS + n / kFsHz - (p.z + away) / kSpeed;
                sum += std::exp(-0.5 * (s / width) * (s / width)) *
                       std::polar(1.0, kTwoPi * kCentreHz * s);
            }
            samples.push_back({static_cast<float>(sum.real()), static_cast<float>(sum.imag())});
        }
    }
    return {spec, samples};
}

/// The largest magnitude no farther than `reach` from the point.
double largestNear(const HostFrame& volume, const Point& point, double reach) {
    const std::vector<Axis>& axes = volume.spec.axes; // elevation, depth, lateral
    double largest = 0.0;
    for (std::int64_t i = 0; i < volume.spec.count(); ++i) {
        const auto at = [&](std::size_t axis, std::int64_t index) {
            return axes[axis].origin + static_cast<double>(index) * axes[axis].spacing;
        };
        const std::int64_t row = i / axes[2].size;
        if (std::hypot(at(2, i % axes[2].size) - point.x, at(0, row / axes[1].size) - point.y,
                       at(1, row % axes[1].size) - point.z) > reach)
            continue;
        const Complex value = volume.as<Complex>()[static_cast<std::size_t>(i)];
        largest = std::max(largest, static_cast<double>(norm(value)));
    }
    return std::sqrt(largest);
}

TEST(DefaultVolumes, PointsKeepTheirLevel) {
    const std::vector<Point> points{{0.137e-3, 0.093e-3, 10.413e-3}, {-0.92e-3, 0.71e-3, 12.67e-3},
                                    {1.31e-3, -1.07e-3, 15.038e-3},  {-0.43e-3, -1.33e-3, 17.83e-3},
                                    {0.77e-3, 0.59e-3, 20.291e-3},   {-1.7e-3, 0.2e-3, 23.556e-3}};
    const HostFrame echoes = matrixEchoes(points);
    const HostFrame volume = runStage("beamform", echoes);
    ASSERT_EQ(volume.spec.axes.size(), 3U);
    EXPECT_LE(volume.spec.count(), 2'100'000);
    for (const Point& p : points) {
        SCOPED_TRACE(testing::PrintToString(1e3 * p.z) + " mm");
        Settings fine = gridRound(p.x, p.z, 0.2e-3, 0.1e-3, 50e-6, 10e-6);
        fine = with(fine, {{"grid", std::string("volume")},
                           {"elevation_min", p.y - 0.2e-3},
                           {"elevation_max", p.y + 0.2e-3},
                           {"pixel_elevation", 50e-6}});
        const double own = largestNear(runStage("beamform", echoes, fine), p, 1e-3);
        EXPECT_LT(20.0 * std::log10(own / largestNear(volume, p, 1e-3)), 0.5) << "dB";
    }
}

std::vector<SectorCase> sectorCases() {
    const std::vector<double> one{0.0};
    const std::vector<double> several{-8e-3, -4e-3, 0.0, 4e-3, 8e-3};
    SectorCase curved{"curved", 128, 0.4e-3, true, 0.6, several, -60e-3};
    SectorCase broad = curved;
    broad.name = "curved_broad_band";
    broad.bandwidth = 1.0;
    return {{"phased_one_wave", 64, 0.2e-3, false, 0.6, one},
            {"phased_narrow_band", 84, 0.2e-3, false, 0.3, several},
            {"phased_broad_band", 64, 0.2e-3, false, 0.9, several},
            curved,
            broad};
}

INSTANTIATE_TEST_SUITE_P(Cases, DefaultSector, testing::ValuesIn(sectorCases()),
                         [](const auto& c) { return c.param.name; });

} // namespace
} // namespace echolux::test
