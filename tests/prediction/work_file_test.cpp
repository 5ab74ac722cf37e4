// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with counts of one's own: what a work file gives, what it refuses, what it replaces.
#include "app/prediction/work_file.hpp"

#include "app/prediction/device_file.hpp"
#include "app/prediction/pipeline_prediction.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing::HasSubstr;

/// Van Bavel's sum of 64 x 416 pixels over 64 channels (table 4.1): two loads and an addition each.
const std::string kOwnSum = R"([[kernel]]
step = "beamform"
name = "sum"
blocks = 104
threads = 256
registers = 20
shared = 0

[[kernel.part]]
name = "fetch"
global = 13.631e6

[[kernel.part]]
name = "sum"
fadd = 1.704e6
offsets = 8.52e6
)";

std::string workRefusal(const std::string& text) {
    try {
        parseWork(text, "own.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string sumWith(const std::string& from, const std::string& to) {
    std::string text = kOwnSum;
    return text.replace(text.find(from), from.size(), to);
}

TEST(WorkFiles, GiveKernelsWithTheirParts) {
    const std::vector<CountedStep> steps = parseWork(kOwnSum + kOwnSum, "own.toml");
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].step, "beamform");
    ASSERT_EQ(steps[0].kernels.size(), 2U);
    const model::Kernel& kernel = steps[0].kernels[1];
    EXPECT_EQ(kernel.name, "sum");
    EXPECT_DOUBLE_EQ(kernel.launch.blocks, 104.0);
    EXPECT_DOUBLE_EQ(kernel.launch.registers, 20.0);
    ASSERT_EQ(kernel.parts.size(), 2U);
    EXPECT_EQ(kernel.parts[0].name, "fetch");
    EXPECT_DOUBLE_EQ(kernel.parts[0].globalBytes, 13.631e6);
    EXPECT_DOUBLE_EQ(kernel.parts[1].fadd, 1.704e6);
}

TEST(WorkFiles, ErrorsNameLineKeyAndRemedy) {
    EXPECT_THAT(workRefusal(sumWith("fadd", "fad")), HasSubstr("did you mean 'fadd'?"));
    EXPECT_THAT(workRefusal(sumWith("blocks", "block")), HasSubstr("did you mean 'blocks'?"));
    EXPECT_THAT(workRefusal(sumWith("104", "-1")), HasSubstr("own.toml, line 4: 'blocks'"));
    EXPECT_THAT(workRefusal(sumWith("step = \"beamform\"\n", "")), HasSubstr("gives no 'step'"));
    EXPECT_THAT(workRefusal(sumWith("global = ", "distinct = 20e6\nglobal = ")),
                HasSubstr("'distinct' is more than 'global'"));
    EXPECT_THAT(workRefusal(""), HasSubstr("[[kernel]]"));
    EXPECT_THAT(workRefusal("kernel = 3"), HasSubstr("[[kernel]]"));
    EXPECT_THAT(workRefusal("[[kernel]]\nstep = \"a\"\nname = \"b\""),
                HasSubstr("[[kernel.part]]"));
    EXPECT_THAT(workRefusal("= 3"), HasSubstr("own.toml"));
}

TEST(WorkFiles, ReplaceTheKernelsOfAStep) {
    const SnapshotPtr snapshot =
        instantiate(test::chainOf({"to_float", "beamform"}), test::codesSpec(1, 64, 416));
    const model::Device card = deviceBy("gtx_660_ti");
    const auto predict = [&](std::vector<CountedStep> counts) {
        return predictPipeline(snapshot, card,
                               {.fusing = Fusing::Never, .counts = std::move(counts)});
    };
    const PipelinePrediction own = predict(parseWork(kOwnSum, "own.toml"));
    const PipelinePrediction usual = predict({});
    EXPECT_EQ(own.steps[0].improved, usual.steps[0].improved);
    EXPECT_EQ(own.steps[1].kernels, 1U);
    EXPECT_EQ(own.steps[1].differing.at(0).name, "sum");
    // Van Bavel measured 93 us and predicts Kepler within 30 %: eq. 5.16 to 5.20 by hand.
    const double memory = 13.631e6 / 144e9;
    EXPECT_NEAR(own.steps[1].plain.low, memory + 1.704e6 / 1528e9 + 8.52e6 / 1273e9, 1e-8);
    EXPECT_NEAR(own.steps[1].time().middle(), 93e-6, 0.3 * 93e-6);
    try {
        predict({{"beamfrom", {}}});
        FAIL() << "was not refused";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'beamform'?"));
    }
}

} // namespace
} // namespace echolux
