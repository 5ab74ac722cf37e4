// SPDX-License-Identifier: GPL-3.0-or-later
// Live echoes of the GPU against those of the CPU.
#include "app/live/echo_source.hpp"
#include "tests/support/gpu.hpp"

#include <cstdlib>

namespace echolux {
namespace {

std::vector<std::int16_t> framesOf(Backend backend, const EchoSourceSetup& setup, int frames) {
    EchoSource source(setup, "sim", backend);
    source.setParameter("screen", 60.0);
    const std::size_t codes = source.info().frame.bytes() / sizeof(std::int16_t);
    std::vector<std::int16_t> all;
    Buffer frame(stagingMemory(backend), source.info().frame.bytes());
    for (int i = 0; i < frames;) {
        FrameStamp stamp;
        const auto outcome = source.next({frame.as<std::byte>(), frame.bytes()}, stamp, {});
        if (outcome != LiveSource::Outcome::Frame) continue;
        all.insert(all.end(), frame.as<std::int16_t>(), frame.as<std::int16_t>() + codes);
        ++i;
    }
    return all;
}

/// Both round to codes; where they round a delay to neighbouring phases of the pulse, they differ
/// by 0.6 % of the largest echo (70 % of 8191 codes).
void expectTheCpu(const EchoSourceSetup& setup) {
    const std::vector<std::int16_t> host = framesOf(Backend::Cpu, setup, 3);
    const std::vector<std::int16_t> device = framesOf(Backend::Cuda, setup, 3);
    ASSERT_EQ(host.size(), device.size());
    double differ = 0.0;
    int most = 0;
    for (std::size_t i = 0; i < host.size(); ++i) {
        const int difference = std::abs(host[i] - device[i]);
        most = std::max(most, difference);
        differ += difference > 2 ? 1.0 : 0.0;
    }
    EXPECT_LE(most, 40);
    EXPECT_LT(differ / static_cast<double>(host.size()), 2e-3);
    EXPECT_EQ(framesOf(Backend::Cuda, setup, 3), device) << "the order of the points is irrelevant";
}

TEST(EchoSourceGpu, AgreesWithTheCpu) {
    ECHOLUX_NEED_GPU();
    expectTheCpu({.elements = 40, .waves = 3, .depthM = 90e-3, .frameRateHz = 0.0});
}

TEST(EchoSourceGpu, AgreesWithTheCpuBehindScreens) {
    ECHOLUX_NEED_GPU();
    expectTheCpu({.elements = 40,
                  .waves = 3,
                  .depthM = 60e-3,
                  .frameRateHz = 0.0,
                  .wall = "abdominal",
                  .screens = 5,
                  .screenDepthM = 15e-3,
                  .screenLengthM = 2e-3});
}

} // namespace
} // namespace echolux
