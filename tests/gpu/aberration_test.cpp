// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates on the host against NumPy (vectors/make_aberration.py): focused spectra, Herikstad's
// published iterations step by step; and screens that are known.
#include "gpu/aberration/host_estimate.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace echolux::aberration {
namespace {

using test::Vectors;
using testing_support::refusal;

constexpr double kTurn = 2.0 * std::numbers::pi;

const Vectors& vectors() {
    static const Vectors kVectors("gpu/vectors/aberration.txt");
    return kVectors;
}

/// Largest difference from `expected`, pairs of real and imaginary part, over its largest
/// magnitude.
double differenceOf(const std::vector<Complex>& found, const std::vector<float>& expected) {
    if (found.size() * 2 != expected.size()) return 1e9;
    double most = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::complex<double> wanted(expected[2 * i], expected[2 * i + 1]);
        most = std::max(most, std::abs(std::complex<double>(found[i].re, found[i].im) - wanted));
        largest = std::max(largest, std::abs(wanted));
    }
    return most / largest;
}

// --- Published iterations ------------------------------------------------------------------------

Spectra spectraOf(const std::string& cube) {
    const std::vector<float>& facts = vectors()[cube + "_facts"];
    const auto rows = static_cast<std::int32_t>(facts[0]);
    const auto columns = static_cast<std::int32_t>(facts[1]);
    return spectraOfAligned(
        denseGrid(rows, columns), vectors()[cube], static_cast<std::size_t>(facts[2]), facts[3],
        {static_cast<std::int64_t>(facts[4]), static_cast<std::int64_t>(facts[5])});
}

struct Published {
    const char* cube;
    const char* name;
    std::int64_t radius;
    Method method;
    double mu;
    std::int64_t iterations;
    double epsilon;
};

class PublishedIteration : public testing::TestWithParam<Published> {};

TEST_P(PublishedIteration, MatchesNumPyStepByStep) {
    const Published& p = GetParam();
    const SolveParams params{.method = p.method,
                             .radius = p.radius,
                             .iterations = p.iterations,
                             .mu = p.mu,
                             .epsilon = p.epsilon};
    Estimate found = estimate(spectraOf(p.cube), params, true);
    const std::string key =
        std::string(p.cube) + "_" + p.name + "_" + std::to_string(2 * p.radius + 1);
    const std::vector<float>& magnitudes = vectors()[key + "_magnitudes"];
    const std::vector<float>& changes = vectors()[key + "_changes"];
    EXPECT_EQ(found.iterations, static_cast<std::int64_t>(magnitudes.size()));
    ASSERT_GE(found.steps.size(), magnitudes.size());
    found.steps.resize(magnitudes.size()); // then it has ended
    EXPECT_LT(differenceOf(found.steps[1].filter, vectors()[key + "_step_2"]), 1e-5);
    EXPECT_LT(differenceOf(found.steps.back().filter, vectors()[key + "_last"]), 1e-5);
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
        EXPECT_NEAR(found.steps[i].change, changes[i], 1e-4 * changes[i] + 1e-6) << "step " << i;
        EXPECT_NEAR(found.steps[i].changeOfMagnitudes, magnitudes[i], 1e-4 * magnitudes[i] + 1e-5)
            << "step " << i;
    }
}

