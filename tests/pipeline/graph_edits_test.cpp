// SPDX-License-Identifier: GPL-3.0-or-later
// Stages, links and views that come and go.
#include "app/pipeline/graph_edits.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using test::ids;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

SnapshotPtr chain() {
    return instantiate(test::chainOf({"to_float", "dc_removal", "tgc"}), test::codesSpec(1, 4, 64));
}

SnapshotPtr planned(const PipelineConfig& config,
                    const FrameSpec& input = test::codesSpec(1, 4, 64)) {
    return instantiate(config, input);
}

TEST(GraphEdits, AStageComesIntoALinkAndGoes) {
    const SnapshotPtr more = planned(withStageBefore(*chain(), "bandpass", {"in", "tgc"}));
    EXPECT_THAT(ids(*more), ElementsAre("to_float", "dc_removal", "bandpass", "tgc"));
    EXPECT_THAT(ids(*planned(withStageBefore(*more, "tgc", {"in", "tgc"}))),
                ElementsAre("to_float", "dc_removal", "bandpass", "tgc_2", "tgc"));
    const SnapshotPtr less = planned(withoutStage(*more, "bandpass"));
    EXPECT_EQ(toToml(toConfig(*less)), toToml(toConfig(*chain()))) << "a chain again";
}

TEST(GraphEdits, AStageComesBeforeAView) {
    const SnapshotPtr more = planned(withStageBeforeView(*chain(), "bandpass", "image"));
    EXPECT_THAT(ids(*more), ElementsAre("to_float", "dc_removal", "tgc", "bandpass"));
    EXPECT_EQ(more->views.front().source, Source{3});
    EXPECT_THROW(withStageBeforeView(*chain(), "bandpass", "sideways"), Error);
}

TEST(GraphEdits, AStageBeginsABranchThatIsShown) {
    const SnapshotPtr more = planned(withStageAfter(*chain(), "tgc", {kOutputPort, "dc_removal"}));
    EXPECT_THAT(ids(*more), ElementsAre("to_float", "dc_removal", "tgc", "tgc_2"));
    EXPECT_EQ(more->stage("tgc_2").sources, std::vector<Source>{{1}});
    ASSERT_EQ(more->views.size(), 2U);
    EXPECT_EQ(more->views[0].source, Source{2});
    EXPECT_EQ(more->views[1].id, "tgc_2");
    EXPECT_EQ(more->views[1].source, Source{3});
    const SnapshotPtr both = planned(withStageAfter(*more, "compare", {kOutputPort, "dc_removal"}));
    EXPECT_EQ(both->stage("compare").sources, (std::vector<Source>{{1}, {1}}))
        << "every port, until somebody links them";
    const SnapshotPtr raw = planned(withStageAfter(*both, "to_float", {"frame", "recording"}));
    EXPECT_TRUE(raw->stage("to_float_2").sources[0].isRecording());
    EXPECT_THROW(withStageAfter(*raw, "tgc", {kOutputPort, "tgc"}), Error) << "no room";
}

TEST(GraphEdits, AViewShowsAnotherStage) {
    const SnapshotPtr other = planned(withViewOf(*chain(), "image", {kOutputPort, "dc_removal"}));
    ASSERT_EQ(other->views.size(), 1U);
    EXPECT_EQ(other->views.front().source, Source{1});
    EXPECT_EQ(other->stages.size(), 3U);
    EXPECT_THROW(planned(withViewOf(*chain(), "image", {kOutputPort, "nobody"})), Error);
    const SnapshotPtr raw = planned(withView(*chain(), kRecording));
    EXPECT_TRUE(raw->views[1].source.isRecording());
}

TEST(GraphEdits, ValuesAreNoPartOfTheGraph) {
    const SnapshotPtr before = chain();
    EXPECT_TRUE(sameGraph(*before, *withBypass(*before, "dc_removal", true)));
    EXPECT_TRUE(sameGraph(*before, *planned(toConfig(*before))));
    EXPECT_FALSE(sameGraph(*before, *planned(withType(*before, "tgc", "bandpass"))));
    EXPECT_FALSE(
        sameGraph(*before, *planned(withLink(*before, {"out", "to_float"}, {"in", "tgc"}))));
    EXPECT_FALSE(sameGraph(*before, *planned(withView(*before, "dc_removal"))));
}

