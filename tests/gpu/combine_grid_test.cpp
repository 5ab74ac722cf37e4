// SPDX-License-Identifier: GPL-3.0-or-later
// combine on matrix arrays, in planes and volumes: against NumPy (vectors/make_combine_grid.py) and
// closed forms, and what beamform tells it of the array.
#include "gpu/core/acquisition.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/combine_run.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr const char* kNeighbours[] = {"generalized_coherence", "short_lag_coherence",
                                       "minimum_variance"};

/// A volume of two slices with one pixel in each of `rows` rows.
FrameSpec volumeSpec(std::int64_t lines, std::int64_t perLine, std::int64_t rows) {
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Channel, lines * perLine, 1.0, 0.0, ""},
                 {AxisName::Elevation, 2, 1e-3, 0.0, "m"},
                 {AxisName::Depth, rows, 1e-4, 0.0, "m"},
                 {AxisName::Lateral, 1, 1e-4, 0.0, "m"}};
    spec.termsPerLine = perLine;
    return spec;
}

/// echo(line, element, row) in the first slice; the second one is silent.
template <class Echo>
HostFrame volumeOf(std::int64_t lines, std::int64_t perLine, std::int64_t rows, const Echo& echo) {
    Samples samples;
    for (std::int64_t i = 0; i < lines * perLine; ++i) {
        for (std::int64_t row = 0; row < rows; ++row)
            samples.push_back(echo(i / perLine, i % perLine, row));
        samples.resize(samples.size() + static_cast<std::size_t>(rows));
    }
    return {volumeSpec(lines, perLine, rows), samples};
}

Combined combinedBy(const HostFrame& delayed, const char* method, Settings settings = {}) {
    settings.insert(settings.begin(), {"method", std::string(method)});
    return combined(delayed, settings);
}

class CombineGrid : public testing::Test {
protected:
    static constexpr std::int64_t kLines = 5;
    static constexpr std::int64_t kPerLine = 7;
    static constexpr std::int64_t kRows = 5;
    static constexpr std::size_t kMiddle = 2;

    /// [row][line][element] of the vectors, as lines of 7, or as lines of 5 where it is `turned`.
    HostFrame channels(bool turned) const {
        const std::vector<float>& parts = m_vectors["channels"];
        const auto echo = [&](std::int64_t line, std::int64_t element, std::int64_t row) {
            if (turned) std::swap(line, element);
            const auto at =
                static_cast<std::size_t>(2 * ((row * kLines + line) * kPerLine + element));
            return Complex{parts[at], parts[at + 1]};
        };
        return turned ? volumeOf(kPerLine, kLines, kRows, echo)
                      : volumeOf(kLines, kPerLine, kRows, echo);
    }

    Vectors m_vectors{"gpu/vectors/combine_grid.txt"};
};

TEST_F(CombineGrid, GeneralizedCoherenceIsThatOfNumPy) {
    for (const bool turned : {false, true}) {
        for (const std::int64_t bins : {1, 2}) {
            const std::string number = std::to_string(bins);
            const Settings some{{"low_bins", bins}};
            EXPECT_NEAR(combinedBy(channels(turned), "generalized_coherence", some).weight[kMiddle],
                        m_vectors["generalized_" + number].front(), 1e-5);
            EXPECT_NEAR(combinedBy(channels(turned), "generalized_coherence",
                                   with(some, {{"spectrum", std::string("array")}}))
                            .weight[kMiddle],
                        m_vectors["generalized_array_" + number].front(), 1e-5);
        }
    }
}

TEST_F(CombineGrid, ShortLagsAreThoseOfNumPy) {
    for (const bool turned : {false, true}) {
        for (const std::int64_t lags : {1, 2, 4}) {
            EXPECT_NEAR(combinedBy(channels(turned), "short_lag_coherence",
                                   {{"lags", lags}, {"rows", kRows}})
                            .weight[kMiddle],
                        m_vectors["short_lag_" + std::to_string(lags)].front(), 1e-5);
        }
    }
}

TEST_F(CombineGrid, MinimumVarianceIsThatOfNumPy) {
    const std::pair<const char*, Settings> cases[] = {
        {"plain", {}}, {"backwards", {{"backwards", true}}}, {"eigenspace", {{"eigenspace", 0.3}}}};
    for (const bool turned : {false, true}) {
        for (const auto& [name, settings] : cases) {
            const Complex out = combinedBy(channels(turned), "minimum_variance",
                                           with(settings, {{"averaged_rows", kRows}}))
                                    .image[kMiddle];
            const std::vector<float>& wanted = m_vectors[std::string("minimum_variance_") + name];
            const double size = std::hypot(wanted[0], wanted[1]);
            EXPECT_NEAR(out.re, wanted[0], 1e-4 * size) << name;
            EXPECT_NEAR(out.im, wanted[1], 1e-4 * size) << name;
        }
    }
}

