// SPDX-License-Identifier: GPL-3.0-or-later
// What stages give the window besides their rows: it names rows that exist, follows from the input,
// and is nothing where the code throws.
#include "app/pipeline/snapshot.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/oct_frames.hpp"
#include "tests/support/spans_by_key.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing_support::spansByKey;

StageState stateOf(const StageType& type, const FrameSpec& input) {
    StageState state;
    state.id = type.id;
    state.type = &type;
    state.params = state.defaults = type.defaultsFor(input);
    state.inputs = {input};
    return state;
}

const StageType& beamformer() { return stageTypeWith(Role::Beamforms); }

bool isRow(const StageType& type, const std::string& key, ParamType kind) {
    const ParamRow* row = type.table.find(key);
    return row != nullptr && row->type == kind;
}

bool isChoice(const StageType& type, const ParamCondition& condition) {
    const ParamRow* row = type.table.find(condition.key);
    return row != nullptr &&
           std::ranges::find(row->choices, condition.id, &ParamChoice::id) != row->choices.end();
}

TEST(ShownStages, BoxesAndNumbersNameRowsThatExist) {
    int boxes = 0;
    for (const StageType* type : builtinStages()) {
        if (const auto& box = type->shown.box) {
            ++boxes;
            for (const std::string& key : {box->depth, box->lateral, box->height, box->width}) {
                if (key.empty()) continue;
                EXPECT_TRUE(isRow(*type, key, ParamType::Real)) << type->id << ' ' << key;
                EXPECT_EQ(type->table.find(key)->unit, "m") << type->id << ' ' << key;
            }
            EXPECT_FALSE(box->lateral.empty()) << type->id;
            EXPECT_TRUE(box->width.empty() == (box->drawnWidthM > 0.0)) << type->id;
        }
        if (const auto& kept = type->shown.kept) {
            EXPECT_TRUE(isChoice(*type, kept->onlyWith)) << type->id;
            EXPECT_TRUE(isChoice(*type, kept->byNumber)) << type->id;
            EXPECT_TRUE(isRow(*type, kept->first, ParamType::Integer)) << type->id;
            EXPECT_TRUE(isRow(*type, kept->last, ParamType::Integer)) << type->id;
        }
    }
    EXPECT_EQ(boxes, 3);
}

TEST(ShownStages, SpansAndCurvesNameRowsThatExist) {
    std::size_t curves = 0;
    for (const std::string& name : shippedPipelines()) {
        for (const FrameSpec& input :
             {test::channelSpec(3, 16, 256), testing_support::spectraSpec(DType::U16, 4, 256)}) {
            SnapshotPtr snapshot;
            try {
                snapshot = instantiate(shippedPipeline(name), input);
            } catch (const Error&) { // for other data
                continue;
            }
            for (const StageState& stage : snapshot->stages) {
                for (const SliderSpan& span : stage.spans()) {
                    EXPECT_NE(stage.type->table.find(span.key), nullptr) << stage.id << span.key;
                    EXPECT_LT(span.min, span.max) << stage.id << span.key;
                }
                for (const StageCurve& curve : stage.curves()) {
                    ++curves;
                    EXPECT_EQ(curve.x.size(), curve.y.size()) << stage.id;
                    EXPECT_LT(curve.yMin, curve.yMax) << stage.id;
                    EXPECT_TRUE(curve.underKey.empty() ||
                                stage.type->table.find(curve.underKey) != nullptr)
                        << stage.id;
                }
            }
        }
    }
    EXPECT_GT(curves, 10U);
}

/// 16 elements at 0.3 mm; waves steered by less than 15 degrees count as those.
TEST(ShownStages, TheImageHasRoomForSteeredWaves) {
    FrameSpec input = test::channelSpec(3, 16, 2048);
    auto spans = spansByKey(stateOf(beamformer(), input));
    const double deepest = 0.5 * 1540.0 * (2e-6 + 2047.0 / 20e6);
    EXPECT_EQ(spans["depth_max"], std::pair(0.0, std::ceil(deepest * 1e3) * 1e-3));
    const double aside = 7.5 * 0.3e-3 + deepest * std::tan(0.26);
    EXPECT_NEAR(spans["lateral_max"].second, std::ceil(aside * 1e3) * 1e-3, 1e-9);
    EXPECT_NEAR(spans["lateral_min"].first, -std::ceil(aside * 1e3) * 1e-3, 1e-9);
    EXPECT_EQ(spans["speed_of_sound"], std::pair(1350.0, 1750.0));
    auto steel = std::make_shared<Acquisition>(*input.acquisition);
    steel->soundSpeedMps = 6500.0;
    input.acquisition = steel;
    EXPECT_EQ(spansByKey(stateOf(beamformer(), input))["speed_of_sound"],
              std::pair(2700.0, 1.1 * 6500.0))
        << "with room beyond the recorded speed";
}

