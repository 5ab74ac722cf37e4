// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs as written: order, ports, and what is refused with its place.
#include "app/pipeline/snapshot.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::codesSpec;
using test::ids;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

PipelineConfig parsed(const std::string& body) {
    return parsePipeline("version = 2\nname = \"graph\"\n" + body, "graph.toml");
}

std::string refusalOfStages(const std::string& body) {
    return testing_support::refusal([&] { parsed(body); });
}

constexpr const char* kTwoMeans = R"([[stage]]
type = "dc_removal"
id = "second"
input = "first"
[[stage]]
type = "to_float"
id = "first"
input = "recording"
[[stage]]
type = "dc_removal"
id = "other"
input = "first"
[[view]]
id = "a"
input = "second"
[[view]]
id = "b"
label = "Raw"
input = "out@first"
)";

TEST(Wiring, StagesComeAfterWhatTheyTake) {
    const SnapshotPtr snapshot = instantiate(parsed(kTwoMeans), codesSpec(1, 2, 8));
    EXPECT_THAT(ids(*snapshot), ElementsAre("first", "second", "other"));
    EXPECT_EQ(snapshot->stages[1].sources, std::vector<Source>{{0}});
    EXPECT_EQ(snapshot->stages[2].sources, std::vector<Source>{{0}});
    ASSERT_EQ(snapshot->views.size(), 2U);
    EXPECT_EQ(snapshot->views[0].source, Source{1});
    EXPECT_EQ(snapshot->views[1].source, Source{0});
    EXPECT_EQ(snapshot->views[1].label, "Raw");
}

TEST(Wiring, WritingAndReadingAgree) {
    const FrameSpec spec = codesSpec(1, 2, 8);
    const SnapshotPtr snapshot = instantiate(parsed(kTwoMeans), spec);
    const std::string text = toToml(toConfig(*snapshot));
    const SnapshotPtr again = instantiate(parsePipeline(text, "again.toml"), spec);
    EXPECT_EQ(toToml(toConfig(*again)), text);
    EXPECT_EQ(ids(*again), ids(*snapshot));
    for (std::size_t i = 0; i < again->stages.size(); ++i)
        EXPECT_EQ(again->stages[i].sources, snapshot->stages[i].sources);
    EXPECT_EQ(again->views[1].label, "Raw");
}

constexpr const char* kLowResolution = R"([[stage]]
type = "to_float"
[[stage]]
type = "beamform"
[[stage]]
type = "one_transmit"
input = "transmits@beamform"
[[stage]]
type = "envelope"
input = "beamform"
[[view]]
id = "one"
input = "one_transmit"
)";

TEST(Wiring, LinksAndViewsNameOutputs) {
    const FrameSpec spec = codesSpec(3, 8, 64);
    const SnapshotPtr snapshot = instantiate(parsed(kLowResolution), spec);
    EXPECT_EQ(snapshot->stage("one_transmit").sources.front(), (Source{1, 1}));
    EXPECT_EQ(snapshot->stage("envelope").sources.front(), (Source{1, 0}));
    EXPECT_EQ(snapshot->stage("one_transmit").input().sizeOf(AxisName::Transmit), 3);
    const std::string text = toToml(toConfig(*snapshot));
    EXPECT_THAT(text, HasSubstr("from = \"transmits@beamform\""));
    const SnapshotPtr again = instantiate(parsePipeline(text, "again.toml"), spec);
    EXPECT_TRUE(sameGraph(*snapshot, *again));
    const SnapshotPtr viewed =
        instantiate(parsed("[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"beamform\"\n"
                           "[[view]]\ninput = \"transmits@beamform\"\n"),
                    spec);
    EXPECT_EQ(viewed->output().axes.size(), 3U);
}

TEST(Wiring, AnUnknownOutputIsRefusedWithThoseThereAre) {
    const std::string beamform = "[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"beamform\"\n";
    EXPECT_THAT(refusalOfStages(beamform + "[[view]]\ninput = \"transmit@beamform\"\n"),
                AllOf(HasSubstr("line 7"), HasSubstr("no output 'transmit'"),
                      HasSubstr("(did you mean 'transmits'?)"),
                      HasSubstr("its outputs are 'out@beamform', 'transmits@beamform', "
                                "'delayed@beamform', 'pairs@beamform'.")));
}