TEST(CombineOnGrids, ChannelsThatAgreeKeepTheirSum) {
    const HostFrame same = volumeOf(8, 9, 3, [](auto...) { return Complex{0.3F, -2.0F}; });
    for (const char* method : kNeighbours) {
        const Combined out = combinedBy(same, method);
        EXPECT_NEAR(out.image[1].re, 72 * 0.3, 0.1) << method;
        EXPECT_NEAR(out.image[1].im, 72 * -2.0, 0.1) << method;
        EXPECT_NEAR(out.weight[1], 1.0, 1e-5) << method;
    }
}

/// Independent channels: each frequency has its share, and no pair agrees.
TEST(CombineOnGrids, NoiseHasItsMean) {
    constexpr std::int64_t kRows = 400;
    std::mt19937 random(53);
    std::normal_distribution<float> normal;
    const HostFrame noise = volumeOf(10, 12, kRows, [&](auto...) {
        return Complex{normal(random), normal(random)};
    });
    const auto meanOf = [&](const char* method, const Settings& settings) {
        double sum = 0.0;
        for (const float each : combinedBy(noise, method, settings).weight) sum += each;
        return sum / kRows;
    };
    EXPECT_NEAR(meanOf("generalized_coherence", {{"low_bins", std::int64_t{2}}}), 25.0 / 120.0,
                0.005);
    EXPECT_NEAR(meanOf("short_lag_coherence", {{"rows", std::int64_t{9}}}), 0.0, 0.01);
}

/// An echo from another elevation: the weights have their null at it.
TEST(CombineOnGrids, MinimumVarianceCancelsAnInterfererAcrossTheLines) {
    constexpr std::int64_t kRows = 63; // independent phases: the covariance tells both apart
    std::mt19937 random(7);
    std::uniform_real_distribution<double> phases(0.0, 6.28);
    std::vector<double> phaseOf(kRows);
    for (double& each : phaseOf) each = phases(random);
    phaseOf[kRows / 2] = 0.0;
    const HostFrame delayed =
        volumeOf(8, 8, kRows, [&](std::int64_t line, std::int64_t, std::int64_t row) {
            const double aside = kTwoPi * 2.3 * static_cast<double>(line) / 8.0 +
                                 phaseOf[static_cast<std::size_t>(row)];
            return Complex{float(1.0 + 3.0 * std::cos(aside)), float(3.0 * std::sin(aside))};
        });
    const Complex out =
        combinedBy(delayed, "minimum_variance", {{"averaged_rows", kRows}, {"loading", 1e-3}})
            .image[kRows / 2];
    EXPECT_NEAR(out.re, 64.0F, 0.02 * 64.0);
    EXPECT_NEAR(out.im, 0.0F, 0.02 * 64.0);
}

TEST(CombineOnGrids, RefusesWhatHasNoOrder) {
    FrameSpec spec = volumeSpec(4, 3, 2);
    spec.termsPerLine = 0;
    const auto refused = [&](const char* method) {
        return refusal([&] {
            runStage("combine", HostFrame(spec), {{"method", std::string(method)}});
        });
    };
    for (const char* method : kNeighbours)
        EXPECT_THAT(refused(method), HasSubstr("the channels of this volume stand neither in a "
                                               "line nor on a full grid"));
    spec.termsPerLine = 3;
    EXPECT_THAT(
        refusal([&] {
            runStage("combine", HostFrame(spec),
                     {{"method", std::string("short_lag_coherence")}, {"lags", std::int64_t{4}}});
        }),
        HasSubstr("'lags' = 4 needs more than as many channels in a line, but there are 4"));
}

TEST(CombineOnGrids, DefaultLagsFitTheArray) {
    const auto lagsOf = [](std::int64_t lines, std::int64_t perLine) {
        const FrameSpec spec = volumeSpec(lines, perLine, 2);
        return std::get<std::int64_t>(stageType("combine").defaultsFor(spec).get("lags"));
    };
    EXPECT_EQ(lagsOf(1, 128), 10);
    EXPECT_EQ(lagsOf(1, 8), 7);
    EXPECT_EQ(lagsOf(32, 32), 3);
    EXPECT_EQ(lagsOf(5, 64), 6);
    EXPECT_EQ(lagsOf(8, 8), 2);
    EXPECT_EQ(lagsOf(2, 2), 1);
}

