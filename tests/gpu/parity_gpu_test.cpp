// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage on both backends, over generated shapes and parameters, within the
// tolerance that its type states. A failure prints stage, seed and parameters.
#include "gpu/stages/aberration.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/stage_cases.hpp"

namespace echolux::test {
namespace {

std::vector<const StageType*> allStages() {
    return {builtinStages().begin(), builtinStages().end()};
}

void expectWithinTolerance(const StageType& type, const HostFrame& cpu, const HostFrame& cuda) {
    if (cpu.spec.dtype != DType::F32 && cpu.spec.dtype != DType::ComplexF32) {
        EXPECT_EQ(cpu.bytes, cuda.bytes);
        return;
    }
    const auto expected = cpu.as<float>();
    const auto actual = cuda.as<float>();
    double peak = 0.0;
    for (const float value : expected) peak = std::max(peak, std::fabs(static_cast<double>(value)));
    const double allowed = type.tolerance.absolute + type.tolerance.relative * peak;
    std::size_t outside = 0;
    std::size_t worst = 0;
    double worstDifference = -1.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= allowed)) ++outside;
        if (!(difference <= worstDifference)) {
            worst = i;
            worstDifference = difference;
        }
    }
    const auto flips =
        static_cast<std::size_t>(type.tolerance.flips * static_cast<double>(expected.size()));
    EXPECT_LE(outside, flips) << outside << " of " << expected.size() << " values differ by more "
                              << "than " << allowed << "; worst is element " << worst << ": CPU "
                              << expected[worst] << ", CUDA " << actual[worst];
}

/// What an iteration of Herikstad's makes of noise has phases like noise, whose whole turns hang on
/// the last digit; AberrationGpu compares it on echoes.
bool isTossed(const StageCase& each) {
    return each.type->id == "aberration" &&
           aberration::isIterated(each.params.as<AberrationParams>().method);
}

class Parity : public testing::TestWithParam<const StageType*> {};

TEST_P(Parity, BothBackendsAgree) {
    ECHOLUX_NEED_GPU();
    forEachCase(*GetParam(), [](const StageCase& each, const std::vector<HostFrames>& frames) {
        if (isTossed(each)) return;
        StageRunner cpu(*each.type, each.inputs, each.params, Backend::Cpu);
        StageRunner cuda(*each.type, each.inputs, each.params, Backend::Cuda);
        for (const HostFrames& frame : frames)
            expectWithinTolerance(*each.type, cpu.run(frame), cuda.run(frame));
        expectWithinTolerance(*each.type, cpu.runAgain(frames.front()),
                              cuda.runAgain(frames.front()));
        cpu.reset();
        cuda.reset();
        const HostFrames expected = cpu.runAll(frames.back());
        const HostFrames actual = cuda.runAll(frames.back());
        for (std::size_t i = 0; i < expected.size(); ++i)
            expectWithinTolerance(*each.type, expected[i], actual[i]);
    });
}

INSTANTIATE_TEST_SUITE_P(Registry, Parity, testing::ValuesIn(allStages()),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
