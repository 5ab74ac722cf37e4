// SPDX-License-Identifier: GPL-3.0-or-later
// Links of the frame before: how they are written, what is refused, and what they compute, against
// closed forms and against arithmetic by hand.
#include "gpu/core/error.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/pipeline/feedback_run.hpp"
#include "tests/support/program_bytes.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux {
namespace {

using test::codesSpec;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::programBytes;

PipelineConfig feedback(const std::string& body) {
    return parsePipeline("version = 2\nname = \"feedback\"\n[[stage]]\ntype = \"to_float\"\n" +
                             body,
                         "feedback.toml");
}

std::string refusalOf(const std::string& body) {
    return testing_support::refusal([&] { feedback(body); });
}

/// y = x - (y of the frame before).
constexpr const char* kLoop = R"([[stage]]
type = "compare"
[[link]]
from = "compare"
to = "in2@compare"
frames_before = 1
)";

std::vector<Source> sourcesOf(const Snapshot& snapshot) { return snapshot.stages.back().sources; }

TEST(Feedback, IsWrittenAsALinkAndReadAgain) {
    const FrameSpec spec = codesSpec(1, 2, 4);
    const SnapshotPtr loop = instantiate(feedback(kLoop), spec);
    EXPECT_EQ(sourcesOf(*loop), (std::vector<Source>{{0}, {1, 0, true}}));
    const std::string text = toToml(toConfig(*loop));
    EXPECT_THAT(text, HasSubstr("to = \"in2@compare\"\nframes_before = 1\n"));
    EXPECT_TRUE(sameGraph(*loop, *instantiate(parsePipeline(text, "again.toml"), spec)));
    EXPECT_EQ(toToml(toConfig(*instantiate(parsePipeline(text, "again.toml"), spec))), text);
}

TEST(Feedback, RefusalsNameTheRemedy) {
    const std::string compare = "[[stage]]\ntype = \"compare\"\n[[link]]\nfrom = ";
    EXPECT_THAT(refusalOf(compare + "\"compare\"\nto = \"in2@compare\"\n"),
                AllOf(HasSubstr("go round in a circle, compare -> compare"),
                      HasSubstr("'frames_before = 1'")));
    EXPECT_THAT(refusalOf(compare + "\"compare\"\nto = \"in2@compare\"\nframes_before = 2\n"),
                AllOf(HasSubstr("line 10"), HasSubstr("must be 1 for the frame before")));
    EXPECT_THAT(refusalOf(compare + "\"compare\"\nto = \"in2@compare\"\nframes_before = true\n"),
                HasSubstr("must be 1 for the frame before"));
    EXPECT_THAT(refusalOf(compare + "\"recording\"\nto = \"in2@compare\"\nframes_before = 1\n"),
                AllOf(HasSubstr("line 7"), HasSubstr("as to_float")));
    EXPECT_THAT(refusalOf("[[stage]]\ntype = \"tgc\"\n[[link]]\nfrom = \"tgc\"\nto = \"tgc\"\n"
                          "frames_before = 1\n"),
                HasSubstr("link the frame before to a further input"));
}

TEST(Feedback, WhatWouldFeedBackTheRecordingCannotBeBypassed) {
    PipelineConfig config = test::chainOf({"tgc", "compare"});
    config.links = {{{"frame", "recording"}, {"in", "compare"}},
                    {{"out", "tgc"}, {"in2", "compare"}, {}, true}};
    FrameSpec spec = codesSpec(1, 2, 4);
    spec.dtype = DType::F32;
    const SnapshotPtr now = instantiate(config, spec);
    EXPECT_THAT(testing_support::refusal([&] { withBypass(*now, "tgc", true); }),
                AllOf(HasSubstr("'compare'"), HasSubstr("'in2'"), HasSubstr("not kept")));
    EXPECT_NO_THROW(withBypass(*withBypass(*now, "compare", true), "tgc", true));
}

/// y = a x + (1 - a) (y of the frame before), a = 1 / 4, in the place of `compare`.
struct Blend {
    const float* x;
    const float* before;
    float* y;
    ECHOLUX_HD void operator()(std::int64_t i) const { y[i] = 0.25F * x[i] + 0.75F * before[i]; }
};

