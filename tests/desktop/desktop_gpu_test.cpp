// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on CUDA: two hundred shown frames of the bundled recording, watched by the
// driver.
#include "app/desktop/desktop.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#if defined(ECHOLUX_HAS_CUPTI)
#include "tests/support/cupti_copies.hpp"
#endif

#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace echolux {
namespace {

constexpr int kPatienceMs = 30000;

TEST(DesktopGpu, TwoHundredShownFramesCopyNothingToTheHost) {
    ECHOLUX_NEED_GPU();
    testing_support::application();
    Desktop desktop(chooseBackend("cuda"), false);
    desktop.window().resize(1280, 800);
    desktop.window().show();
    const QSignalSpy presented(&desktop.view(), &ImageView::framePresented);
    const OpenRequest request{ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5"};
    desktop.recordings().adopt(prepareEngine(request, Backend::Cuda), request);
    const auto shown = [&](qsizetype count) {
        return QTest::qWaitFor([&] { return presented.count() >= count; }, kPatienceMs);
    };
    ASSERT_TRUE(shown(5));
    if (!desktop.view().displayPath().badge.startsWith("interop")) {
        GTEST_SKIP() << "the display path is " << desktop.view().displayPath().badge.toStdString()
                     << ": " << desktop.view().displayPath().reason.toStdString();
    }
    desktop.playback().setSpeed(0.0);
    Engine& engine = desktop.session().engine();
    engine.resetCounters();
    const qsizetype before = presented.count();
#if defined(ECHOLUX_HAS_CUPTI)
    testing_support::startCountingCopies();
#endif
    ASSERT_TRUE(shown(before + 200));
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
    testing_support::application();
    Desktop desktop(chooseBackend("cuda"), false);
    desktop.window().resize(1280, 800);
    desktop.window().show();
    const QSignalSpy presented(&desktop.view(), &ImageView::framePresented);
    const OpenRequest request{ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5"};
    desktop.recordings().adopt(prepareEngine(request, Backend::Cuda), request);
    const auto runsOn = [&](Backend backend) {
        if (!QTest::qWaitFor([&] { return desktop.session().backend().backend == backend; },
                             kPatienceMs))
            return false;
        const qsizetype before = presented.count();
        return QTest::qWaitFor([&] { return presented.count() >= before + 5; }, kPatienceMs);
    };
    ASSERT_TRUE(runsOn(Backend::Cuda));
    PipelineConfig config = toConfig(*desktop.session().snapshot());
    config.environment.backend = "cpu";
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "on_the_cpu.toml";
    std::ofstream(file) << toToml(config);
    desktop.files().open(QString::fromStdString(file.string()));
    ASSERT_TRUE(runsOn(Backend::Cpu));
    EXPECT_FALSE(desktop.view().displayPath().badge.startsWith("interop"));
    desktop.edits().undo();
    ASSERT_TRUE(runsOn(Backend::Cuda));
    EXPECT_EQ(desktop.session().snapshot()->environment.backend, "");
}

} // namespace
} // namespace echolux