std::vector<Published> published() {
    std::vector<Published> all;
    for (const char* cube : {"matrix", "line"}) {
        for (const std::int64_t radius : {1, 2}) {
            all.push_back({cube, "matlab", radius, Method::Matlab, 0.3, 30, 0.0});
            all.push_back({cube, "gpu", radius, Method::Gpu, 0.1, 50, 0.01});
            all.push_back({cube, "cpu", radius, Method::Cpu, 0.1, 50, 0.01});
            all.push_back({cube, "conjugate", radius, Method::Conjugate, 0.9, 12, 0.0});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Herikstad, PublishedIteration, testing::ValuesIn(published()),
                         [](const auto& each) {
                             return std::string(each.param.cube) + "_" + each.param.name + "_" +
                                    std::to_string(2 * each.param.radius + 1);
                         });

TEST(AlignedSpectra, AreThoseOfNumPy) {
    for (const std::string cube : {"matrix", "line"}) {
        const Spectra spectra = spectraOf(cube);
        const std::vector<float>& facts = vectors()[cube + "_facts"];
        ASSERT_EQ(spectra.binsHz.size(), static_cast<std::size_t>(facts[5]));
        EXPECT_NEAR(spectra.binsHz[0], facts[4] * facts[3] / facts[2], 1.0);
        EXPECT_LT(differenceOf(spectra.values, vectors()[cube + "_spectra"]), 1e-5);
    }
}

TEST(AlignedSpectra, AreOfTheBinsRoundTheCentre) {
    // 35 MHz over 64 samples: 0.547 MHz a bin; 3.5 MHz is 6.4 bins.
    EXPECT_EQ(binsRound(3.5e6, 35e6, 64, 5), (BinRange{4, 5}));
    EXPECT_EQ(binsRound(3.5e6, 35e6, 64, 6), (BinRange{3, 6}));
    EXPECT_EQ(binsRound(0.3e6, 35e6, 64, 1), (BinRange{1, 1}));
    EXPECT_EQ(binsRound(16.9e6, 35e6, 64, 1), (BinRange{31, 1})) << "half of the samples are 32";
    EXPECT_EQ(binsWithin(1.64e6, 35e6, 64), 4);
    EXPECT_EQ(binsWithin(1e-9, 35e6, 64), 1);
    EXPECT_EQ(binsWithin(1e300, 35e6, 64), 64);
    const std::vector<double> hz = frequenciesOf({4, 3}, 35e6, 64);
    ASSERT_EQ(hz.size(), 3U);
    EXPECT_DOUBLE_EQ(hz[2], 6.0 * 35e6 / 64.0);
}

TEST(AlignedSpectra, OfFrequenciesThatLieNowhereAreRefused) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const double fs : {2e-23, 1e-300, 5e6, 0.0, -70e6, 1e300, kNan})
        for (const double fc : {3.5e6, 5e-324, 1e300, kNan})
            EXPECT_THAT(refusal([&] { binsRound(fc, fs, 64, 15); }),
                        testing::HasSubstr("leave the spectrum"))
                << fs << ", " << fc;
}

/// Codes of 16 bits are whole floats, so both make the same bins, to the bit.
TEST(AlignedSpectra, OfCodesAreThoseOfTheSameFloats) {
    constexpr std::int64_t kPlaces = 6;
    constexpr std::int64_t kCount = 61;
    std::mt19937 random(5);
    std::uniform_int_distribution<int> code(-32768, 32767);
    std::vector<std::int16_t> codes(kPlaces * kCount);
    for (std::int16_t& each : codes) each = static_cast<std::int16_t>(code(random));
    const std::vector<float> floats(codes.begin(), codes.end());
    const std::vector<Complex> turns = turnsOf(kCount);
    std::vector<Complex> ofCodes(kPlaces * 9);
    std::vector<Complex> ofFloats(ofCodes.size());
    alignedBins({}, codes.data(), kPlaces, kCount, {4, 9}, turns.data(), ofCodes);
    alignedBins({}, floats.data(), kPlaces, kCount, {4, 9}, turns.data(), ofFloats);
    for (std::size_t i = 0; i < ofCodes.size(); ++i) {
        EXPECT_EQ(ofCodes[i].re, ofFloats[i].re);
        EXPECT_EQ(ofCodes[i].im, ofFloats[i].im);
    }
    EXPECT_THAT(refusal([&] {
                    alignedBins({}, codes.data(), kPlaces, kCount, {4, 10}, turns.data(), ofCodes);
                }),
                testing::HasSubstr("room for"));
}

/// Written is what there is room for: more bins than that are refused, not written beside it.
TEST(AlignedSpectra, AreNotWrittenBesideTheirBlock) {
    const std::vector<float> samples(32 * 64, 1.0F);
    const std::vector<Complex> turns = turnsOf(64);
    std::vector<Complex> block(32 * 15);
    const auto written = [&](const BinRange& bins, std::size_t room) {
        return refusal([&] {
            alignedBins({Backend::Cpu, nullptr}, samples.data(), 32, 64, bins, turns.data(),
                        std::span(block).first(room));
        });
    };
    EXPECT_EQ(written({3, 15}, 480), "accepted");
    EXPECT_NEAR(block.back().re, 0.0, 1e-4) << "a constant has but bin 0";
    for (const std::size_t room : {std::size_t{0}, std::size_t{479}})
        EXPECT_THAT(written({3, 15}, room), testing::HasSubstr("room for"));
    constexpr auto kFar = std::numeric_limits<std::int64_t>::max();
    for (const BinRange bins : {BinRange{-1, 15}, BinRange{50, 15}, BinRange{kFar, 15},
                                BinRange{-kFar - 1, 15}, BinRange{3, 0}, BinRange{3, kFar}})
        EXPECT_THAT(written(bins, 480), testing::HasSubstr("room for")) << bins.first;
    const ElementGrid grid = denseGrid(4, 8);
    EXPECT_THAT(refusal([&] {
                    spectraOfAligned(grid, samples, 65, 35e6, {3, 15});
                }),
                testing::HasSubstr("2048 values are there"));
    EXPECT_THAT(refusal([&] {
                    spectraOfAligned(grid, samples, 64, 35e6, {3, kFar});
                }),
                testing::HasSubstr("within a transform"));
    Spectra spectra = spectraOfAligned(grid, samples, 64, 35e6, {3, 15});
    spectra.binsHz.pop_back();
    EXPECT_THAT(refusal([&] { estimate(spectra, {}); }), testing::HasSubstr("480 values"));
}