class RecursiveMean final : public Stage {
public:
    static StagePlan plan(InputSpecs inputs, const Params&) { return {.outputs = {inputs[0]}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec& exec, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace&) override {
        forEach(exec, "mean", outputs[0].spec->count(),
                Blend{inputs[0].as<float>(), inputs[1].as<float>(), outputs[0].as<float>()});
    }
};

class Averaging : public testing::Test {
protected:
    Averaging() : m_type(stageType("compare")), m_runner(Backend::Cpu, 3) {
        m_type.code = codeOf<RecursiveMean>();
        auto snapshot = std::make_shared<Snapshot>(*instantiate(feedback(kLoop), m_spec));
        snapshot->stages.back().type = &m_type;
        m_runner.apply(std::move(snapshot));
    }
    float frame(int value, Turn turn = Turn::Next) {
        const std::vector<std::int16_t> codes(static_cast<std::size_t>(m_spec.count()),
                                              static_cast<std::int16_t>(value));
        const int slot = m_runner.enqueue(
            {.raw = reinterpret_cast<const std::byte*>(codes.data()), .turn = turn});
        m_runner.wait(slot);
        return m_runner.viewOutput(slot, 0).as<float>()[m_spec.count() - 1];
    }

    FrameSpec m_spec = codesSpec(1, 2, 4);
    StageType m_type;
    Runner m_runner;
};

TEST_F(Averaging, StepsRiseAsTheClosedFormSays) {
    for (int n = 1; n <= 40; ++n)
        EXPECT_NEAR(frame(100), 100.0 * (1.0 - std::pow(0.75, n)), 1e-3) << n;
}

TEST_F(Averaging, AFrameAgainTakesTheSamePastAndOneAsideItsOwn) {
    frame(100); // 25
    EXPECT_FLOAT_EQ(frame(40), 0.25F * 40 + 18.75F);
    EXPECT_FLOAT_EQ(frame(80, Turn::Again), 0.25F * 80 + 18.75F) << "after the 25 once more";
    EXPECT_FLOAT_EQ(frame(8, Turn::Aside), 2.0F) << "nothing was before it";
    EXPECT_FLOAT_EQ(frame(8, Turn::Aside), 3.5F);
    EXPECT_FLOAT_EQ(frame(0), 0.75F * 38.75F) << "after the one that was run again";
    m_runner.resetAside();
    EXPECT_FLOAT_EQ(frame(8, Turn::Aside), 2.0F);
}

TEST_F(Averaging, AfterAJumpThePastIsZeros) {
    frame(100);
    frame(100);
    m_runner.reset();
    EXPECT_FLOAT_EQ(frame(40), 10.0F);
    EXPECT_FLOAT_EQ(frame(40), 17.5F);
}

TEST(Feedback, ItTakesTheFrameBeforeOfAStageThatComesLater) {
    // c = 2 (x - t of the frame before), t = c - x, which stands behind it.
    PipelineConfig config = test::chainOf({"to_float", "compare"});
    config.stages.back().values = {{"gain", 2.0}};
    config.stages.push_back({"third", "compare", false, {}});
    config.links = {{{"out", "third"}, {"in2", "compare"}, {}, true},
                    {{"out", "to_float"}, {"in2", "third"}}};
    const FrameSpec spec = codesSpec(1, 1, 1);
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(config, spec));
    EXPECT_TRUE(runner.hasPast());
    std::vector<float> shown;
    for (const std::int16_t code : {3, 5, 11, 2}) {
        const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(&code)});
        shown.push_back(runner.viewOutput(slot, 0).as<float>()[0]);
    }
    EXPECT_THAT(shown, testing::ElementsAre(3, -1, 13, -24)) << "x - 2 t of the frame before";
}

TEST(Feedback, TheBuffersOfAFrameAreNotHeldForTheNext) {
    const FrameSpec spec = codesSpec(1, 4, 64);
    PipelineConfig without = feedback(kLoop);
    without.links.back() = {{"out", "to_float"}, {"in2", "compare"}};
    const std::size_t frame = 4 * 64 * sizeof(float);
    EXPECT_EQ(programBytes(instantiate(feedback(kLoop), spec)),
              programBytes(instantiate(without, spec)) + 5 * frame)
        << "two for each series, and zeros";
}

TEST(Feedback, AnEditReachesRoundTheCircle) {
    // The image's grid changes: what is fed back is planned for the new one.
    const SnapshotPtr now = instantiate(shippedPipeline("frame_difference"), codesSpec(3, 16, 256));
    const SnapshotPtr finer = withValue(*now, "beamform", "pixel_lateral", 2e-4);
    const StageState& compare = finer->stage("compare");
    EXPECT_TRUE(compare.inputs[1].sameLayout(compare.input()));
    EXPECT_FALSE(compare.input().sameLayout(now->stage("compare").input()));
}

TEST(Feedback, RandomGraphsInRandomTurnsComputeWhatArithmeticDoes) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        test::compareRandomDifferences(seed, Backend::Cpu, 3, 40);
        if (HasFailure()) return;
    }
}

} // namespace
} // namespace echolux