Probe probeOf(std::vector<Point> elements) {
    Probe probe;
    probe.elements = std::move(elements);
    probe.pitchM = 0.3e-3;
    return probe;
}

/// Elements whose places along x and y are numbered by `outer` and `inner`.
template <class Place> Probe gridOf(int outer, int inner, const Place& place) {
    std::vector<Point> elements;
    for (int i = 0; i < outer; ++i)
        for (int j = 0; j < inner; ++j) elements.push_back(place(i, j));
    return probeOf(elements);
}

TEST(ElementsPerLine, OfEveryArray) {
    constexpr double kPitch = 0.3e-3;
    EXPECT_EQ(elementsPerLine(probeOf({})), 0);
    EXPECT_EQ(elementsPerLine(probeOf({{0.0, 0.0, 0.0}})), 1);
    const auto arc = [](int, int j) {
        const double angle = 0.01 * (j - 31.5);
        return Point{40e-3 * std::sin(angle), 0.0, 40e-3 * (std::cos(angle) - 1.0)};
    };
    EXPECT_EQ(elementsPerLine(gridOf(1, 64, arc)), 64);
    const auto rows = [](int i, int j) { return Point{j * kPitch, i * kPitch, 0.0}; };
    const auto columns = [](int i, int j) { return Point{i * kPitch, j * kPitch, 0.0}; };
    EXPECT_EQ(elementsPerLine(gridOf(6, 8, rows)), 8);
    EXPECT_EQ(elementsPerLine(gridOf(6, 8, columns)), 8);
    const auto bent = [&](int i, int j) { return Point{arc(0, j).x, i * kPitch, arc(0, j).z}; };
    EXPECT_EQ(elementsPerLine(gridOf(6, 8, bent)), 8);
    const auto banks = [](int i, int j) { // a gap after every second line
        return Point{j * kPitch, (i + i / 2) * kPitch, 0.0};
    };
    EXPECT_EQ(elementsPerLine(gridOf(6, 8, banks)), 8);
    const auto snake = [](int i, int j) {
        return Point{(i % 2 == 0 ? j : 7 - j) * kPitch, i * kPitch, 0.0};
    };
    EXPECT_EQ(elementsPerLine(gridOf(6, 8, snake)), 0);
    Probe missing = gridOf(6, 8, rows);
    missing.elements.pop_back();
    EXPECT_EQ(elementsPerLine(missing), 0);
    const auto spiral = [](int, int j) {
        return Point{1e-4 * j * std::cos(2.4 * j), 1e-4 * j * std::sin(2.4 * j), 0.0};
    };
    EXPECT_EQ(elementsPerLine(gridOf(1, 40, spiral)), 0);
    Probe rowColumn = gridOf(1, 8, rows);
    for (int i = 0; i < 8; ++i) rowColumn.elements.push_back({0.0, i * kPitch, 0.0});
    rowColumn.longAxes.assign(8, LongAxis::Elevation);
    rowColumn.longAxes.resize(16, LongAxis::Lateral);
    EXPECT_EQ(elementsPerLine(rowColumn), 16);
}

/// Of a matrix array whose elements fire alone, transmits are neighbours like channels.
TEST(ElementsPerLine, IsKnownBehindBeamform) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->probe = gridOf(4, 6, [](int i, int j) {
        return Point{j * 0.3e-3, i * 0.3e-3, 0.0};
    });
    for (const Point& each : acquisition->probe.elements)
        acquisition->transmits.push_back({.wave = Wave::Element, .source = each});
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.centreFrequencyHz = 3e6;
    const auto linesOf = [&](std::size_t output) {
        spec.axes = {{AxisName::Transmit, std::ssize(acquisition->transmits), 1.0, 0.0, ""},
                     {AxisName::Channel, 24, 1.0, 0.0, ""},
                     {AxisName::Sample, 400, 1.0 / 12e6, 0.0, "s"}};
        spec.acquisition = acquisition;
        const StageType& type = stageType("beamform");
        const StagePlan plan = type.plan(std::vector{spec}, type.defaultsFor(spec));
        return plan.outputs[output].termsPerLine;
    };
    EXPECT_EQ(linesOf(0), 0) << "the image";
    EXPECT_EQ(linesOf(1), 6) << "transmits";
    EXPECT_EQ(linesOf(2), 6) << "delayed";
    acquisition->transmits = {planeWave(0.0), planeWave(0.1)};
    EXPECT_EQ(linesOf(1), 0);
    EXPECT_EQ(linesOf(2), 6);
}

} // namespace
} // namespace echolux::test
