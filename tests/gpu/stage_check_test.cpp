// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of stages find stages that are wrong, each by the check that is meant for it.
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/stage_work.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct GainParams {
    double gain = 1.0;
};

/// y = gain x, right in every way; what derives from it does one thing wrong.
class Gain : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params& params) override {
        m_gain = static_cast<float>(params.as<GainParams>().gain);
    }
    void run(const Exec&, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        for (std::int64_t i = 0; i < input.spec->count(); ++i)
            output.as<float>()[i] = value(input.as<float>()[i]);
    }

protected:
    virtual float value(float x) { return m_gain * x; }
    float m_gain = 1.0F;
};

class GivesInfinity final : public Gain {
    float value(float x) override { return x / 0.0F; }
};
class GivesZeros final : public Gain {
    float value(float) override { return 0.0F; }
};
class ChangesByItself final : public Gain {
    float value(float x) override { return x + 0.001F * static_cast<float>(m_frames++); }
    int m_frames = 0;
};
class IgnoresEdits final : public Gain {
    void update(const Exec& exec, const Params& params) override {
        if (m_isUpdated) return;
        m_isUpdated = true;
        Gain::update(exec, params);
    }
    bool m_isUpdated = false;
};
class ThrowsOnNan final : public Gain {
    float value(float x) override {
        if (!std::isfinite(x)) throw std::domain_error("a sample is not finite");
        return m_gain * x;
    }
};
/// Reads scratch memory that it did not write.
class ReadsScratch final : public Gain {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        return {.outputs = {input}, .workspaceBytes = sizeof(float)};
    }
    void run(const Exec&, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        for (std::int64_t i = 0; i < input.spec->count(); ++i)
            output.as<float>()[i] = input.as<float>()[i] + *static_cast<float*>(workspace.data);
    }
};

template <class S> const StageType& typeOf() {
    static const StageType kType{
        .id = "under_test",
        .label = "Under test",
        .help = "Multiplies.",
        .table = ParamTable::of<GainParams>()
                     .real(&GainParams::gain,
                           {.key = "gain", .label = "Gain", .min = 0.5, .max = 2.0, .help = "x."})
                     .build(),
        .inputs = {{.dtypes = {DType::F32}}},
        .tolerance = {},
        .code = codeOf<S>(),
    };
    return kType;
}

TEST(StageCheck, AStageThatIsRightPasses) {
    for (const check::NamedCheck& each : check::hostChecks())
        EXPECT_THAT(each.run(typeOf<Gain>()), IsEmpty()) << each.name;
}

TEST(StageCheck, EachFaultIsFoundAndSaysItsCase) {
    using check::isFiniteAndRepeatable;
    EXPECT_THAT(isFiniteAndRepeatable(typeOf<GivesInfinity>()),
                ElementsAre(testing::AllOf(HasSubstr("not finite"), HasSubstr("seed"))));
    EXPECT_THAT(isFiniteAndRepeatable(typeOf<GivesZeros>()), ElementsAre(HasSubstr("are zero")));
    EXPECT_THAT(isFiniteAndRepeatable(typeOf<ChangesByItself>()),
                ElementsAre(HasSubstr("in a second run")));
    EXPECT_THAT(isFiniteAndRepeatable(typeOf<ReadsScratch>()),
                ElementsAre(HasSubstr("not finite")));
    EXPECT_THAT(check::repeatsFrames(typeOf<ChangesByItself>()),
                ElementsAre(HasSubstr("run again")));
    EXPECT_THAT(check::liveEditsEqualAFreshStart(typeOf<IgnoresEdits>()),
                ElementsAre(HasSubstr("new instance")));
    EXPECT_THAT(check::survivesNanAndInfinity(typeOf<ThrowsOnNan>()),
                ElementsAre(HasSubstr("a sample is not finite")));
}

TEST(StageCheck, AnUnsoundTableIsFound) {
    StageType type = typeOf<Gain>();
    type.id = "Bad id";
    type.help = "no full stop";
    type.outputs = {{"image"}};
    EXPECT_THAT(check::hasASoundTable(type),
                ElementsAre(HasSubstr("the id"), HasSubstr("full stop"), HasSubstr("'out'")));
}