/// With an f-number of 0 and a rectangular window each element counts fully.
TEST(ShownStages, TheCurveOfElementsRunsOverTheArray) {
    StageState stage = stateOf(beamformer(), test::channelSpec(3, 5, 2048));
    stage.params.set("beamform", "f_number", 0.0);
    const std::vector<StageCurve> curves = stage.curves();
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_EQ(curves[0].underKey, "window");
    for (std::size_t e = 0; e < 5; ++e)
        EXPECT_NEAR(curves[0].x[e], 0.3 * (static_cast<double>(e) - 2.0), 1e-9);
    EXPECT_EQ(curves[0].y, std::vector(5, 1.0));
}

TEST(ShownStages, RowsAlongAnAxisRunToItsEnd) {
    FrameSpec input = test::channelSpec(7, 16, 256);
    const StageType& oneTransmit = stageType("one_transmit");
    input.axes = {input.axes[0],
                  {AxisName::Depth, 9, 1e-4, 0.0, "m"},
                  {AxisName::Lateral, 5, 1e-4, 0.0, "m"}};
    EXPECT_THAT(stateOf(oneTransmit, input).spans(), ElementsAre(SliderSpan{"transmit", 1.0, 7.0}));
    input.axes[0].size = 1;
    EXPECT_THAT(stateOf(oneTransmit, input).spans(), IsEmpty());
    EXPECT_EQ(beamformer().table.find("transmits")->along, AxisName::Transmit);
}

/// As a plugin brings them.
TEST(ShownStages, AnyStageMayShowParts) {
    StageType type = stageType("bandpass");
    type.shown = {
        .curves =
            [](const ShownStage& stage) {
                return std::vector{
                    StageCurve{.x = {0.0, 1.0}, .y = {0.0, *stage.params.real("low")}}};
            },
        .spans =
            [](const ShownStage& stage) {
                return std::vector{SliderSpan{"low", 0.0, stage.input.centreFrequencyHz, true}};
            },
        .companions =
            [](const ShownStage&, std::string_view key) {
                std::vector<CompanionValue> values;
                if (key == "low") values.push_back({"high", 4e6});
                return values;
            }};
    StageState stage = stateOf(type, test::channelSpec(1, 2, 64));
    stage.params.set("bandpass", "low", 2e6);
    EXPECT_THAT(stage.curves(), ElementsAre(Field(&StageCurve::y, ElementsAre(0.0, 2e6))));
    EXPECT_THAT(stage.spans(), ElementsAre(SliderSpan{"low", 0.0, 5e6, true}));
    EXPECT_THAT(stage.companions("low"),
                ElementsAre(AllOf(Field(&CompanionValue::key, "high"),
                                  Field(&CompanionValue::value, ParamValue(4e6)))));
    EXPECT_THAT(stage.companions("high"), IsEmpty());
}

/// What is shown beside the rows stops no edit.
TEST(ShownStages, CodeThatThrowsShowsNothing) {
    StageType type = stageType("bandpass");
    type.shown = {
        .curves = [](const ShownStage&) -> std::vector<StageCurve> {
            throw std::runtime_error("no curve");
        },
        .spans = [](const ShownStage&) -> std::vector<SliderSpan> { throw 7; },
        .companions = [](const ShownStage&, std::string_view) -> std::vector<CompanionValue> {
            throw Error("none");
        }};
    const StageState stage = stateOf(type, test::channelSpec(1, 2, 64));
    EXPECT_THAT(stage.curves(), IsEmpty());
    EXPECT_THAT(stage.spans(), IsEmpty());
    EXPECT_THAT(stage.companions("low"), IsEmpty());
}

TEST(ShownStages, ValuesAreReadByTheirKeys) {
    Params values = beamformer().defaultsFor(test::channelSpec(3, 16, 256));
    EXPECT_EQ(values.real("speed_of_sound"), 1540.0);
    EXPECT_EQ(values.real("sinc_taps"), std::nullopt) << "an integer";
    EXPECT_EQ(values.real("colour"), std::nullopt);
    EXPECT_TRUE(values.holds({"grid", "image"}));
    EXPECT_FALSE(values.holds({"grid", "volume"}));
    EXPECT_FALSE(values.holds({"colour", "image"}));
}

} // namespace
} // namespace echolux
