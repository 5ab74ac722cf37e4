// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that ask to run elsewhere, opened in the window.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/window/message_bar.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

QString told(OpenWindow& window) { return window.desktop.window().messages().text(); }

TEST(PipelineEnvironment, WithoutCudaTheCpuComputesIt) {
    if (GpuCount::now().count > 0) GTEST_SKIP() << "there is CUDA";
    OpenWindow window;
    window.desktop.pipelines().openShipped("listing_4_1");
    EXPECT_EQ(window.desktop.session().snapshot()->environment.backend, "cuda");
    EXPECT_EQ(window.desktop.session().backend().backend, Backend::Cpu);
    EXPECT_TRUE(told(window).contains("asks for CUDA")) << told(window).toStdString();
}

/// Onto the CPU, where it is already: what a move does does not depend on where it leads.
TEST(PipelineEnvironment, AMoveIsAStepThatKeepsTheFrameAndIsTakenBack) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(2));
    ASSERT_TRUE(window.freezes());
    Desktop& desktop = window.desktop;
    desktop.session().engine().player().seek(5);
    const std::string before = desktop.session().snapshot()->name;
    PipelineConfig config = toConfig(*desktop.session().snapshot());
    config.name = "Elsewhere";
    config.environment.backend = "cpu";
    const Engine* former = &desktop.session().engine();
    emit desktop.pipelines().moveWanted(
        {config, {Backend::Cpu, 0}, {"pipeline \"Elsewhere\"", "Pipeline \"Elsewhere\""}, {}});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_NE(&desktop.session().engine(), former) << "prepared anew";
    EXPECT_EQ(desktop.session().snapshot()->name, "Elsewhere");
    EXPECT_EQ(desktop.session().snapshot()->environment.backend, "cpu");
    const PlayState state = desktop.session().engine().player().state();
    EXPECT_FALSE(state.playing);
    EXPECT_TRUE(comesTrue([&] { return desktop.session().engine().mailbox().shownFrame() == 5; }));
    EXPECT_EQ(desktop.edits().newest(), "pipeline \"Elsewhere\"");
    desktop.edits().undo();
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(desktop.session().snapshot()->name, before);
    desktop.edits().redo();
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(desktop.session().snapshot()->name, "Elsewhere");
}

TEST(PipelineEnvironment, AMoveThatFailsLeavesWhatRuns) {
    if (GpuCount::now().count > 0) GTEST_SKIP() << "there is CUDA";
    OpenWindow window;
    const Engine* former = &window.desktop.session().engine();
    const PipelineConfig config = toConfig(*window.desktop.session().snapshot());
    emit window.desktop.pipelines().moveWanted({config, {Backend::Cuda, 7}, {"moving"}, {}});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(&window.desktop.session().engine(), former);
    EXPECT_TRUE(told(window).contains("CUDA")) << told(window).toStdString();
    EXPECT_TRUE(window.showsMoreFrames(1));
}

TEST(PipelineEnvironment, AMoveThatFailsIsToldToWhoAskedForIt) {
    if (GpuCount::now().count > 0) GTEST_SKIP() << "there is CUDA";
    OpenWindow window;
    QString refusal;
    const PipelineConfig config = toConfig(*window.desktop.session().snapshot());
    window.desktop.recordings().move(
        {config, {Backend::Cuda, 7}, {"moving"}, {}, [&](const QString& sentence) {
             refusal = sentence;
         }});
    ASSERT_TRUE(comesTrue([&] { return !refusal.isEmpty(); }));
    EXPECT_TRUE(refusal.contains("CUDA")) << refusal.toStdString();
    EXPECT_FALSE(told(window).contains("CUDA")) << told(window).toStdString();
}

TEST(PipelineEnvironment, AMoveThatNobodyMeansAnyLongerIsGivenUp) {
    OpenWindow window;
    const Engine* former = &window.desktop.session().engine();
    const PipelineConfig config = toConfig(*window.desktop.session().snapshot());
    window.desktop.recordings().move(
        {config, {Backend::Cpu, 0}, {"moving"}, {}, {}, [] { return false; }});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(&window.desktop.session().engine(), former);
    EXPECT_EQ(window.desktop.edits().newest(), "");
}

TEST(PipelineEnvironment, ATextThatAsksForWhatThereIsNotIsTakenAndSaysSo) {
    if (GpuCount::now().count > 0) GTEST_SKIP() << "there is CUDA";
    OpenWindow window;
    Session& session = window.desktop.session();
    PipelineConfig config = toConfig(*session.snapshot());
    config.environment.backend = "cuda";
    const QString text = QString::fromStdString(toToml(config));
    emit window.desktop.panel<PipelineText>().textEdited(text);
    EXPECT_EQ(session.snapshot()->environment.backend, "cuda");
    EXPECT_EQ(window.desktop.edits().newest(), "editing the text");
    EXPECT_TRUE(told(window).contains("asks for CUDA")) << told(window).toStdString();
    window.desktop.edits().undo();
    EXPECT_EQ(session.snapshot()->environment.backend, "");
}

} // namespace
} // namespace echolux
