// SPDX-License-Identifier: GPL-3.0-or-later
// The graph and the text of the pipeline at work: what is done in them is done to what runs.
#include "app/dataset/recording/recording.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/session/session.hpp"
#include "app/tools/graph/pipeline_graph.hpp"
#include "app/tools/pipeline_text/tool.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/graph/graph_view.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/graph/toml_editor.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/view_area.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing_support::comesTrue;
using testing_support::OpenWindow;

const QString kRetinaCine = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");

/// The bundled recording, its graph, and what people do to it.
struct Graphed : OpenWindow {
    using OpenWindow::OpenWindow;

    GraphView& graph() { return desktop.panel<GraphView>(); }
    PipelineText& text() { return desktop.panel<PipelineText>(); }
    EditDesk& edits() { return desktop.edits(); }
    SnapshotPtr now() { return desktop.session().snapshot(); }
    std::vector<std::string> ids() {
        std::vector<std::string> all;
        for (const StageState& stage : now()->stages) all.push_back(stage.id);
        return all;
    }
    bool has(const char* id) { return nodeIndex(graph().model(), id) >= 0; }
    const GraphNode& node(const char* id) {
        return graph().model().nodes[nodeIndex(graph().model(), id)];
    }
    bool linked(const char* from, const char* to, const char* port = "in") {
        return graph().model().links.contains(GraphLink{from, to, port});
    }
    QString told() { return desktop.window().messages().text(); }
    void open(const char* name) {
        desktop.window().findChild<QDockWidget*>(name)->toggleViewAction()->trigger();
        ASSERT_TRUE(comesTrue([&] {
            return !desktop.window().findChild<QDockWidget*>(name)->visibleRegion().isEmpty();
        }));
    }
    /// Pauses after it.
    void type(QString whole) {
        QSignalSpy tried(&text(), &PipelineText::textEdited);
        text().editor()->setPlainText(whole);
        ASSERT_TRUE(comesTrue([&] { return tried.count() > 0; }));
    }
    QString toml() { return QString::fromStdString(toToml(toConfig(*now()))); }
};

TEST(GraphTool, ShowsThePipelineThatRuns) {
    Graphed window;
    const GraphModel& model = window.graph().model();
    ASSERT_EQ(model.nodes.size(), static_cast<qsizetype>(window.ids().size()) + 2);
    EXPECT_EQ(window.node("recording").label, "phantom_cine.echolux.h5");
    EXPECT_TRUE(window.linked("recording", "to_float"));
    EXPECT_EQ(window.node("@image").label, "Image");
    EXPECT_TRUE(window.linked(window.ids().back().c_str(), "@image", "image"));
    EXPECT_FALSE(window.node("beamform").canBypass);
    EXPECT_EQ(window.node("beamform").bypassReason,
              "This stage changes the shape of frames, so the stages after it need it.");
    EXPECT_TRUE(window.node("bandpass").canBypass);
    ASSERT_TRUE(window.showsFrames(5));
    EXPECT_TRUE(comesTrue([&] { return window.node("beamform").ms.mean > 0.0; }));
    const double envelope = window.node("envelope").ms.mean;
    EXPECT_GE(envelope, 0.0);
}

TEST(GraphTool, AStageThatOthersNeedSaysSo) {
    Graphed window(OpenRequest{kRetinaCine.toStdString()});
    EXPECT_FALSE(window.node("magnitude_log").canBypass);
    EXPECT_TRUE(window.node("magnitude_log").bypassReason.endsWith('.'))
        << window.node("magnitude_log").bypassReason.toStdString();
}

TEST(GraphTool, StagesComeGoAndAreTakenBack) {
    Graphed window;
    const auto before = window.ids();
    emit window.graph().insertWanted("median", "log_compression", "@image", "image");
    EXPECT_EQ(window.ids().back(), "median_2");
    EXPECT_TRUE(window.linked("log_compression", "median_2"));
    EXPECT_TRUE(window.linked("median_2", "@image", "image"));
    EXPECT_EQ(window.graph().chosen(), "median_2");
    EXPECT_NE(window.desktop.window().parameters().group("median_2"), nullptr);
    EXPECT_EQ(window.edits().newest(), "inserting Speckle median");
    emit window.graph().insertWanted("tgc", "beamform", "envelope", "in");
    EXPECT_TRUE(window.linked("beamform", "tgc_2"));
    emit window.graph().removeWanted("median_2");
    EXPECT_FALSE(window.has("median_2"));
    EXPECT_EQ(window.edits().details().size(), 3);
    for (int step = 0; step < 3; ++step) window.edits().undo();
    EXPECT_EQ(window.ids(), before);
    EXPECT_TRUE(window.linked("beamform", "envelope"));
    window.edits().redo();
    EXPECT_TRUE(window.has("median_2"));
}

