// SPDX-License-Identifier: GPL-3.0-or-later
// Where boxes and links of a graph stand, and which stages are timed together.
#include "tests/ui/graph_fixtures.hpp"
#include "ui/graph/graph_layout.hpp"
#include "ui/graph/graph_shapes.hpp"

#include <gtest/gtest.h>

#include <random>

namespace echolux {
namespace {

using testing_support::branchedGraph;
using testing_support::chainGraph;
using testing_support::recordingNode;
using testing_support::stageNode;

const GraphSpacing kSpacing{{160.0, 48.0}, 24.0, 32.0};

GraphLayout down(const GraphModel& model) { return layOut(model, kSpacing, GraphFlow::Down); }

std::size_t at(const GraphModel& model, const QString& id) {
    return static_cast<std::size_t>(nodeIndex(model, id));
}

/// What holds of every graph without circles.
void expectSound(const GraphModel& model, const GraphLayout& layout, GraphFlow flow) {
    const QRectF all = QRectF({0.0, 0.0}, layout.size).adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
        EXPECT_TRUE(all.contains(layout.boxes[a]));
        for (std::size_t b = a + 1; b < layout.boxes.size(); ++b)
            EXPECT_FALSE(layout.boxes[a].intersects(layout.boxes[b])) << a << " over " << b;
    }
    for (std::size_t k = 0; k < layout.ways.size(); ++k) {
        const GraphLink& link = model.links[static_cast<qsizetype>(k)];
        EXPECT_LT(layout.layers[at(model, link.from)], layout.layers[at(model, link.to)]);
        const std::vector<QPointF>& way = layout.ways[k];
        ASSERT_GE(way.size(), 2u);
        ASSERT_EQ(way.size() % 2, 0u);
        EXPECT_EQ(way.front(), outputPoint(layout.boxes[at(model, link.from)], flow));
        for (std::size_t hop = 1; hop < way.size(); ++hop) {
            const QPointF by = way[hop] - way[hop - 1];
            EXPECT_GT(flow == GraphFlow::Down ? by.y() : by.x(), 0.0) << "links go on";
            if (hop % 2 == 1) continue;
            EXPECT_EQ(flow == GraphFlow::Down ? by.x() : by.y(), 0.0) << "straight past a layer";
            const QRectF line = QRectF(way[hop - 1], way[hop]).adjusted(-1.0, 0.0, 1.0, 0.0);
            for (const QRectF& box : layout.boxes) EXPECT_FALSE(box.intersects(line));
        }
    }
}

TEST(GraphLayout, AChainIsALine) {
    const GraphModel model = chainGraph();
    const GraphLayout layout = down(model);
    expectSound(model, layout, GraphFlow::Down);
    for (std::size_t k = 0; k < layout.boxes.size(); ++k)
        EXPECT_EQ(layout.boxes[k].topLeft(), QPointF(0.0, 72.0 * static_cast<double>(k)));
    EXPECT_EQ(layout.size, QSizeF(160.0, 11 * 48.0 + 10 * 24.0));
}

TEST(GraphLayout, RightIsDownTurned) {
    const GraphModel model = branchedGraph();
    const GraphLayout layout = layOut(model, kSpacing, GraphFlow::Right);
    expectSound(model, layout, GraphFlow::Right);
    EXPECT_EQ(layout.layers, down(model).layers);
}

TEST(GraphLayout, BranchesStandSideBySideWithoutCrossings) {
    const GraphModel model = branchedGraph();
    const GraphLayout layout = down(model);
    expectSound(model, layout, GraphFlow::Down);
    const auto box = [&](const QString& id) { return layout.boxes[at(model, id)]; };
    EXPECT_LT(box("das").right(), box("fine").left());
    EXPECT_EQ(box("das").left(), box("envelope").left()) << "branches are straight";
    EXPECT_EQ(box("fine").left(), box("envelope_fine").left());
    const double middle = (box("das").center().x() + box("fine").center().x()) / 2.0;
    EXPECT_NEAR(box("to_float").center().x(), middle, 1.0);
    EXPECT_NEAR(box("recording").center().x(), middle, 1.0);
    EXPECT_EQ(box("log_compression").center().x(), box("difference").center().x());
    EXPECT_NEAR(box("compare").center().x(), middle, 1.0) << "the view beside it gives way";
    EXPECT_EQ(box("compare").left(), box("log_compression").left());
}

TEST(GraphLayout, ALongLinkPassesBesideTheBoxes) {
    GraphModel model = chainGraph();
    model.nodes.append(stageNode("compare", "compare", "Compare", {"a", "b"}));
    model.links.append({"average", "compare", "a"});
    model.links.append({"recording", "compare", "b"});
    const GraphLayout layout = down(model);
    expectSound(model, layout, GraphFlow::Down);
    EXPECT_EQ(layout.ways.back().size(), 2u + 2u * 9u);
    EXPECT_EQ(layout.boxes[0].left(), layout.boxes[9].left()) << "the chain stays straight";
}

TEST(GraphLayout, AViewDoesNotBendTheChain) {
    GraphModel model = chainGraph();
    model.nodes.append(testing_support::viewNode("early", "Early"));
    model.links.append({"window", "early", "image"});
    const GraphLayout layout = down(model);
    expectSound(model, layout, GraphFlow::Down);
    EXPECT_EQ(layout.boxes[at(model, "window")].left(), layout.boxes[at(model, "average")].left());
    EXPECT_EQ(layout.boxes[at(model, "recording")].left(), 0.0);
}

TEST(GraphLayout, AnyGraphIsSoundAndAlwaysTheSame) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937 random(seed);
        const auto upTo = [&](int most) { return static_cast<int>(random() % (most + 1u)); };
        GraphModel model;
        model.nodes.append(recordingNode());
        const int stages = 1 + upTo(14);
        for (int k = 1; k <= stages; ++k) {
            const QStringList ports = upTo(2) == 0 ? QStringList{"a", "b"} : QStringList{"in"};
            model.nodes.append(stageNode(QString::number(k), "type", "Stage", ports));
            for (const QString& port : ports)
                model.links.append({model.nodes[upTo(k - 1)].id, model.nodes[k].id, port});
        }
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const GraphLayout layout = down(model);
        expectSound(model, layout, GraphFlow::Down);
        const GraphLayout again = down(model);
        EXPECT_EQ(layout.boxes, again.boxes);
        EXPECT_EQ(layout.ways, again.ways);
    }
}

