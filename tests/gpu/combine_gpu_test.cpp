// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that `combine` has for CUDA alone against the CPU: more channels than a word has
// bits, more lags than a thread sums at once, subarrays of all lengths, and what is not a number.
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"
#include "tests/support/test_frames.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace echolux::test {
namespace {

/// Noise, silent at both ends of the aperture, which is another one in each column.
HostFrame delayedNoise(std::int64_t channels) {
    FrameSpec spec = imageSpec(21, 9);
    spec.dtype = DType::ComplexF32;
    spec.axes.insert(spec.axes.begin(), {AxisName::Channel, channels, 1.0, 0.0, ""});
    HostFrame frame = noiseOf(spec, 3);
    const std::span<Complex> values = frame.as<Complex>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto channel = static_cast<std::int64_t>(i / (21 * 9));
        const auto column = static_cast<std::int64_t>(i % 9);
        if (channel < column || channel >= channels - 2 * column) values[i] = {};
    }
    return frame;
}

/// Noise of a matrix array in a volume [2][8][3], silent at a corner.
HostFrame gridNoise(std::int64_t lines, std::int64_t perLine) {
    FrameSpec spec = imageSpec(8, 3);
    spec.dtype = DType::ComplexF32;
    spec.axes.insert(spec.axes.begin(), {AxisName::Elevation, 2, 1e-3, 0.0, "m"});
    spec.axes.insert(spec.axes.begin(), {AxisName::Channel, lines * perLine, 1.0, 0.0, ""});
    spec.termsPerLine = perLine;
    HostFrame frame = noiseOf(spec, 3);
    std::ranges::fill(frame.as<Complex>().first(2 * 8 * 3), Complex{});
    return frame;
}

void expectBackendsAgree(const HostFrame& frame, const Settings& settings, std::size_t output,
                         double relative) {
    const StageType& type = stageType("combine");
    const Params params = paramsFor(type, frame.spec, settings);
    const auto run = [&](Backend backend) {
        return StageRunner(type, frame.spec, params, backend).runAll({frame})[output];
    };
    expectNear(run(Backend::Cuda).as<float>(), run(Backend::Cpu).as<float>(), relative);
}

TEST(CombineGpu, ShortLagsOfManyChannels) {
    ECHOLUX_NEED_GPU();
    for (const std::int64_t channels : {70, 300}) {
        for (const std::int64_t lags : {10, 25, 64}) {
            for (const std::int64_t rows : {5, 7, 13}) {
                SCOPED_TRACE(fmt::format("{} channels, {} lags, {} rows", channels, lags, rows));
                const Settings settings{
                    {"method", std::string("short_lag_coherence")}, {"lags", lags}, {"rows", rows}};
                expectBackendsAgree(delayedNoise(channels), settings, 1, 1e-4);
            }
        }
    }
}

TEST(CombineGpu, AChannelThatIsNotANumberIsNotHeard) {
    ECHOLUX_NEED_GPU();
    HostFrame frame = delayedNoise(20);
    const std::span<Complex> values = frame.as<Complex>();
    for (std::size_t i = 7 * 21 * 9; i < 8 * 21 * 9; ++i)
        values[i].re = std::numeric_limits<float>::quiet_NaN();
    expectBackendsAgree(frame, {{"method", std::string("short_lag_coherence")}}, 1, 1e-4);
}

TEST(CombineGpu, MinimumVarianceOfManyChannels) {
    ECHOLUX_NEED_GPU();
    for (const std::int64_t channels : {20, 70, 300, 6000}) {
        for (const bool backwards : {false, true}) {
            for (const std::int64_t rows : {1, 3}) {
                SCOPED_TRACE(fmt::format("{} channels, {} rows", channels, rows));
                const Settings settings{{"method", std::string("minimum_variance")},
                                        {"averaged_rows", rows},
                                        {"backwards", backwards}};
                expectBackendsAgree(delayedNoise(channels), settings, 0, 2e-3);
            }
        }
    }
}

TEST(CombineGpu, EigenspaceOfManyChannels) {
    ECHOLUX_NEED_GPU();
    const Settings settings{{"method", std::string("minimum_variance")}, {"eigenspace", 1e-6}};
    expectBackendsAgree(delayedNoise(70), settings, 0, 2e-3);
}

TEST(CombineGpu, MatrixArrays) {
    ECHOLUX_NEED_GPU();
    const auto agree = [](const HostFrame& frame, const char* method, std::size_t output,
                          const Settings& settings) {
        SCOPED_TRACE(fmt::format("{} of {} channels", method, frame.spec.axes.front().size));
        expectBackendsAgree(frame, with({{"method", std::string(method)}}, settings), output, 2e-3);
    };
    for (const auto& [lines, perLine] : {std::pair{1, 20}, {12, 10}, {5, 64}, {32, 32}}) {
        const HostFrame frame = gridNoise(lines, perLine);
        agree(frame, "generalized_coherence", 1, {});
        agree(frame, "generalized_coherence", 0, {{"spectrum", std::string("array")}});
        agree(frame, "short_lag_coherence", 1, {{"lags", std::int64_t{3}}});
        agree(frame, "minimum_variance", 0, {});
        agree(frame, "minimum_variance", 0, {{"backwards", true}});
        agree(frame, "minimum_variance", 0, {{"eigenspace", 1e-6}});
    }
}

} // namespace
} // namespace echolux::test