TEST(GraphTool, WhatDoesNotFitIsRefusedAndNothingChanges) {
    Graphed window;
    const auto before = window.ids();
    emit window.graph().insertWanted("beamform", "envelope", "log_compression", "in");
    EXPECT_EQ(window.ids(), before);
    EXPECT_FALSE(window.told().isEmpty());
    EXPECT_TRUE(window.edits().details().isEmpty());
    emit window.graph().viewWanted("recording");
    EXPECT_EQ(window.now()->views.size(), 1U);
    EXPECT_TRUE(window.told().contains("no image")) << window.told().toStdString();
    emit window.graph().viewRemoved("@image");
    EXPECT_TRUE(window.told().contains("last view"));
}

TEST(GraphTool, AStageIsSentToTheCpuAndTakenBack) {
    Graphed window;
    const auto onCpu = [&] {
        const GraphModel& model = window.graph().model();
        return model.nodes[nodeIndex(model, "envelope")].onCpu;
    };
    EXPECT_FALSE(onCpu());
    emit window.graph().cpuWanted("envelope", true);
    EXPECT_TRUE(window.now()->stage("envelope").onCpu);
    EXPECT_TRUE(onCpu());
    EXPECT_EQ(window.edits().details(), QStringList{"Envelope on the CPU"});
    EXPECT_TRUE(window.showsMoreFrames(2));
    window.edits().undo();
    EXPECT_FALSE(onCpu());
}

TEST(GraphTool, OutputsAndLinksOfTheFrameBeforeAreShownAsSuch) {
    const auto graph = [](const char* pipeline) {
        const FrameSpec frame =
            openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5", {})->info().frame;
        return graphOf(*instantiate(shippedPipeline(pipeline), frame), "cine", {}, {});
    };
    const GraphModel images = graph("low_resolution");
    EXPECT_EQ(images.nodes[nodeIndex(images, "beamform")].outputs,
              (QStringList{"out", "transmits", "delayed", "pairs"}));
    EXPECT_TRUE(
        images.links.contains(GraphLink{"beamform", "one_transmit", "in", "transmits", false}));
    const GraphModel difference = graph("frame_difference");
    EXPECT_TRUE(
        difference.links.contains(GraphLink{"log_compression", "compare", "in2", {}, true}));
}

TEST(GraphTool, LinksMoveAndAreTakenBack) {
    Graphed window;
    emit window.graph().linkWanted("to_float", "beamform", "in");
    EXPECT_TRUE(window.linked("to_float", "beamform"));
    EXPECT_EQ(window.now()->stage("beamform").sources.front(), Source{0});
    EXPECT_EQ(window.edits().details(), QStringList{"Linking To float to Beamform"});
    window.edits().undo();
    EXPECT_FALSE(window.linked("to_float", "beamform")) << "a link is an edit as a stage is";
    emit window.graph().viewWanted("envelope");
    ASSERT_EQ(window.now()->views.size(), 2U);
    EXPECT_EQ(window.desktop.views().further().count(), 1);
    emit window.graph().linkWanted("log_compression", "@envelope", "image");
    EXPECT_TRUE(window.linked("log_compression", "@envelope", "image"));
    window.edits().undo();
    EXPECT_TRUE(window.linked("envelope", "@envelope", "image"));
    emit window.graph().viewRemoved("@envelope");
    EXPECT_EQ(window.now()->views.size(), 1U);
    window.edits().undo();
    EXPECT_EQ(window.now()->views.size(), 2U);
    window.edits().undo();
    EXPECT_EQ(window.now()->views.size(), 1U);
}

TEST(GraphTool, ABranchEndsInAViewOfItsOwn) {
    Graphed window;
    emit window.graph().insertWanted("log_compression", "envelope", {}, {});
    EXPECT_TRUE(window.linked("envelope", "log_compression_2"));
    EXPECT_TRUE(window.linked("log_compression_2", "@log_compression_2", "image"));
    ASSERT_TRUE(window.showsMoreFrames(2));
    EXPECT_EQ(window.desktop.views().further().count(), 1);
}

TEST(GraphTool, SwitchesAreThoseOfTheParameters) {
    Graphed window;
    emit window.graph().bypassWanted("bandpass", true);
    EXPECT_TRUE(window.now()->stage("bandpass").bypass);
    EXPECT_TRUE(window.node("bandpass").bypassed);
    EXPECT_TRUE(window.desktop.window().parameters().group("bandpass")->isBypassed());
    EXPECT_EQ(window.edits().newest(), "switching off Band-pass");
    window.edits().undo();
    EXPECT_FALSE(window.node("bandpass").bypassed);
    emit window.desktop.window().parameters().bypassToggled("bandpass", true);
    EXPECT_TRUE(window.node("bandpass").bypassed);
}

