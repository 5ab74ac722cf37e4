// SPDX-License-Identifier: GPL-3.0-or-later
// `beamform` of ensembles on CUDA, by the kernel that images frames together and by those that
// image them one by one, against the CPU's frame by frame.
#include "gpu/beamform/beamform_tuned.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

Scan steered(int transmits) {
    Scan scan;
    scan.elements = 37;
    scan.samples = 500;
    scan.fsHz = 20e6;
    scan.transmits.clear();
    for (int t = 0; t < transmits; ++t)
        scan.transmits.push_back(planeWave(0.4 * t / transmits - 0.2, 1e-7 * (t % 7) - 2e-7));
    return scan;
}

const Settings kGrid{{"lateral_min", -6e-3}, {"lateral_max", 6e-3},   {"depth_min", 0.7e-3},
                     {"depth_max", 22e-3},   {"pixel_lateral", 2e-4}, {"pixel_depth", 5e-4}};

FrameSpec frameOf(int transmits, DType dtype) {
    return specOf(steered(transmits), dtype, isComplex(dtype) ? 5e6 : 0.0);
}

/// Several ensembles one after the other, after a live edit as well.
void expectFrameByFrame(const FrameSpec& frame, std::int64_t frames, const Settings& settings) {
    const FrameSpec spec = ensembleOf(frame, frames);
    SCOPED_TRACE(spec.describe());
    const StageType& type = stageType("beamform");
    const Params params = paramsFor(type, spec, settings);
    StageRunner cpu(type, spec, params, Backend::Cpu);
    StageRunner cuda(type, spec, params, Backend::Cuda);
    for (unsigned seed = 1; seed <= 2; ++seed) {
        const HostFrame noise = noiseOf(spec, seed);
        const HostFrame expected = cpu.run(noise);
        const HostFrame actual = cuda.run(noise);
        expectAlike(actual, expected);
    }
    const Params narrower = paramsFor(type, spec, with(settings, {{"f_number", 2.2}}));
    cpu.update(narrower);
    cuda.update(narrower);
    const HostFrame noise = noiseOf(spec, 3);
    const HostFrame expected = cpu.run(noise);
    const HostFrame actual = cuda.run(noise);
    expectAlike(actual, expected);
}

bool isTogether(const FrameSpec& frame, int frames) {
    const das::Model model =
        das::makeModel(frame, paramsFor(stageType("beamform"), frame, kGrid).as<BeamformParams>());
    return das::ensembleBytes(model, isComplex(frame.dtype), frames) > 0;
}

TEST(BeamformEnsemble, FramesTogetherAreWhatTheyAreAlone) {
    ECHOLUX_NEED_GPU();
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        for (const std::int64_t frames : {8, 31, 32, 33, 70}) {
            EXPECT_TRUE(isTogether(frameOf(1, dtype), static_cast<int>(frames)));
            expectFrameByFrame(frameOf(1, dtype), frames, kGrid);
        }
    }
    EXPECT_TRUE(isTogether(frameOf(3, DType::ComplexF32), 16));
    expectFrameByFrame(frameOf(3, DType::ComplexF32), 16, kGrid);
}

TEST(BeamformEnsemble, FewFramesOrManyTransmitsGoOneByOne) {
    ECHOLUX_NEED_GPU();
    EXPECT_FALSE(isTogether(frameOf(1, DType::F32), 7));
    EXPECT_FALSE(isTogether(frameOf(20, DType::F32), 32));
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        for (const std::int64_t frames : {2, 7})
            expectFrameByFrame(frameOf(2, dtype), frames, kGrid);
        expectFrameByFrame(frameOf(20, dtype), 9, kGrid);
    }
}

TEST(BeamformEnsemble, WhatTheKernelsLeaveToTheFormula) {
    ECHOLUX_NEED_GPU();
    for (const Settings& more :
         {Settings{{"delays", std::string("table")}}, Settings{{"coherence_factor", true}},
          Settings{{"interpolation", std::string("sinc")}},
          Settings{{"transmits", std::vector<double>{0.0, 0.0}}},
          Settings{{"transmits", std::vector<double>{0.0, 1.0}}}}) {
        expectFrameByFrame(frameOf(2, DType::ComplexF32), 9, with(kGrid, more));
    }
}

} // namespace
} // namespace echolux::test