TEST(GraphEdits, TheLastStageHandsItsViewToTheOneBefore) {
    const SnapshotPtr less = planned(withoutStage(*chain(), "tgc"));
    EXPECT_EQ(less->views.front().source, Source{1});
}

TEST(GraphEdits, AStageMayBecomeAnother) {
    const SnapshotPtr other = planned(withType(*chain(), "tgc", "bandpass"));
    EXPECT_THAT(ids(*other), ElementsAre("to_float", "dc_removal", "bandpass"));
    EXPECT_EQ(other->views.front().source, Source{2});
}

TEST(GraphEdits, LinksMove) {
    const SnapshotPtr moved = planned(withLink(*chain(), {"out", "to_float"}, {"in", "tgc"}));
    EXPECT_EQ(moved->stage("tgc").sources, std::vector<Source>{{0}});
    EXPECT_THROW(planned(withLink(*chain(), {"out", "tgc"}, {"in", "dc_removal"})), Error)
        << "a circle";
}

TEST(GraphEdits, AViewIsDrawnOverAnother) {
    const auto config = [](const std::string& over, const std::string& overOfOther = {}) {
        return parsePipeline("version = 3\n[[stage]]\ntype = \"to_float\"\n[[stage]]\ntype = "
                             "\"tgc\"\n[[view]]\nid = \"below\"\ninput = \"to_float\"\n" +
                                 (overOfOther.empty() ? "" : "over = \"" + overOfOther + "\"\n") +
                                 "[[view]]\nid = \"above\"\ninput = \"tgc\"\nover = \"" + over +
                                 "\"\n",
                             "views.toml");
    };
    const SnapshotPtr two = planned(config("below"));
    EXPECT_FALSE(two->views[0].over);
    EXPECT_EQ(two->views[1].over, 0U);
    EXPECT_EQ(planned(parsePipeline(toToml(toConfig(*two)), "again.toml"))->views[1].over, 0U);
    EXPECT_FALSE(planned(withoutView(*two, "below"))->views.front().over);
    PipelineConfig apart = toConfig(*two);
    apart.views[1].over.clear();
    EXPECT_FALSE(sameGraph(*two, *planned(apart)));
    EXPECT_FALSE(differsOnlyLive(*two, *planned(apart)));
    const auto refusal = [&](const std::string& over, const std::string& overOfOther = {}) {
        return testing_support::refusal([&] { planned(config(over, overOfOther)); });
    };
    EXPECT_THAT(refusal("belwo"), AllOf(HasSubstr("'belwo'"), HasSubstr("below")));
    EXPECT_THAT(refusal("above"), HasSubstr("'above'"));
    EXPECT_THAT(refusal("below", "above"), HasSubstr("already"));
}

TEST(GraphEdits, ViewsComeAndGo) {
    const SnapshotPtr two = planned(withView(*chain(), "dc_removal"));
    ASSERT_EQ(two->views.size(), 2U);
    EXPECT_EQ(two->views[1].source, Source{1});
    EXPECT_EQ(planned(withoutView(*two, "dc_removal"))->views.size(), 1U);
    EXPECT_THROW(withoutView(*chain(), "image"), Error);
    SnapshotPtr full = two;
    full = planned(withView(*full, "to_float"));
    full = planned(withView(*full, "to_float"));
    EXPECT_THROW(withView(*full, "tgc"), Error);
}

TEST(GraphEdits, AAndBShareWhatComesBefore) {
    const SnapshotPtr both = planned(withBranch(*chain(), "dc_removal"));
    EXPECT_THAT(ids(*both), ElementsAre("to_float", "dc_removal", "tgc", "dc_removal_b", "tgc_b"));
    EXPECT_EQ(both->stage("dc_removal_b").sources, std::vector<Source>{{0}});
    ASSERT_EQ(both->views.size(), 2U);
    EXPECT_EQ(both->views[0].label, "A");
    EXPECT_EQ(both->views[1].label, "B");
    EXPECT_EQ(both->outputOf(both->views[1].source).count(), both->output().count());
    // And it can be written and read.
    const std::string text = toToml(toConfig(*both));
    EXPECT_EQ(toToml(toConfig(*planned(parsePipeline(text, "ab.toml")))), text);
}

