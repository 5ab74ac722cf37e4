// SPDX-License-Identifier: GPL-3.0-or-later
// NUFFT gridding, and the chain about it, against the sums over the samples that they stand for.
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {
namespace {

const Vectors& griddingVectors() {
    static const Vectors kVectors("gpu/vectors/oct_stages.txt");
    return kVectors;
}

template <class To> std::vector<To> griddingValues(const std::string& vector) {
    const auto& from = griddingVectors()[vector];
    return {from.begin(), from.end()};
}

struct Gridding {
    std::int64_t width;
    double oversampling;
    double error; ///< permitted, of the largest value
};

class GriddingIsTheDirectSum : public testing::TestWithParam<Gridding> {};

TEST_P(GriddingIsTheDirectSum, AtAllDepths) {
    const auto [width, oversampling, error] = GetParam();
    FrameSpec spec = octSpec(0, 6, 96);
    spec = withSpectrometer(
        spec, [](Spectrometer& s) { s.resampling = griddingValues<double>("resampling"); });
    const HostFrame out =
        runChain(HostFrame(spec, griddingVectors()["tones"]),
                 {{"k_linearize", {{"kernel_width", width}, {"oversampling", oversampling}}},
                  {"inverse_fft", {}}});
    EXPECT_EQ(out.spec.describe(), "complex_f32 [lateral 6][depth 48]");
    expectNear(out.as<float>(), griddingVectors()["tones_depths"], error);
    // The bound says something: half of it would be too little to allow for a factor of 20.
    const double measured = largestError(out.as<float>(), griddingVectors()["tones_depths"]);
    RecordProperty("measured", std::to_string(measured));
    EXPECT_GT(measured, error / 20) << "the stated error is far from what is reached: " << measured;
}

INSTANTIATE_TEST_SUITE_P(Kernels, GriddingIsTheDirectSum,
                         testing::Values(Gridding{3, 2.0, 1e-2}, Gridding{4, 2.0, 2e-3},
                                         Gridding{6, 2.0, 1e-4}, Gridding{4, 1.5, 1e-2},
                                         Gridding{6, 1.25, 1e-3}),
                         [](const auto& each) {
                             return "Width" + std::to_string(each.param.width) + "Percent" +
                                    std::to_string(static_cast<int>(100 * each.param.oversampling));
                         });

class OctChainOfKernel : public testing::TestWithParam<std::pair<std::int64_t, double>> {};

TEST_P(OctChainOfKernel, AgreesWithNumpy) {
    const auto [width, error] = GetParam();
    constexpr std::int64_t kSamples = 96;
    FrameSpec spec = octSpec(0, 6, kSamples);
    spec.dtype = DType::U16;
    spec = withSpectrometer(spec, [](Spectrometer& s) {
        s.background = griddingVectors()["chain_background"];
        s.resampling = griddingValues<double>("resampling");
        s.dispersionRad = griddingValues<double>("chain_phase");
    });
    const HostFrame raw(spec, griddingValues<std::uint16_t>("chain_raw"));
    const HostFrame depths = runChain(raw, {{"spectrum_to_float", {}},
                                            {"background_subtract", {}},
                                            {"dc_removal_moving", {}},
                                            {"k_linearize", {{"kernel_width", width}}},
                                            {"window", {}},
                                            {"dispersion", {}},
                                            {"inverse_fft", {}}});
    expectNear(depths.as<float>(), griddingVectors()["chain_depths"], error);
    const HostFrame image = runChain(depths, {{"magnitude_log", {}}});
    const auto db = image.as<float>();
    EXPECT_NEAR(*std::max_element(db.begin(), db.begin() + 48), 20.0 * std::log10(60.0), 0.2)
        << "a reflector of 60 codes";
    const auto& expected = griddingVectors()["chain_depths"];
    EXPECT_NEAR(db[40], 20 * std::log10(std::hypot(expected[80], expected[81])), 0.15);
}

TEST_P(OctChainOfKernel, IsTheDirectSumWhateverTheDispersion) {
    const auto [width, error] = GetParam();
    const FrameSpec spec = withSpectrometer(octSpec(0, 2, 160), [](Spectrometer& s) {
        s.resampling = griddingValues<double>("dispersed_resampling");
    });
    const auto& c = griddingVectors()["dispersed_terms"];
    const HostFrame out = runChain(
        HostFrame(spec, griddingVectors()["dispersed"]),
        {{"k_linearize", {{"kernel_width", width}}},
         {"window", {}},
         {"dispersion", {{"c1", double{c[0]}}, {"c2", double{c[1]}}, {"c3", double{c[2]}}}},
         {"inverse_fft", {}}});
    EXPECT_LE(largestError(out.as<float>(), griddingVectors()["dispersed_depths"]), error);
}

INSTANTIATE_TEST_SUITE_P(Widths, OctChainOfKernel,
                         testing::Values(std::pair<std::int64_t, double>{4, 1e-3},
                                         std::pair<std::int64_t, double>{6, 1e-5},
                                         std::pair<std::int64_t, double>{8, 1e-5}),
                         [](const auto& each) {
                             return "Width" + std::to_string(each.param.first);
                         });

/// A mirror whose dispersion turns the end of the spectrum by a radian per sample.
HostFrame dispersedMirror() {
    return fringe(512, 100.0, [](double k) {
        const double x = -k / (2 * 511.0);
        return 2 * std::numbers::pi * 80 * k / 512 + 1000 * x * x;
    });
}

TEST(OctChain, AWiderKernelIsNoWorseWhateverTheDispersion) {
    const Chain rest{{"window", {}}, {"dispersion", {{"c1", 1000.0}}}, {"inverse_fft", {}}};
    const HostFrame direct = runChain(dispersedMirror(), rest);
    EXPECT_NEAR(peakOf(direct).amplitude, 100.0, 1e-2);
    double before = 1e-3;
    for (const std::int64_t width : {4, 5, 6}) {
        const HostFrame gridded =
            runChain(runStage("k_linearize", dispersedMirror(), {{"kernel_width", width}}), rest);
        const double error = largestError(gridded.as<float>(), direct.as<float>());
        EXPECT_LT(error, before) << width;
        before = error;
    }
    EXPECT_LT(before, 1e-5);
}

TEST(OctChain, WithoutOversamplingThePeakIsWhereTheMirrorIs) {
    const HostFrame out = runChain(dispersedMirror(), {{"k_linearize", {{"oversampling", 1.0}}},
                                                       {"window", {}},
                                                       {"dispersion", {{"c1", 1000.0}}},
                                                       {"inverse_fft", {}}});
    const DepthPeak peak = peakOf(out);
    EXPECT_EQ(peak.index, 80.0);
    EXPECT_NEAR(peak.amplitude, 100.0, 0.5);
    EXPECT_LT(peakOf(out, 250).amplitude, 0.01);
}

} // namespace
} // namespace echolux::test
