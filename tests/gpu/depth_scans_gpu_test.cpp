// SPDX-License-Identifier: GPL-3.0-or-later
// Scans along depth on CUDA: NumPy's lines, and lines of every length about the sizes of warps and
// blocks.
#include "tests/gpu/depth_scans.hpp"
#include "tests/support/gpu.hpp"

namespace echolux::test {
namespace {

void expectBothAlike(const char* stage, const HostFrame& frame, const Settings& settings) {
    const HostFrame host = runStage(stage, frame, settings);
    const HostFrame card = runStage(stage, frame, settings, Backend::Cuda);
    const auto values = host.as<float>();
    expectNear(card, {values.begin(), values.end()}, 1e-5, frame.spec.describe());
}

TEST(DepthScansGpu, AreNumpys) {
    ECHOLUX_NEED_GPU();
    expectAttenuationOfNumpy(Backend::Cuda);
    expectTailsOfNumpy(Backend::Cuda);
}

TEST(DepthScansGpu, AreThoseOfTheCpuForEveryLength) {
    ECHOLUX_NEED_GPU();
    for (const std::int64_t depths : {2, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1025, 4099}) {
        for (const std::int64_t lines : {1, 7}) {
            HostFrame angiogram(depthLines(DType::F32, lines, depths));
            const std::vector<float> values = noise(angiogram.as<float>().size(), 3);
            std::ranges::transform(values, angiogram.as<float>().begin(),
                                   [](float value) { return std::abs(value); });
            for (const char* method : {"subtract", "attenuate", "resolve"})
                expectBothAlike("tail_subtraction", angiogram,
                                {{"method", std::string(method)}, {"gamma", 1e-3}});
            HostFrame scans(depthLines(DType::ComplexF32, lines, depths));
            std::ranges::copy(noise(scans.as<float>().size(), 4), scans.as<float>().begin());
            expectBothAlike("attenuation", scans, noNoise({{"end_attenuation", 1e3}}));
        }
    }
}

} // namespace
} // namespace echolux::test