using Work = std::vector<model::Kernel> (*)(const PlannedStage& stage);

/// What `check` says of a stage that declares this.
check::Findings declaring(Work work) {
    StageType type = typeOf<Gain>();
    type.work = work;
    return check::declaresSoundWork(type);
}

TEST(StageCheck, ADeclarationThatIsRightPasses) {
    EXPECT_THAT(declaring([](const PlannedStage& stage) -> std::vector<model::Kernel> {
                    return {forEachWork(stage.backend, "gain", stage.inputs[0].count(),
                                        {.bytesRead = 4.0, .bytesWritten = 4.0})};
                }),
                IsEmpty());
}

TEST(StageCheck, AStageWithoutADeclarationIsFound) {
    EXPECT_THAT(declaring(nullptr), ElementsAre(HasSubstr("declares no work")));
}

TEST(StageCheck, CountsThatCannotBeAreFound) {
    EXPECT_THAT(declaring([](const PlannedStage& stage) -> std::vector<model::Kernel> {
                    return {forEachWork(stage.backend, "gain", stage.inputs[0].count(),
                                        {.bytesRead = 4.0, .counts = {.fmul = -1.0}})};
                }),
                ElementsAre(testing::AllOf(HasSubstr("has a count of -"), HasSubstr("seed"))));
    EXPECT_THAT(declaring([](const PlannedStage& stage) -> std::vector<model::Kernel> {
                    return {forEachWork(stage.backend, "gain", stage.inputs[0].count(),
                                        {.bytesRead = 4.0, .counts = {.special = NAN}})};
                }),
                ElementsAre(HasSubstr("has a count of nan")));
    EXPECT_THAT(declaring([](const PlannedStage&) -> std::vector<model::Kernel> {
                    return {{"gain", {.blocks = 0.0}, {}}};
                }),
                ElementsAre(HasSubstr("it has 0 blocks")));
    EXPECT_THAT(declaring([](const PlannedStage&) -> std::vector<model::Kernel> {
                    return {{"gain", {.threads = 2048.0}, {}}};
                }),
                ElementsAre(HasSubstr("2048 threads")));
    EXPECT_THAT(declaring([](const PlannedStage&) -> std::vector<model::Kernel> {
                    return {{"gain", {}, {{.globalBytes = 4.0, .distinctBytes = 8.0}}}};
                }),
                ElementsAre(HasSubstr("8 different bytes among 4")));
}

TEST(StageCheck, BytesThatAreTooFewOrTooManyAreFound) {
    const Work halfOfThem = [](const PlannedStage& stage) -> std::vector<model::Kernel> {
        return {copyWork("gain", stage.inputs[0].bytes() / 2)};
    };
    EXPECT_THAT(declaring(halfOfThem), ElementsAre(HasSubstr("inputs and outputs have")));
    StageType type = typeOf<Gain>();
    type.work = halfOfThem;
    const auto all = [](const check::StageCase&, std::size_t) { return true; };
    EXPECT_THAT(check::declaresSoundWork(type, all), IsEmpty()) << "the output is as long as that";
    EXPECT_THAT(declaring([](const PlannedStage& stage) -> std::vector<model::Kernel> {
                    return {copyWork("gain", 100 * stage.inputs[0].bytes() + 10000)};
                }),
                ElementsAre(HasSubstr("different bytes, but there are")));
    EXPECT_THAT(declaring([](const PlannedStage&) -> std::vector<model::Kernel> { return {}; }),
                ElementsAre(HasSubstr("touch 0 different bytes")));
}

TEST(StageCheck, AStageThatRefusesNearlyEverythingIsFound) {
    StageType type = typeOf<Gain>();
    type.code.plan = [](InputSpecs, const Params&) -> StagePlan { throw Error("Never."); };
    EXPECT_THAT(check::repeatsFrames(type), ElementsAre(HasSubstr("accepted 0 of 300")));
}

} // namespace
} // namespace echolux