TEST(GraphTool, AStageBecomesAnother) {
    Graphed window;
    const auto before = window.ids();
    emit window.graph().retypeWanted("bandpass", "tgc");
    EXPECT_FALSE(window.has("bandpass"));
    window.edits().undo();
    EXPECT_EQ(window.ids(), before);
}

TEST(GraphTool, TheChosenStagesParametersComeIntoSight) {
    Graphed window;
    ParameterPanel& panel = window.desktop.window().parameters();
    panel.setCollapsedGroups({"log_compression"});
    emit window.graph().stageChosen("log_compression");
    StageGroup* group = panel.group("log_compression");
    EXPECT_FALSE(group->isCollapsed());
    const auto isInSight = [&] {
        const int top = group->mapTo(&panel, QPoint()).y();
        return top >= 0 && top + group->height() <= panel.height();
    };
    EXPECT_TRUE(comesTrue(isInSight));
}

TEST(GraphTool, SliderTicksLeaveTheGraphAlone) {
    Graphed window;
    ASSERT_TRUE(window.showsFrames(1));
    window.graph().setChosen("beamform");
    const QPointF at = window.graph().scene().box(2).center();
    for (int c = 1500; c < 1530; ++c)
        emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound",
                                                                  static_cast<double>(c));
    EXPECT_EQ(window.graph().chosen(), "beamform");
    EXPECT_EQ(window.graph().scene().box(2).center(), at);
}

TEST(GraphTool, AnotherRecordingIsAnotherGraph) {
    Graphed window;
    window.desktop.files().open(kRetinaCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.node("recording").label, "retina_cine.echolux.h5");
    EXPECT_TRUE(window.has("dispersion"));
    EXPECT_FALSE(window.has("beamform"));
}

TEST(GraphTool, NoFrameIsLostWhereTheGraphChangesWhileItRuns) {
    Graphed window;
    window.desktop.playback().setSpeed(0.0); // the next frame always waits: none is run twice
    ASSERT_TRUE(window.showsFrames(2));
    for (int turn = 0; turn < 3; ++turn) {
        emit window.graph().insertWanted("median", "log_compression", "@image", "image");
        ASSERT_TRUE(window.showsMoreFrames(2));
        emit window.graph().viewWanted("envelope");
        ASSERT_TRUE(window.showsMoreFrames(2));
        emit window.graph().removeWanted("median_2");
        ASSERT_TRUE(window.showsMoreFrames(2));
        emit window.graph().viewRemoved("@envelope");
        ASSERT_TRUE(window.showsMoreFrames(2));
    }
    ASSERT_TRUE(window.freezes());
    Engine& engine = window.desktop.session().engine();
    const Statistics end = engine.statistics();
    EXPECT_EQ(end.framesRead, end.framesProcessed);
    EXPECT_EQ(engine.statistics().framesDropped, 0U);
    EXPECT_GT(engine.statistics().framesProcessed, 20U);
}

TEST(PipelineTextTool, ProblemsStandAtTheirPlace) {
    const TextProblem placed = problemIn("the text, line 3, column 7: there is no stage 'x'.");
    EXPECT_EQ(placed.line, 3);
    EXPECT_EQ(placed.column, 7);
    EXPECT_EQ(placed.sentence, "Line 3: there is no stage 'x'.");
    const TextProblem broken =
        problemIn("the text is no pipeline file: line 12, column 1 is not valid TOML; correct it "
                  "there.");
    EXPECT_EQ(broken.line, 12);
    EXPECT_EQ(broken.sentence, "Line 12: this is not valid TOML; correct it there.");
    EXPECT_EQ(problemIn("the text, line 5, column 8: There is no stage 'tg' (did you mean 'tgc'?); "
                        "choose one of to_float, tgc.")
                  .sentence,
              "Line 5: There is no stage 'tg' (did you mean 'tgc'?).");
    const TextProblem nowhere = problemIn("the text names no stage.");
    EXPECT_EQ(nowhere.line, 0);
    EXPECT_EQ(nowhere.sentence, "The text names no stage.");
}

TEST(PipelineTextTool, ShowsThePipelineInForceWhileItIsOpen) {
    Graphed window;
    EXPECT_TRUE(window.text().text().isEmpty()) << "closed";
    window.open("pipeline_text");
    EXPECT_EQ(window.text().text(), window.toml());
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1480.0);
    EXPECT_TRUE(window.text().text().contains("1480"));
    window.edits().undo();
    EXPECT_FALSE(window.text().text().contains("1480"));
}