// --- Focused spectra -----------------------------------------------------------------------------

FrameSpec wavesFrame(bool iq) {
    const std::vector<float>& facts = vectors()["waves_facts"];
    const std::vector<float>& angles = vectors()["waves_angles"];
    const auto transmits = static_cast<std::int64_t>(angles.size());
    const std::int64_t decimation = iq ? 2 : 1;
    FrameSpec spec;
    spec.dtype = iq ? DType::ComplexF32 : DType::F32;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, static_cast<std::int64_t>(facts[0]), 1.0, 0.0, ""},
                 {AxisName::Sample, static_cast<std::int64_t>(facts[1]) / decimation,
                  static_cast<double>(decimation) / facts[2], 0.0, "s"}};
    spec.centreFrequencyHz = facts[3];
    if (iq) spec.demodulationFrequencyHz = facts[9];
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->soundSpeedMps = facts[4];
    acquisition->probe.centreFrequencyHz = facts[3];
    const std::vector<float>& elements = vectors()["waves_elements"];
    acquisition->probe.pitchM = static_cast<double>(elements[1]) - elements[0];
    for (const float x : elements) acquisition->probe.elements.push_back({x, 0.0, 0.0});
    for (std::size_t t = 0; t < angles.size(); ++t) {
        Transmit transmit;
        transmit.angleRad = angles[t];
        transmit.firstSampleS = vectors()["waves_first"][t];
        if (iq) transmit.iqPhaseZeroS = vectors()["waves_zero"][t];
        acquisition->transmits.push_back(transmit);
    }
    spec.acquisition = acquisition;
    return spec;
}

TEST(FocusedSpectra, AreThoseOfTheDefinitionInNumPy) {
    const std::vector<float>& facts = vectors()["waves_facts"];
    const std::vector<float>& points = vectors()["waves_points"];
    for (const bool iq : {false, true}) {
        const std::string name = iq ? "waves_iq" : "waves_rf";
        const FrameSpec spec = wavesFrame(iq);
        for (std::size_t i = 0; i < points.size() / 2; ++i) {
            FocusParams params;
            params.lateralM = points[2 * i];
            params.depthM = points[2 * i + 1];
            params.widthM = 1e-4;
            params.heightM = 1e-4;
            params.points = 1;
            params.gateS = facts[5];
            params.centreHz = facts[6];
            params.bandwidthHz = facts[7];
            params.bins = static_cast<std::int64_t>(facts[8]);
            params.soundSpeedMps = facts[4];
            const Spectra spectra = focusedSpectra(spec, vectors()[name].data(), params);
            ASSERT_EQ(spectra.points, 1);
            ASSERT_EQ(spectra.binsHz.size(), vectors()["waves_bins"].size());
            for (std::size_t b = 0; b < spectra.binsHz.size(); ++b)
                EXPECT_NEAR(spectra.binsHz[b], vectors()["waves_bins"][b], 1.0);
            // Sample indices near 150 are known to 2^-17, phases at fs / 4 to 2e-5.
            EXPECT_LT(differenceOf(spectra.values, vectors()[name + "_" + std::to_string(i)]), 5e-5)
                << name << " at point " << i;
        }
    }
}

// --- Known screens -------------------------------------------------------------------------------

