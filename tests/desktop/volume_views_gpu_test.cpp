// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a volume on CUDA: they show what the CPU shows, and no voxel crosses to the host.
#include "app/desktop/desktop.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/session/session.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/main_window.hpp"

#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::isTimed;
using testing_support::settle;

const char* const kVolume = ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5";

/// Frozen at `bscan` once every B-scan has been seen.
void showFrozen(Desktop& desktop, Backend backend, std::int64_t bscan) {
    desktop.window().resize(1280, 800);
    desktop.window().show();
    const OpenRequest request{kVolume};
    desktop.recordings().adopt(prepareRecording(request, backend), request);
    desktop.playback().setSpeed(0.0);
    Engine& engine = desktop.session().engine();
    ASSERT_TRUE(comesTrue([&] { return engine.volume().volumesDone() >= 2; }));
    emit desktop.views().bscanChosen(bscan);
    ASSERT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == bscan; }));
    ASSERT_TRUE(comesTrue([&] {
        return desktop.views().enFace().hasImage() && desktop.views().volume().hasVolume();
    }));
    // The finer picture of what rests comes last.
    ASSERT_TRUE(comesTrue([&] {
        settle();
        ViewArea& views = desktop.views();
        return !engine.volumeProgress() && !isTimed(views.volume()) &&
               !views.enFace().findsLimits() && !views.volume().findsLimits();
    }));
    EXPECT_FALSE(engine.player().state().playing);
    EXPECT_EQ(engine.mailbox().shownFrame(), bscan);
    EXPECT_EQ(sampleAt(engine.volume().spec()->axes[0], desktop.views().crosshair().elevation),
              bscan);
}

TEST(VolumeViewsGpu, LookAsOnTheCpu) {
    ECHOLUX_NEED_GPU();
    testing_support::application();
    QImage pictures[2];
    double found[2] = {};
    int index = 0;
    for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
        Desktop desktop(chooseBackend(backend == Backend::Cuda ? "cuda" : "cpu"), false);
        showFrozen(desktop, backend, 20);
        if (HasFatalFailure()) return;
        ImageView& enFace = desktop.views().enFace();
        found[index] = enFace.displayMax();
        enFace.setDisplayRange(0.0, 15.0);
        pictures[index++] = enFace.grabImage().convertToFormat(QImage::Format_RGB32);
    }
    EXPECT_NEAR(found[0], found[1], 0.5);
    ASSERT_EQ(pictures[0].size(), pictures[1].size());
    int apart = 0;
    for (int y = 0; y < pictures[0].height(); ++y) {
        for (int x = 0; x < pictures[0].width(); ++x) {
            const int difference =
                std::abs(qGreen(pictures[0].pixel(x, y)) - qGreen(pictures[1].pixel(x, y)));
            apart += difference > 6 ? 1 : 0;
        }
    }
    EXPECT_LT(apart, pictures[0].width() * pictures[0].height() / 500);
}

TEST(VolumeViewsGpu, PlayingCopiesNoVoxelToTheHost) {
    ECHOLUX_NEED_GPU();
    testing_support::application();
    Desktop desktop(chooseBackend("cuda"), false);
    showFrozen(desktop, Backend::Cuda, 3);
    if (HasFatalFailure()) return;
    if (!desktop.view().displayPath().badge.startsWith("interop"))
        GTEST_SKIP() << desktop.view().displayPath().reason.toStdString();
    Engine& engine = desktop.session().engine();
    QTest::mouseMove(&desktop.views().enFace(), {60, 60}); // its value is told
    const QSignalSpy presented(&desktop.view(), &ImageView::framePresented);
    engine.player().play();
    ASSERT_TRUE(comesTrue([&] { return presented.count() >= 20; }));
    engine.resetCounters();
    ASSERT_TRUE(comesTrue([&] { return presented.count() >= 120; }));
    const auto seen = presented.count();
    desktop.view().autoRange();
    desktop.views().enFace().autoRange();
    desktop.views().volume().autoRange();
    ASSERT_TRUE(comesTrue([&] { return presented.count() >= seen + 60; }));
    engine.player().freeze();
    EXPECT_FALSE(desktop.view().findsLimits());
    EXPECT_EQ(engine.statistics().deviceToHostCopies, 0U);
    EXPECT_GT(engine.statistics().linesToHost, 0U) << "the A-scan of the crosshair, now and then";
    EXPECT_EQ(engine.statistics().allocations, 0U);
}

} // namespace
} // namespace echolux
