// SPDX-License-Identifier: GPL-3.0-or-later
// The map of the beam that the stage itself has: CUDA against the CPU.
#include "app/lab/measured_beam.hpp"

#include "gpu/stage/registry.hpp"
#include "tests/lab/array_frame.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

TEST(MeasuredMapGpu, IsThatOfTheCpu) {
    ECHOLUX_NEED_GPU();
    Acquisition acquisition = linearArray(64, 0.15e-3);
    for (const double angle : {-0.1, 0.0, 0.1}) acquisition.transmits.push_back(planeWave(angle));
    BeamformParams params;
    params.fNumber = 2.0;
    params.depthMinM = 8e-3;
    params.depthMaxM = 25e-3;
    params.lateralMinM = -2e-3;
    params.lateralMaxM = 2e-3;
    const lab::BeamGeometry geometry(channelData(std::move(acquisition)), params);
    lab::BeamStage stage{&stageTypeWith<BeamformParams>()};
    stage.params = Params(stage.type->table);
    stage.params.as<BeamformParams>() = params;
    for (const lab::BeamPart part : {lab::BeamPart::Heard, lab::BeamPart::Both}) {
        const auto mapOn = [&](Backend backend) {
            return lab::measuredMap(geometry, stage, {0.0, 15e-3}, part, 0.6, {41, 4}, backend, {});
        };
        const lab::BeamMap cpu = mapOn(Backend::Cpu);
        const lab::BeamMap cuda = mapOn(Backend::Cuda);
        ASSERT_EQ(cuda.magnitude.size(), cpu.magnitude.size());
        const double most = *std::ranges::max_element(cpu.magnitude);
        for (std::size_t i = 0; i < cpu.magnitude.size(); ++i)
            EXPECT_NEAR(cuda.magnitude[i] / most, cpu.magnitude[i] / most, 1e-3) << i;
    }
}

} // namespace
} // namespace echolux::test