/// Unit variance, mean 0; its correlation falls to exp(-1) within about `length` elements.
std::vector<double> screen(std::int32_t rows, std::int32_t columns, double length,
                           std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<std::size_t>(rows) * columns);
    for (double& value : values) value = normal(random);
    const auto smooth = [&](std::int32_t count, std::int32_t stride, std::int32_t lines,
                            std::int32_t lineStride) {
        std::vector<double> line(static_cast<std::size_t>(count));
        for (std::int32_t l = 0; l < lines; ++l) {
            double* first = values.data() + static_cast<std::ptrdiff_t>(l) * lineStride;
            for (std::int32_t i = 0; i < count; ++i) {
                double sum = 0.0;
                for (std::int32_t j = 0; j < count; ++j)
                    sum += first[static_cast<std::ptrdiff_t>(j) * stride] *
                           std::exp(-2.0 * std::pow((i - j) / length, 2));
                line[static_cast<std::size_t>(i)] = sum;
            }
            for (std::int32_t i = 0; i < count; ++i)
                first[static_cast<std::ptrdiff_t>(i) * stride] = line[static_cast<std::size_t>(i)];
        }
    };
    smooth(columns, 1, rows, columns);
    if (rows > 1) smooth(rows, columns, columns, 1);
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
    const double rms = rootMeanSquare(values);
    for (double& value : values) value /= rms;
    return values;
}

struct Screen {
    std::int32_t rows;
    std::int32_t columns;
    double length;
};

class KnownScreen : public testing::TestWithParam<Screen> {};

/// Speckle of several points behind 50 ns and 1 dB rms, with as much noise as leaves neighbours a
/// coherence near 0.9.
TEST_P(KnownScreen, IsFoundByLeastSquares) {
    const Screen& p = GetParam();
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::vector<double> delays = screen(p.rows, p.columns, p.length, random);
    std::vector<double> gains = screen(p.rows, p.columns, p.length, random);
    for (double& delay : delays) delay *= 50e-9;
    for (double& gain : gains) gain = std::pow(10.0, gain / 20.0);

    Spectra spectra;
    spectra.grid = denseGrid(p.rows, p.columns);
    spectra.points = p.rows > 1 ? 4 : 32;
    for (int bin = -7; bin <= 7; ++bin) spectra.binsHz.push_back(3.5e6 + 137e3 * bin);
    const double noise = std::sqrt(1.0 / 9.0);
    const auto normals = [&] { return std::complex<double>(normal(random), normal(random)); };
    std::vector<std::complex<double>> echoes; // [point][bin], the same in all channels
    for (std::size_t q = 0; q < spectra.points * spectra.binsHz.size(); ++q)
        echoes.push_back(normals());
    for (std::size_t e = 0; e < delays.size(); ++e) {
        for (std::size_t q = 0; q < echoes.size(); ++q) {
            const double frequency = spectra.binsHz[q % spectra.binsHz.size()];
            const std::complex<double> value =
                gains[e] *
                (echoes[q] * std::polar(1.0, -kTurn * frequency * delays[e]) + noise * normals());
            spectra.values.push_back(
                {static_cast<float>(value.real()), static_cast<float>(value.imag())});
        }
    }
    const Estimate found = estimate(spectra, {});
    EXPECT_TRUE(found.valid);
    EXPECT_NEAR(found.coherence, 0.9, 0.06);
    EXPECT_NEAR(found.centreHz, 3.5e6, 0.1e6);
    EXPECT_GT(found.focusAfter, found.focusBefore);
    std::vector<double> left = found.filter.delayS;
    ASSERT_EQ(left.size(), delays.size());
    for (std::size_t e = 0; e < left.size(); ++e) left[e] -= delays[e];
    const double before = rootMeanSquare(withoutPistonAndTilt(spectra.grid, delays));
    const double after = rootMeanSquare(withoutPistonAndTilt(spectra.grid, left));
    EXPECT_GT(before, 20e-9);
    EXPECT_LT(after, 10e-9) << "of " << before;
    RecordProperty("residual_ns", std::to_string(1e9 * after));
}

INSTANTIATE_TEST_SUITE_P(Lengths, KnownScreen,
                         testing::Values(Screen{100, 100, 3.0}, Screen{100, 100, 8.0},
                                         Screen{100, 100, 20.0}, Screen{1, 128, 3.0},
                                         Screen{1, 128, 8.0}, Screen{1, 128, 20.0}),
                         [](const auto& each) {
                             return std::to_string(each.param.columns) + "x" +
                                    std::to_string(each.param.rows) + "_" +
                                    std::to_string(static_cast<int>(each.param.length));
                         });

} // namespace
} // namespace echolux::aberration
