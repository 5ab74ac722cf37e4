// SPDX-License-Identifier: GPL-3.0-or-later
// Every method of the stage `aberration` on echoes behind a screen, on both backends.
#include "gpu/aberration/estimator.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/gpu/plane_wave_echoes.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

TEST(AberrationGpu, EveryMethodAgreesWithTheCpu) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = planeWave();
    const HostFrame frame = echoes(spec, screenOf(30e-9, kWaveElements));
    const StageType& type = stageType("aberration");
    for (const char* method : {"least_squares", "beam_sum", "conjugate", "matlab", "gpu", "cpu"}) {
        SCOPED_TRACE(method);
        Settings settings = wholeRegion();
        settings.emplace_back("method", std::string(method));
        settings.emplace_back("min_coherence", 0.0); // published ones have points of silence, too
        const auto outputsOn = [&](Backend backend) {
            return StageRunner(type, {spec}, paramsFor(type, spec, settings), backend)
                .runAll({frame});
        };
        const HostFrames cpu = outputsOn(Backend::Cpu);
        const HostFrames cuda = outputsOn(Backend::Cuda);
        EXPECT_EQ(cpu[3].as<float>()[static_cast<std::size_t>(aberration::Figure::Valid)], 1.0F);
        for (std::size_t e = 0; e < kWaveElements; ++e) {
            EXPECT_NEAR(cuda[0].as<float>()[e], cpu[0].as<float>()[e], 0.2e-9);
            EXPECT_NEAR(cuda[1].as<float>()[e], cpu[1].as<float>()[e], 1e-3);
            EXPECT_NEAR(cuda[2].as<float>()[e], cpu[2].as<float>()[e], 1e-4);
        }
    }
}

} // namespace
} // namespace echolux::test
