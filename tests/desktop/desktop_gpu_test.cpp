// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on CUDA: two hundred shown frames of the bundled recording, watched by the
// driver.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/graph/toml_editor.hpp"

#if defined(ECHOLUX_HAS_CUPTI)
#include "tests/support/cupti_copies.hpp"
#endif

#include <QAction>
#include <QDockWidget>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>

#include <unistd.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

/// Opens the pipeline in force as a file whose environment is `wanted`.
void openIn(Desktop& desktop, const EnvironmentConfig& wanted) {
    PipelineConfig config = toConfig(*desktop.session().snapshot());
    config.environment = wanted;
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "elsewhere.toml";
    std::ofstream(file) << toToml(config);
    desktop.files().open(QString::fromStdString(file.string()));
}

/// With everything that a recording shows: plans of transforms, textures, volumes go with the GPU
/// that they belong to.
void expectMovesToAnotherGpu(const char* recording) {
    SCOPED_TRACE(recording);
    const std::string file = std::string(ECHOLUX_SOURCE_DIR "/testdata/") + recording;
    OpenWindow window(OpenRequest{file}, false, Backend::Cuda);
    Desktop& desktop = window.desktop;
    const auto runsOn = [&](int gpu) {
        return comesTrue([&] { return desktop.session().backend().gpu == gpu; }) &&
               window.showsMoreFrames(5);
    };
    const auto picture = [&] {
        EXPECT_TRUE(window.freezes());
        Engine& engine = desktop.session().engine();
        engine.player().seek(7);
        EXPECT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 7; }));
        const QImage shown = desktop.view().grabImage();
        engine.player().play();
        return shown;
    };
    ASSERT_TRUE(runsOn(0));
    const QImage before = picture();
    openIn(desktop, {"cuda", 1});
    ASSERT_TRUE(runsOn(1));
    EXPECT_EQ(picture(), before);
    desktop.edits().undo();
    ASSERT_TRUE(runsOn(0));
    EXPECT_EQ(picture(), before);
}

/// NOTE: before any test that counts copies: once it has been started, CUPTI 13.0 crashes where a
/// second GPU has been used and a texture is unregistered.
TEST(DesktopGpu, APipelineMovesToAnotherGpuAndBack) {
    ECHOLUX_NEED_GPU();
    if (device::probe().size() < 2) GTEST_SKIP() << "there is one GPU";
    for (const char* recording :
         {"phantom_cine.echolux.h5", "retina_cine.echolux.h5", "retina_volume.echolux.h5"})
        expectMovesToAnotherGpu(recording);
}

std::int64_t residentBytes() {
    std::int64_t total = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

/// NOTE: the driver's memory counts, which no counter of the program sees. Tests that count copies
/// come later: CUPTI, once it was on, holds more memory with each image.
TEST(DesktopGpu, FourViewsHoldNoMoreTheLongerTheyPlay) {
    ECHOLUX_NEED_GPU();
    OpenRequest request{kCine.toStdString()};
    request.pipeline = shippedPipeline("compounding");
    OpenWindow window(request, false, Backend::Cuda);
    window.desktop.window().resize(1600, 1000);
    window.desktop.playback().setSpeed(0.0);
    ASSERT_EQ(window.desktop.session().snapshot()->views.size(), 4U);
    for (int i = 0; i < 8; ++i) { // the driver's own memory settles within ten seconds
        ASSERT_TRUE(window.showsMoreFrames(100));
    }
    // The driver takes some megabytes once in a while. A leak grows all the time: 9 kB per image
    // and view would be 3.6 MB each time.
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < 3; ++i) {
        const std::int64_t before = residentBytes();
        ASSERT_TRUE(window.showsMoreFrames(100));
        least = std::min(least, residentBytes() - before);
    }
    EXPECT_LT(least, std::int64_t{1} << 20);
}

