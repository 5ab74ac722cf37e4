// SPDX-License-Identifier: GPL-3.0-or-later
// Where pipelines ask to run, against where they do.
#include "app/session/environment.hpp"
#include "gpu/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Target = EnvironmentAnswer::Target;

const GpuCount kNone{0, "no card"};
const GpuCount kOne{1, ""};
const GpuCount kTwo{2, ""};

BackendChoice onCpu() { return {}; }
BackendChoice onGpu(int number) { return {Backend::Cuda, "card", "", 1, number}; }

TEST(Environment, WhoAsksForNothingStays) {
    for (const BackendChoice& running : {onCpu(), onGpu(0), onGpu(1)})
        EXPECT_EQ(answerTo({}, running, kTwo).move, std::nullopt);
    EXPECT_EQ(answerTo({"cpu", {}}, onCpu(), kTwo).move, std::nullopt);
    EXPECT_EQ(answerTo({"cuda", {}}, onGpu(1), kTwo).move, std::nullopt) << "any will do";
    EXPECT_EQ(answerTo({"cuda", 1}, onGpu(1), kTwo).move, std::nullopt);
    EXPECT_EQ(answerTo({"", 1}, onCpu(), kTwo).move, std::nullopt) << "the CPU has no number";
}

TEST(Environment, WhoAsksForAnotherPlaceMoves) {
    EXPECT_EQ(answerTo({"cpu", {}}, onGpu(1), kTwo).move, (Target{Backend::Cpu, 0}));
    EXPECT_EQ(answerTo({"cuda", {}}, onCpu(), kOne).move, (Target{Backend::Cuda, 0}));
    EXPECT_EQ(answerTo({"cuda", 1}, onCpu(), kTwo).move, (Target{Backend::Cuda, 1}));
    EXPECT_EQ(answerTo({"cuda", 1}, onGpu(0), kTwo).move, (Target{Backend::Cuda, 1}));
    EXPECT_EQ(answerTo({"", 0}, onGpu(1), kTwo).move, (Target{Backend::Cuda, 0}));
}

TEST(Environment, WithoutCudaTheCpuComputesAndSaysSo) {
    const EnvironmentAnswer answer = answerTo({"cuda", 3}, onCpu(), kNone);
    EXPECT_EQ(answer.move, std::nullopt);
    EXPECT_THAT(answer.warning, AllOf(HasSubstr("asks for CUDA"), HasSubstr("no card")));
}

TEST(Environment, AGpuThatIsNotThereIsRefused) {
    const auto refusal = [](const EnvironmentConfig& asked, const GpuCount& gpus) {
        try {
            answerTo(asked, onGpu(0), gpus);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal({"cuda", 2}, kTwo), AllOf(HasSubstr("number 2"), HasSubstr("0 to 1")));
    EXPECT_THAT(refusal({"", 1}, kOne), AllOf(HasSubstr("number 1"), HasSubstr("device = 0")));
}

TEST(Environment, AtTheStartWhatSomebodyAsksForGoesFirst) {
    std::string warning;
    EXPECT_EQ(chooseBackend("cpu", {}, {"cuda", {}}, warning).backend, Backend::Cpu);
    EXPECT_EQ(warning, "");
    EXPECT_EQ(chooseBackend("", {}, {"cpu", {}}, warning).backend, Backend::Cpu);
    EXPECT_EQ(warning, "");
    EXPECT_THROW(chooseBackend("opencl", {}, {}, warning), Error);
}

} // namespace
} // namespace echolux
