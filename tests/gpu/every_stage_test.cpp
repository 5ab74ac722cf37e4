// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage, on the CPU, over generated shapes and parameters: finite outputs, the
// same twice, no reading of undefined and no writing of foreign memory; and sound tables.
#include "tests/support/stage_cases.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>

namespace echolux::test {
namespace {

std::vector<const StageType*> allStages() {
    return {builtinStages().begin(), builtinStages().end()};
}

class EveryStage : public testing::TestWithParam<const StageType*> {};

bool isFloat(DType dtype) { return dtype == DType::F32 || dtype == DType::ComplexF32; }

TEST_P(EveryStage, IsFiniteAndRepeatable) {
    int alive = 0;
    const auto check = [&](const StageCase& each, const std::vector<HostFrames>& frames) {
        StageRunner runner(*each.type, each.inputs, each.params);
        std::vector<HostFrame> outputs;
        for (const HostFrames& frame : frames) {
            outputs.push_back(runner.run(frame));
            if (!isFloat(outputs.back().spec.dtype)) continue;
            for (const float value : outputs.back().as<float>()) ASSERT_TRUE(std::isfinite(value));
        }
        runner.reset();
        const auto saysSomething = [](const HostFrame& output) {
            return std::ranges::any_of(output.bytes, [](std::byte b) { return b != std::byte{}; });
        };
        if (std::ranges::any_of(runner.runAll(frames.front()), saysSomething)) ++alive;
        runner.reset();
        for (std::size_t i = 0; i < frames.size(); ++i)
            ASSERT_EQ(runner.run(frames[i]).bytes, outputs[i].bytes) << "frame " << i;
    };
    const int accepted = forEachCase(*GetParam(), check);
    EXPECT_GE(2 * alive, accepted) << "most outputs are all zero: the cases test nothing";
}

TEST_P(EveryStage, AnOutputIsTheSameWhicheverOthersAreRead) {
    if (GetParam()->outputs.size() == 1) return;
    forEachCase(*GetParam(), [](const StageCase& each, const std::vector<HostFrames>& frames) {
        StageRunner runner(*each.type, each.inputs, each.params);
        const HostFrames all = runner.runAll(frames.front());
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::vector<bool> only(all.size(), false);
            only[i] = true;
            runner.reset();
            ASSERT_EQ(runner.runWanted(frames.front(), only)[i].bytes, all[i].bytes) << i;
            for (const float value : all[i].as<float>()) ASSERT_TRUE(std::isfinite(value)) << i;
        }
    });
}

TEST_P(EveryStage, AFrameRunAgainGivesWhatItGave) {
    forEachCase(*GetParam(), [](const StageCase& each, const std::vector<HostFrames>& frames) {
        StageRunner runner(*each.type, each.inputs, each.params);
        for (const HostFrames& frame : frames) {
            const HostFrame once = runner.run(frame);
            if (frames.size() > 1) runner.runAgain(frames.back());
            ASSERT_EQ(runner.runAgain(frame).bytes, once.bytes);
        }
    });
}

/// What a damaged recording may hold must not break anything; what comes out is free.
TEST_P(EveryStage, SurvivesNanAndInfinity) {
    forEachCase(*GetParam(), [](const StageCase& each, std::vector<HostFrames> frames) {
        const float wild[] = {
            std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max()};
        StageRunner runner(*each.type, each.inputs, each.params);
        for (HostFrames& inputs : frames) {
            for (HostFrame& frame : inputs) {
                if (!isFloat(frame.spec.dtype)) continue;
                auto values = frame.as<float>();
                for (std::size_t i = 0; i < values.size(); i += 3) values[i] = wild[i / 3 % 4];
            }
            runner.run(inputs);
        }
    });
}

TEST_P(EveryStage, LiveEditsEqualAFreshStart) {
    forEachCase(*GetParam(), [](const StageCase& each, const std::vector<HostFrames>& frames) {
        Params before = each.type->defaultsFor(each.inputs.front());
        for (const ParamRow& row : each.type->table.rows()) {
            if (row.kind == ParamKind::Structural)
                before.set(each.type->id, row.key, each.params.get(row.key));
        }
        try {
            each.type->plan(each.inputs, before);
        } catch (const Error&) {
            return;
        }
        StageRunner edited(*each.type, each.inputs, before);
        edited.run(frames.front());
        edited.update(each.params);
        edited.reset();
        StageRunner fresh(*each.type, each.inputs, each.params);
        ASSERT_EQ(edited.run(frames.front()).bytes, fresh.run(frames.front()).bytes);
    });
}

TEST_P(EveryStage, HasASoundTable) {
    const StageType& type = *GetParam();
    EXPECT_THAT(type.id, testing::MatchesRegex("[a-z][a-z0-9_]*"));
    EXPECT_FALSE(type.label.empty());
    EXPECT_THAT(type.help, testing::EndsWith("."));
    EXPECT_FALSE(type.inputs.empty());
    EXPECT_EQ(type.outputs.front().name, kOutputPort);
    std::set<std::string> keys;
    for (const ParamRow& row : type.table.rows()) {
        SCOPED_TRACE(type.id + "." + row.key);
        EXPECT_TRUE(keys.insert(row.key).second) << "key used twice";
        EXPECT_THAT(row.key, testing::MatchesRegex("[a-z][a-z0-9_]*"));
        EXPECT_FALSE(row.label.empty());
        EXPECT_FALSE(row.help.empty());
        EXPECT_LE(row.min, row.max);
        EXPECT_GT(row.step, 0.0);
        EXPECT_TRUE(row.scale == ParamScale::Linear || row.min > 0.0);
        Params params(type.table);
        EXPECT_NO_THROW(params.set(type.id, row.key, params.get(row.key))) << "default refused";
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryStage, testing::ValuesIn(allStages()),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