TEST(Wiring, AChainIsWrittenWithoutLinksAndViews) {
    const SnapshotPtr snapshot =
        instantiate(test::chainOf({"to_float", "dc_removal"}), codesSpec(1, 2, 8));
    EXPECT_THAT(toToml(toConfig(*snapshot)),
                AllOf(testing::Not(HasSubstr("[[link]]")), testing::Not(HasSubstr("[[view]]"))));
}

TEST(Wiring, TheEnvironmentIsKept) {
    const PipelineConfig config =
        parsed("[environment]\nbackend = \"cuda\"\ndevice = 1\n[[stage]]\ntype = \"to_float\"\n");
    EXPECT_EQ(config.environment.backend, "cuda");
    EXPECT_EQ(config.environment.device, 1);
    const PipelineConfig again = parsePipeline(toToml(config), "again.toml");
    EXPECT_EQ(again.environment, config.environment);
}

TEST(Wiring, RefusalsNamePlaceReasonAndRemedy) {
    const std::string two = "[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"dc_removal\"\n";
    EXPECT_THAT(refusalOfStages(two + "[[link]]\nfrom = \"to_flaot\"\nto = \"dc_removal\"\n"),
                AllOf(HasSubstr("line 7"), HasSubstr("no stage 'to_flaot'"),
                      HasSubstr("did you mean 'to_float'?")));
    EXPECT_THAT(refusalOfStages(two + "[[link]]\nfrom = \"to_float\"\nto = \"im@dc_removal\"\n"),
                AllOf(HasSubstr("no input 'im'"), HasSubstr("did you mean 'in'?")));
    EXPECT_THAT(refusalOfStages(two + "[[link]]\nfrom = \"frame@to_float\"\nto = \"dc_removal\"\n"),
                HasSubstr("its output is 'out@to_float'"));
    EXPECT_THAT(refusalOfStages(two + "[[link]]\nfrom = \"to_float\"\nto = \"dc_removal\"\n"
                                      "[[link]]\nfrom = \"recording\"\nto = \"dc_removal\"\n"),
                HasSubstr("two links lead to 'in@dc_removal'"));
    EXPECT_THAT(
        refusalOfStages("[[stage]]\ntype = \"to_float\"\ninput = \"b\"\n"
                        "[[stage]]\ntype = \"dc_removal\"\nid = \"b\"\ninput = \"to_float\"\n"),
        AllOf(HasSubstr("line 3"), HasSubstr("go round in a circle"),
              HasSubstr("to_float -> b -> to_float")));
    EXPECT_THAT(refusalOfStages("[[stage]]\ntype = \"to_float\"\nid = \"recording\"\n"),
                HasSubstr("cannot be called 'recording'"));
    EXPECT_THAT(refusalOfStages("[[stage]]\ntype = \"to_float\"\nid = \"a b\"\n"),
                HasSubstr("a word without blanks"));
    EXPECT_THAT(refusalOfStages(two + "[[view]]\nid = \"v\"\n"),
                HasSubstr("'input' must name a port"));
    EXPECT_THAT(refusalOfStages(two + "[[wiew]]\nid = \"v\"\n"),
                AllOf(HasSubstr("'wiew' is not known"), HasSubstr("did you mean 'view'?")));
    EXPECT_THAT(refusalOfStages("[environment]\nbackend = \"gpu\"\n" + two),
                HasSubstr("no backend 'gpu'"));
    EXPECT_THAT(refusalOfStages(two + "[[stage]]\ntype = \"beamform\"\nspeed_of_sound = 1500\n"),
                AllOf(HasSubstr("line 9, column 1"), HasSubstr("'speed_of_sound' is a parameter"),
                      HasSubstr("belongs under [stage.set]")));
    EXPECT_THAT(refusalOfStages(two + "[[stage]]\ntype = \"beamform\"\nspeed_of_sond = 1500\n"),
                HasSubstr("the key 'speed_of_sond' is not known"));
    std::string many = two;
    for (const char* id : {"a", "b", "c", "d", "e"})
        many += std::string("[[view]]\ninput = \"to_float\"\nid = \"") + id + "\"\n";
    EXPECT_THAT(refusalOfStages(many), HasSubstr("4 views at most"));
}

TEST(Wiring, WhatDoesNotFitIsRefusedWithItsPlace) {
    const PipelineConfig config =
        parsed("[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = \"persistence\"\n");
    try {
        instantiate(config, codesSpec(1, 2, 8));
        FAIL() << "was planned";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("graph.toml, line 5"), HasSubstr("persistence"),
                                        HasSubstr("[transmit 1][channel 2][sample 8]")));
    }
}

} // namespace
} // namespace echolux