TEST(GraphLayout, WhatIsWrongIsStillDrawn) {
    EXPECT_TRUE(down({}).size.isEmpty());
    GraphModel model;
    model.nodes = {stageNode("a", "t", "A"), stageNode("b", "t", "B")};
    model.links = {{"a", "b", "in"}, {"b", "a", "in"}, {"gone", "a", "in"}, {"a", "b", "none"}};
    const GraphLayout layout = down(model);
    EXPECT_FALSE(layout.boxes[0].intersects(layout.boxes[1]));
    EXPECT_EQ(layout.ways[0].size(), 2u);
    EXPECT_EQ(layout.ways[1].size(), 2u) << "back to the start of the circle";
    EXPECT_TRUE(layout.ways[2].empty());
    EXPECT_TRUE(layout.ways[3].empty());
}

TEST(GraphModel, ReachingFollowsTheLinks) {
    const GraphModel model = branchedGraph();
    EXPECT_TRUE(reaches(model, "recording", "difference"));
    EXPECT_TRUE(reaches(model, "das", "das"));
    EXPECT_FALSE(reaches(model, "das", "fine"));
    EXPECT_FALSE(reaches(model, "compare", "das"));
}

TEST(GraphShapes, LinkedStagesWithOneTextAreAGroup) {
    GraphModel model = chainGraph();
    for (const int k : {1, 2, 3, 7, 8}) model.nodes[k].timedAs = "fused";
    model.nodes[2].ms.mean = 0.4;
    const auto groups = timedGroups(model);
    ASSERT_EQ(groups.size(), 2u) << "the same text elsewhere is another group";
    EXPECT_EQ(groups[0], (std::vector{1, 2, 3}));
    EXPECT_EQ(groups[1], (std::vector{7, 8}));
    EXPECT_EQ(timeCarrier(model, groups[0]), 2);
    EXPECT_EQ(timeCarrier(model, groups[1]), 7);
    const GraphScene scene{model, down(model), GraphFlow::Down};
    const QRectF outline = groupOutline(scene, groups[0]).boundingRect();
    EXPECT_TRUE(outline.contains(scene.box(1).united(scene.box(3))));
    EXPECT_FALSE(outline.intersects(scene.box(0)));
    EXPECT_FALSE(outline.intersects(scene.box(4)));
}

TEST(GraphShapes, AnOutputHasAPlaceOfItsOwn) {
    GraphModel model = branchedGraph();
    const int das = nodeIndex(model, "das");
    model.nodes[das].outputs << "transmits";
    GraphLink& link = model.links[3];
    ASSERT_EQ(link.from, "das");
    link.fromPort = "transmits";
    const GraphScene scene{model, down(model), GraphFlow::Down};
    EXPECT_LT(scene.output(das, 0).x(), scene.output(das, 1).x());
    EXPECT_EQ(scene.layout.ways[3].front(), scene.output(das, 1));
    EXPECT_EQ(hitAt(scene, scene.output(das, 1), 6.0), (GraphHit{GraphHit::Part::Output, das, 1}));
    EXPECT_EQ(outputId(model.nodes[das], 0), "das");
    EXPECT_EQ(outputId(model.nodes[das], 1), "transmits@das");
    EXPECT_EQ(outputId(link), "transmits@das");
}

TEST(GraphShapes, ALinkOfTheFrameBeforeOrdersNothing) {
    GraphModel model = branchedGraph();
    const GraphLayout without = down(model);
    model.links.append({"log_compression", "das", "in", {}, true});
    EXPECT_EQ(down(model).layers, without.layers);
    EXPECT_EQ(down(model).ways.back().size(), 2U);
}

TEST(GraphShapes, WhatStandsAtAPoint) {
    using Part = GraphHit::Part;
    GraphModel model = branchedGraph();
    model.nodes[4].error = "No.";
    const GraphScene scene{model, down(model), GraphFlow::Down};
    const int compare = nodeIndex(model, "compare");
    EXPECT_EQ(hitAt(scene, scene.input(compare, 1), 6.0), (GraphHit{Part::Input, compare, 1}));
    EXPECT_EQ(hitAt(scene, scene.output(1), 6.0), (GraphHit{Part::Output, 1, 0}));
    EXPECT_EQ(hitAt(scene, scene.box(4).center(), 6.0), (GraphHit{Part::Box, 4}));
    EXPECT_EQ(hitAt(scene, switchRect(scene.box(4)).center(), 6.0), (GraphHit{Part::Switch, 4}));
    EXPECT_EQ(hitAt(scene, badgeRect(scene.box(4)).center(), 6.0), (GraphHit{Part::Badge, 4}));
    EXPECT_EQ(hitAt(scene, switchRect(scene.box(0)).center(), 6.0), (GraphHit{Part::Box, 0}));
    EXPECT_EQ(hitAt(scene, scene.link(1).pointAtPercent(0.5), 6.0), (GraphHit{Part::Link, 1}));
    EXPECT_EQ(hitAt(scene, {-50.0, -50.0}, 6.0), GraphHit{});
}

} // namespace
} // namespace echolux