TEST(GraphEdits, TheDifferenceOfAAndBIsAThirdView) {
    const SnapshotPtr both = planned(withBranch(*chain(), "dc_removal"));
    const SnapshotPtr three = planned(withDifference(*both, 0, 1));
    EXPECT_EQ(three->stages.back().type->id, "compare");
    const std::vector<Source> taken{both->views[0].source, both->views[1].source};
    EXPECT_EQ(three->stages.back().sources, taken);
    ASSERT_EQ(three->views.size(), 3U);
    EXPECT_EQ(three->views[2].label, "A less B");
    EXPECT_EQ(three->views[2].source, Source{three->stages.size() - 1});
    const SnapshotPtr back = planned(withDifference(*three, 1, 0));
    EXPECT_EQ(back->stages.back().id, "compare_2");
    EXPECT_EQ(back->views[3].label, "B less A");
    EXPECT_THROW(withDifference(*back, 0, 1), Error) << "four views are the most";
}

/// A beamformer of which both outputs are shown.
SnapshotPtr bothOutputs() {
    PipelineConfig config = test::chainOf({"to_float", "beamform", "one_transmit", "envelope"});
    config.links = {{{"transmits", "beamform"}, {"in", "one_transmit"}},
                    {{"out", "beamform"}, {"in", "envelope"}}};
    config.views = {{"one", "", {"out", "one_transmit"}}, {"sum", "", {"out", "envelope"}}};
    return instantiate(config, test::codesSpec(3, 8, 64));
}

TEST(GraphEdits, OutputsAreNamedByWhatTheyAre) {
    const SnapshotPtr now = bothOutputs();
    const SnapshotPtr before =
        planned(withStageBefore(*now, "tgc", {"in", "one_transmit"}), now->input);
    EXPECT_EQ(before->stage("tgc").sources.front(), (Source{1, 1}));
    const SnapshotPtr moved =
        planned(withLink(*now, {"transmits", "beamform"}, {"in", "envelope"}), now->input);
    EXPECT_EQ(moved->stage("envelope").sources.front(), (Source{1, 1}));
    const SnapshotPtr seen = planned(withView(*now, PortName{"transmits", "beamform"}), now->input);
    EXPECT_EQ(seen->views.back().source, (Source{1, 1}));
    const SnapshotPtr branched = planned(withBranch(*now, "beamform"), now->input);
    const std::size_t copy = branched->indexOf("beamform_b");
    EXPECT_EQ(branched->stage("one_transmit_b").sources.front(), (Source{copy, 1}));
    EXPECT_THROW(planned(withLink(*now, {"transmit", "beamform"}, {"in", "envelope"}), now->input),
                 Error);
}

TEST(GraphEdits, LinksOfTheFrameBeforeStayThat) {
    PipelineConfig config = test::chainOf({"to_float", "dc_removal", "compare", "tgc"});
    config.links = {{{"out", "tgc"}, {"in2", "compare"}, {}, true}};
    const SnapshotPtr now = planned(config);
    const PortName port{"in2", "compare"};
    const auto second = [](const SnapshotPtr& of) { return of->stage("compare").sources[1]; };
    EXPECT_EQ(second(planned(withLink(*now, {"out", "compare"}, port))), (Source{2, 0, true}));
    EXPECT_EQ(second(planned(withStageBefore(*now, "bandpass", {"in", "tgc"}))),
              (Source{4, 0, true}));
    const SnapshotPtr before = planned(withStageBefore(*now, "bandpass", port));
    EXPECT_EQ(second(before), (Source{before->indexOf("bandpass"), 0, true}));
    EXPECT_FALSE(before->stage("bandpass").sources[0].ofFrameBefore);
    EXPECT_EQ(second(planned(withoutStage(*now, "tgc"))), (Source{2, 0, true}));
    const SnapshotPtr both = planned(withBranch(*now, "compare"));
    EXPECT_EQ(both->stage("compare_b").sources[1], (Source{both->indexOf("tgc_b"), 0, true}));
}

} // namespace
} // namespace echolux
