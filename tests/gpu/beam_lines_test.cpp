// SPDX-License-Identifier: GPL-3.0-or-later
// Focused transmits with lines of their own, from the echoes of one point target in closed form to
// the converted image: steered, fanning and uneven lines of linear and curved arrays.
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/sector.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <ostream>
#include <string>

namespace echolux::test {
namespace {

constexpr double kSpeed = 1540.0;
constexpr double kCentreHz = 5e6;
constexpr double kFsHz = 20e6;
constexpr double kDegrees = std::numbers::pi / 180.0;
constexpr double kPitch = 0.3e-3;
constexpr double kBend = 40e-3; ///< radius of the curved array
constexpr int kElements = 64;

struct FocusedLine {
    Point origin;
    double angleRad = 0.0;
};

struct LineCase {
    std::string name;
    std::vector<FocusedLine> lines;
    Point target;
    bool curved = false;
    Settings settings = {};
};

void PrintTo(const LineCase& c, std::ostream* out) { *out << c.name; }

Point elementAt(int e, bool curved) {
    const double along = (e - 0.5 * (kElements - 1)) * kPitch;
    return curved
               ? Point{kBend * std::sin(along / kBend), 0.0, kBend * (std::cos(along / kBend) - 1)}
               : Point{along, 0.0, 0.0};
}

/// Range r along a line.
Point onLine(const FocusedLine& line, double r) {
    return {line.origin.x + r * std::sin(line.angleRad), 0.0,
            line.origin.z + r * std::cos(line.angleRad)};
}

/// Each wave converges 30 mm along its line, which it fills with a Gaussian of 0.8 mm.
HostFrame echoesOf(const LineCase& c) {
    constexpr int kSamples = 1000;
    constexpr double kFocus = 30e-3;
    constexpr double kWidth = 0.8e-3;
    auto acquisition = std::make_shared<Acquisition>();
    for (int e = 0; e < kElements; ++e)
        acquisition->probe.elements.push_back(elementAt(e, c.curved));
    acquisition->probe.pitchM = kPitch;
    std::vector<float> samples;
    for (const FocusedLine& line : c.lines) {
        const Point source = onLine(line, kFocus);
        acquisition->transmits.push_back(
            {.wave = Wave::Focused, .source = source, .origin = line.origin});
        const double dx = c.target.x - line.origin.x;
        const double dz = c.target.z - line.origin.z;
        const double along = dx * std::sin(line.angleRad) + dz * std::cos(line.angleRad);
        const double aside = dx * std::cos(line.angleRad) - dz * std::sin(line.angleRad);
        const double toFocus = std::hypot(c.target.x - source.x, c.target.z - source.z);
        const double wave = std::hypot(source.x, source.z) + (along < kFocus ? -toFocus : toFocus);
        for (int e = 0; e < kElements; ++e) {
            const Point at = elementAt(e, c.curved);
            const double back = std::hypot(c.target.x - at.x, c.target.z - at.z);
            for (int n = 0; n < kSamples; ++n)
                samples.push_back(static_cast<float>(
                    std::exp(-std::pow(aside / kWidth, 2.0)) *
                    pulseAt(n / kFsHz - (wave + back) / kSpeed, kCentreHz).real()));
        }
    }
    FrameSpec spec;
    spec.axes = {{AxisName::Transmit, std::ssize(c.lines), 1.0, 0.0, ""},
                 {AxisName::Channel, kElements, 1.0, 0.0, ""},
                 {AxisName::Sample, kSamples, 1.0 / kFsHz, 0.0, "s"}};
    spec.centreFrequencyHz = kCentreHz;
    spec.acquisition = acquisition;
    return {spec, samples};
}

HostFrame beamformed(const LineCase& c) {
    return runStage("beamform", runStage("analytic", echoesOf(c)), c.settings);
}

/// A line every 0.3 mm over the middle of the array; `angle` of its place in m.
template <class Angle> std::vector<FocusedLine> walking(Angle angle) {
    std::vector<FocusedLine> lines;
    for (int i = 0; i < 33; ++i) {
        const double x = (i - 16) * kPitch;
        lines.push_back({{x, 0.0, 0.0}, angle(x)});
    }
    return lines;
}

std::vector<FocusedLine> unevenColumns() {
    std::vector<FocusedLine> lines = walking([](double) { return 0.0; });
    for (FocusedLine& line : lines) line.origin.x += 20.0 * line.origin.x * line.origin.x;
    return lines;
}

/// Of a curved array, 10 degrees beside the way that its face looks.
std::vector<FocusedLine> steeredOnAnArc() {
    std::vector<FocusedLine> lines;
    for (int i = 0; i < 41; ++i) {
        const double at = 0.5 * (i - 20) * kDegrees;
        lines.push_back(
            {{kBend * std::sin(at), 0.0, kBend * (std::cos(at) - 1.0)}, at + 10.0 * kDegrees});
    }
    return lines;
}

std::vector<FocusedLine> fan(double x, double unevenRad) {
    std::vector<FocusedLine> lines;
    for (int i = 0; i < 41; ++i) {
        const double angle = (i - 20) * kDegrees;
        lines.push_back({{x, 0.0, 0.0}, angle + unevenRad * std::sin(7.0 * angle)});
    }
    return lines;
}

std::vector<LineCase> lineCases() {
    const auto steered = walking([](double) { return 15.0 * kDegrees; });
    const auto trapezoid = walking([](double x) { return x / 4.8e-3 * 15.0 * kDegrees; });
    return {{"steered", steered, {5.5e-3, 0.0, 22e-3}},
            {"steered_two_lines_each",
             steered,
             {5.5e-3, 0.0, 22e-3},
             false,
             {{"lines_per_transmit", std::int64_t{2}}}},
            {"trapezoid", trapezoid, {5.5e-3, 0.0, 22e-3}},
            {"uneven_columns", unevenColumns(), {0.5e-3, 0.0, 22e-3}},
            {"steered_on_an_arc", steeredOnAnArc(), {6e-3, 0.0, 23e-3}, true},
            {"fan", fan(0.0, 0.0), {5.5e-3, 0.0, 22e-3}},
            {"uneven_fan", fan(0.0, 0.05), {5.5e-3, 0.0, 22e-3}},
            {"fan_beside_the_middle", fan(3e-3, 0.0), {5.5e-3, 0.0, 22e-3}}};
}

class BeamLines : public testing::TestWithParam<LineCase> {};

TEST_P(BeamLines, PointTargetLandsAtItsPlace) {
    const HostFrame beams = beamformed(GetParam());
    ASSERT_NE(beams.spec.sector, nullptr);
    const HostFrame image = runStage("scan_conversion", runStage("envelope", beams));
    const Peak peak = peakOf<float>(image);
    EXPECT_NEAR(peak.x, GetParam().target.x, 0.25e-3); // lines lie up to 0.66 mm apart
    EXPECT_NEAR(peak.z, GetParam().target.z, 0.08e-3);
    EXPECT_TRUE(image.spec.within->contains(peak.x, peak.z));
}

/// Pixels of the beams' own grid say where they lie.
TEST_P(BeamLines, FrameSaysWhereItsSamplesLie) {
    const HostFrame beams = runStage("envelope", beamformed(GetParam()));
    const Axis& range = *beams.spec.find(AxisName::Depth);
    const std::int64_t lines = beams.spec.sizeOf(AxisName::Lateral);
    const auto values = beams.as<float>();
    const auto top = std::ranges::max_element(values) - values.begin();
    const Point at =
        beams.spec.sector->at(static_cast<std::size_t>(top % lines),
                              range.origin + static_cast<double>(top / lines) * range.spacing);
    // The nearest line may be half a step aside.
    EXPECT_NEAR(at.x, GetParam().target.x, 0.35e-3);
    EXPECT_NEAR(at.z, GetParam().target.z, 0.12e-3);
}

INSTANTIATE_TEST_SUITE_P(Cases, BeamLines, testing::ValuesIn(lineCases()),
                         [](const auto& c) { return c.param.name; });

TEST(BeamLines, ThatLookStraightDownAreColumns) {
    const LineCase straight{"straight", walking([](double) { return 0.0; }), {0.5e-3, 0.0, 22e-3}};
    const HostFrame image = runStage("envelope", beamformed(straight));
    EXPECT_EQ(image.spec.sector, nullptr);
    const Peak peak = peakOf<float>(image);
    EXPECT_NEAR(peak.x, 0.5e-3, 0.16e-3);
    EXPECT_NEAR(peak.z, 22e-3, 0.05e-3);
}

TEST(BeamLines, ThatCrossAreRefused) {
    const Settings lines{{"grid", std::string("beams")},
                         {"transmit_aperture", std::string("lines")}};
    const LineCase crossing{
        "crossing", walking([](double x) { return -x / 0.01; }), {}, false, lines};
    EXPECT_THAT(testing_support::refusal([&] { beamformed(crossing); }),
                testing::HasSubstr("meet or cross"));
    const BeamformParams usual =
        stageType("beamform").defaultsFor(echoesOf(crossing).spec).as<BeamformParams>();
    EXPECT_EQ(usual.grid, PixelGrid::Image) << "opens all the same";
    EXPECT_EQ(usual.transmitAperture, TransmitAperture::Shadow);
    LineCase twice{"twice", fan(0.0, 0.0), {}, false, lines};
    twice.lines.push_back(twice.lines.front());
    EXPECT_THAT(testing_support::refusal([&] { beamformed(twice); }),
                testing::HasSubstr("in one direction"));
}

} // namespace
} // namespace echolux::test