TEST(PipelineTextTool, AGoodTextIsOneStep) {
    Graphed window;
    window.open("pipeline_text");
    const QString before = window.toml();
    QString text = window.text().text();
    text += "\n# smoother\n[[stage]]\ntype = \"median\"\nid = \"median_2\"\n";
    window.type(text);
    EXPECT_EQ(window.ids().back(), "median_2");
    EXPECT_TRUE(window.has("median_2"));
    EXPECT_FALSE(window.text().hasEdits());
    EXPECT_EQ(window.text().text(), text) << "as it was written";
    EXPECT_EQ(window.edits().details(), QStringList{"Pipeline: text edited"});
    window.type(text + "# nothing but a remark\n");
    EXPECT_EQ(window.edits().details().size(), 1);
    EXPECT_FALSE(window.text().hasEdits());
    window.edits().undo();
    EXPECT_EQ(window.toml(), before);
    EXPECT_EQ(window.text().text(), before);
    EXPECT_FALSE(window.has("median_2"));
}

TEST(PipelineTextTool, AnEnsembleIsOneStepThatTheGraphShows) {
    Graphed window;
    ASSERT_TRUE(window.showsFrames(1));
    window.open("pipeline_text");
    const QString before = window.text().text();
    const QString ensemble = before + "\n[recording]\nensemble = 8\n";
    window.type(ensemble);
    EXPECT_TRUE(window.text().stateText().contains("one_frame, ensemble_mean or flow"))
        << window.text().stateText().toStdString();
    QString ended = ensemble;
    ended.replace("[[stage]]\ntype = \"tgc\"",
                  "[[stage]]\ntype = \"one_frame\"\n\n[[stage]]\ntype = \"tgc\"");
    window.type(ended);
    EXPECT_EQ(window.text().stateText(), "in force");
    EXPECT_EQ(window.now()->ensemble(), 8);
    EXPECT_EQ(window.node("recording").label, "phantom_cine.echolux.h5 (8 frames at once)");
    ASSERT_TRUE(window.showsMoreFrames(2));
    ASSERT_TRUE(window.freezes());
    const std::int64_t shown = window.desktop.session().engine().mailbox().shownFrame();
    EXPECT_EQ(shown % 8, 7) << "the last of its window";
    EXPECT_EQ(window.desktop.window().transport().frameField()->text(), QString::number(shown + 1));
    window.type(QString(ended).replace("= 8", "= 100"));
    EXPECT_TRUE(window.text().stateText().contains("has 32 frames"))
        << window.text().stateText().toStdString();
    window.type(QString(ended).replace("= 8", "= 0"));
    EXPECT_TRUE(window.text().stateText().contains("1 to 1024"));
    EXPECT_EQ(window.now()->ensemble(), 8);
    window.edits().undo();
    EXPECT_EQ(window.now()->ensemble(), 1);
    EXPECT_EQ(window.node("recording").label, "phantom_cine.echolux.h5");
    EXPECT_EQ(window.desktop.session().engine().player().state().position, shown);
    window.edits().redo();
    EXPECT_EQ(window.now()->ensemble(), 8);
}

TEST(PipelineTextTool, ABadTextSaysWhereAndTheImageRunsOn) {
    Graphed window;
    window.open("pipeline_text");
    const QString before = window.text().text();
    const SnapshotPtr inForce = window.now();
    QString bad = before;
    window.type(bad.replace("\"envelope\"", "\"envelop\""));
    EXPECT_EQ(window.now(), inForce);
    EXPECT_TRUE(window.text().hasEdits());
    EXPECT_TRUE(window.text().stateText().startsWith("Line "))
        << window.text().stateText().toStdString();
    EXPECT_TRUE(window.text().stateText().contains("envelop"));
    window.type("[[stage]\n");
    EXPECT_TRUE(window.text().stateText().contains("not valid TOML"));
    EXPECT_TRUE(window.showsMoreFrames(3)) << "the image runs on";
    EXPECT_EQ(window.now(), inForce);
    EXPECT_TRUE(window.edits().details().isEmpty());
    EXPECT_FALSE(window.told().contains("envelop") || window.told().contains("TOML"))
        << "it is said beside the text";
    window.type(before);
    EXPECT_FALSE(window.text().hasEdits());
    EXPECT_EQ(window.text().stateText(), "in force");
    EXPECT_TRUE(window.edits().details().isEmpty());
}

} // namespace
} // namespace echolux