TEST(DesktopGpu, TwoHundredShownFramesCopyNothingToTheHost) {
    ECHOLUX_NEED_GPU();
    OpenWindow window(OpenRequest{kCine.toStdString()}, false, Backend::Cuda);
    Desktop& desktop = window.desktop;
    ASSERT_TRUE(window.showsFrames(5));
    if (!desktop.view().displayPath().badge.startsWith("interop")) {
        GTEST_SKIP() << "the display path is " << desktop.view().displayPath().badge.toStdString()
                     << ": " << desktop.view().displayPath().reason.toStdString();
    }
    desktop.playback().setSpeed(0.0);
    Engine& engine = desktop.session().engine();
    engine.resetCounters();
#if defined(ECHOLUX_HAS_CUPTI)
    testing_support::startCountingCopies();
#endif
    ASSERT_TRUE(window.showsMoreFrames(200));
    engine.player().freeze();
#if defined(ECHOLUX_HAS_CUPTI)
    const auto counts = testing_support::stopCountingCopies();
    EXPECT_EQ(counts.toHost, 0U);
    EXPECT_GE(counts.fromHost, 200U) << "each raw frame crosses to the device";
    EXPECT_GE(counts.onDevice, 200U) << "each shown frame goes into the texture";
#endif
    const Statistics now = engine.statistics();
    EXPECT_EQ(now.deviceToHostCopies, 0U);
    EXPECT_EQ(now.allocations, 0U);
    EXPECT_EQ(now.framesDropped, 0U);
}

TEST(DesktopGpu, APipelineThatAsksForTheCpuMovesThereAndBack) {
    ECHOLUX_NEED_GPU();
    OpenWindow window(OpenRequest{kCine.toStdString()}, false, Backend::Cuda);
    Desktop& desktop = window.desktop;
    const auto runsOn = [&](Backend backend) {
        return comesTrue([&] { return desktop.session().backend().backend == backend; }) &&
               window.showsMoreFrames(5);
    };
    ASSERT_TRUE(runsOn(Backend::Cuda));
    openIn(desktop, {"cpu", {}});
    ASSERT_TRUE(runsOn(Backend::Cpu));
    EXPECT_FALSE(desktop.view().displayPath().badge.startsWith("interop"));
    desktop.edits().undo();
    ASSERT_TRUE(runsOn(Backend::Cuda));
    EXPECT_EQ(desktop.session().snapshot()->environment.backend, "");
}

TEST(DesktopGpu, AnEditOfTheTextMovesThePipelineAsOneStep) {
    ECHOLUX_NEED_GPU();
    OpenWindow window(OpenRequest{kCine.toStdString()}, false, Backend::Cuda);
    Desktop& desktop = window.desktop;
    ASSERT_TRUE(window.showsFrames(5));
    desktop.window().resize(1280, 800);
    auto* dock = desktop.window().findChild<QDockWidget*>("pipeline_text");
    dock->toggleViewAction()->trigger();
    PipelineText& view = desktop.panel<PipelineText>();
    ASSERT_TRUE(comesTrue([&] { return !view.text().isEmpty(); }));
    const auto type = [&](const QString& text) {
        view.editor()->selectAll();
        view.editor()->insertPlainText(text);
    };
    const QString before = view.text();
    const auto within = [&](const QString& environment) {
        return QString(before).insert(before.indexOf("[[stage]]"),
                                      "[environment]\n" + environment + "\n\n");
    };
    type(within("backend = \"cuda\"\ndevice = 63"));
    ASSERT_TRUE(comesTrue([&] { return view.stateText().contains("63"); }));
    EXPECT_EQ(desktop.session().backend().backend, Backend::Cuda) << "the image runs on";
    const QString onCpu = within("backend = \"cpu\"");
    type(onCpu);
    ASSERT_TRUE(comesTrue([&] { return desktop.session().backend().backend == Backend::Cpu; }));
    EXPECT_TRUE(window.showsMoreFrames(5));
    EXPECT_FALSE(view.hasEdits());
    EXPECT_EQ(view.text(), onCpu) << "as it was written";
    EXPECT_EQ(desktop.edits().newest(), "editing the text");
    desktop.edits().undo();
    ASSERT_TRUE(comesTrue([&] { return desktop.session().backend().backend == Backend::Cuda; }));
    EXPECT_TRUE(window.showsMoreFrames(5));
    EXPECT_EQ(view.text(), before);
}

TEST(DesktopGpu, AStageOnTheCpuTellsWhatCrossesTheBus) {
    ECHOLUX_NEED_GPU();
    OpenWindow window(OpenRequest{kCine.toStdString()}, false, Backend::Cuda);
    ASSERT_TRUE(window.showsFrames(1));
    Session& session = window.desktop.session();
    const auto crossings = [&] { return session.engine().statistics().crossings; };
    EXPECT_EQ(crossings().bytesToHost, 0U);
    const SnapshotPtr before = session.snapshot();
    session.applyPipeline(toConfig(*withOnCpu(*before, "envelope", true)));
    const StageState& stage = before->stage("envelope");
    ASSERT_TRUE(comesTrue([&] { return crossings().bytesToHost == stage.input().bytes(); }));
    EXPECT_EQ(crossings().bytesToDevice, stage.plan.outputs[0].bytes());
}

} // namespace
} // namespace echolux
