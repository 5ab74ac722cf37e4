// SPDX-License-Identifier: GPL-3.0-or-later
// What `attenuation` and `tail_subtraction` make of NumPy's lines and of long ones, on either
// backend.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

constexpr double kDepthStepM = 3e-6;

/// [lateral][depth], of A-scans or of an angiogram; `bscans` > 0: several of them.
inline FrameSpec depthLines(DType dtype, std::int64_t lines, std::int64_t depths,
                            std::int64_t bscans = 0) {
    FrameSpec spec = octSpec(bscans, lines, depths);
    spec.axes.back() = {AxisName::Depth, depths, kDepthStepM, 0.0, "m"};
    spec.dtype = dtype;
    return spec;
}

/// Where depth 0 is not the first, or has no scale.
inline FrameSpec withDepth(FrameSpec spec, double spacing, double origin, const char* unit) {
    Axis& depth = spec.axes.back();
    depth = {AxisName::Depth, depth.size, spacing, origin, unit};
    return spec;
}

inline HostFrame knownLines(FrameSpec spec, const std::vector<float>& values) {
    HostFrame frame(std::move(spec));
    std::memcpy(frame.bytes.data(), values.data(), frame.bytes.size());
    return frame;
}

/// `tolerance` relative to the largest expected value.
inline void expectNear(const HostFrame& frame, const std::vector<float>& expected, double tolerance,
                       const std::string& what) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size()) << what;
    const double largest = *std::ranges::max_element(expected);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * largest) << what << " " << i;
}

/// The noise has that power; every pixel above it counts. No light comes from below the used depths
/// unless its attenuation is given.
inline Settings givenNoise(double db, Settings more = {}) {
    more.emplace_back("find_end", false);
    more.emplace_back("noise", std::string("level"));
    more.emplace_back("noise_level", db);
    return more;
}

/// Every pixel counts, as it is.
inline Settings noNoise(Settings more = {}) {
    more.emplace_back("threshold", -60.0);
    more.emplace_back("depth_pixels", std::int64_t{1});
    more.emplace_back("lateral_pixels", std::int64_t{1});
    return givenNoise(-120.0, std::move(more));
}

/// Sums over 4096 depths and 60 dB agree with those of doubles to 1e-5 of each value.
inline void expectAttenuationOfNumpy(Backend backend) {
    const Vectors vectors("gpu/vectors/attenuation.txt");
    const double halfDb = 10.0 * std::log10(0.5);
    const FrameSpec one = depthLines(DType::ComplexF32, 5, 60);
    const FrameSpec several = ensembleOf(one, 3);
    const auto expect = [&](const char* name, const FrameSpec& spec, const Settings& settings) {
        const HostFrame made =
            runStage("attenuation", knownLines(spec, vectors["scans"]), settings, backend);
        expectNear(made, vectors[name], 2e-5, name);
    };
    const std::pair<std::string, ParamValue> onePixel[]{{"depth_pixels", std::int64_t{1}},
                                                        {"lateral_pixels", std::int64_t{1}}};
    expect("given_noise", one, givenNoise(halfDb, {onePixel[0], onePixel[1]}));
    expect("with_noise", one,
           givenNoise(halfDb, {{"subtract_noise", false}, {"threshold", -60.0}}));
    expect("found_noise", several, {{"lateral_pixels", std::int64_t{5}}, {"find_end", false}});
    expect("found_end", several,
           {{"lateral_pixels", std::int64_t{5}},
            {"noise", std::string("level")},
            {"noise_level", halfDb}});
    expect("end", several, givenNoise(halfDb, {{"end_attenuation", 3e3}}));
    expect("used", several, givenNoise(halfDb, {{"end_attenuation", 3e3}, {"used_depths", 0.7}}));
    expect("roll_off", several, givenNoise(halfDb, {{"roll_off", 30e3}}));
    expect("full_range", withDepth(several, kDepthStepM, -20.0 * kDepthStepM, "m"),
           givenNoise(halfDb, {{"roll_off", 30e3}}));
    expect("per_pixel", withDepth(several, 0.5, 0.0, ""),
           givenNoise(halfDb, {{"end_attenuation", 10.0}, {"roll_off", 20.0}}));

    const HostFrame lines = knownLines(depthLines(DType::ComplexF32, 1, 4096), vectors["long"]);
    const HostFrame made = runStage("attenuation", lines, noNoise(), backend);
    const std::vector<float>& expected = vectors["long_attenuation"];
    for (std::size_t z = 0; z < expected.size(); ++z)
        ASSERT_NEAR(made.as<float>()[z], expected[z], 1e-5 * expected[z]) << z;
}

/// In a range of 0 to 0.25, pixels of 3 um: a gap of 7, a length of 40 and a gamma of 12 pixels.
inline void expectTailsOfNumpy(Backend backend) {
    const Vectors vectors("gpu/vectors/attenuation.txt");
    FrameSpec spec = depthLines(DType::F32, 4, 600);
    spec.valueRange = {0.0, 0.25, "", ""};
    for (const bool isMetric : {true, false}) {
        const double pixel = isMetric ? kDepthStepM : 1e-6;
        if (!isMetric) spec = withDepth(spec, 0.5, 0.0, "");
        for (const char* method : {"subtract", "attenuate", "resolve"}) {
            const HostFrame made =
                runStage("tail_subtraction", knownLines(spec, vectors["angiogram"]),
                         {{"method", std::string(method)},
                          {"gap", 7.0 * pixel},
                          {"length", 40.0 * pixel},
                          {"gamma", 12.0 * pixel},
                          {"share", 0.6}},
                         backend);
            expectNear(made, vectors[method], 1e-6, method);
        }
    }
}

} // namespace echolux::test
