// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots saved by the window and brought back; recent files with what was given to open them.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/recent_files.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/desktop/workbench/file_hash.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/column/picked_column.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

/// Settings and pictures of a user who has none yet.
class Restore : public testing::Test {
protected:
    Restore() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                           m_folder.filePath("settings"));
    }
    QString path(const char* name) { return m_folder.filePath(name); }
    static void restore(OpenWindow& window, const QString& screenshot) {
        window.desktop.files().open(screenshot);
        ASSERT_TRUE(window.openingEnds());
    }
    static void edit(OpenWindow& window, const char* stage, const char* key, double value) {
        emit window.desktop.window().parameters().parameterEdited(stage, key, value);
    }

    QTemporaryDir m_folder;
};

TEST_F(Restore, AScreenshotBringsItsSettingsBack) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    edit(window, "beamform", "speed_of_sound", 1600.0);
    window.desktop.session().engine().player().freeze();
    window.desktop.screenshots().saveWindow(path("shot.png"));
    emit window.desktop.window().resetParametersRequested();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    restore(window, path("shot.png"));
    EXPECT_EQ(window.speedOfSound(), 1600.0);
    EXPECT_FALSE(window.desktop.session().engine().player().state().playing);
    restore(window, path("nowhere.png"));
    EXPECT_TRUE(window.desktop.window().messages().text().contains("nowhere.png"));
}

TEST_F(Restore, TheRestoredRangeStays) {
    OpenWindow window;
    ImageView& view = window.desktop.view();
    ASSERT_TRUE(window.showsFrames(1));
    // The range that the frame on view is meant for, over a pipeline that means another.
    const double min = view.displayMin();
    const double max = view.displayMax();
    edit(window, "log_compression", "range_db", 40.0);
    ASSERT_TRUE(comesTrue([&] { return view.displayMin() == -40.0; }));
    view.setDisplayRange(min, max);
    window.desktop.screenshots().saveWindow(path("shot.png"));
    emit window.desktop.window().resetParametersRequested();
    ASSERT_TRUE(comesTrue([&] { return view.spec().valueRange->min == -60.0; }));
    restore(window, path("shot.png"));
    ASSERT_TRUE(window.rests()); // frozen: nothing is under way from here
    EXPECT_EQ(window.value("log_compression", "range_db"), 40.0);
    EXPECT_EQ(view.displayMin(), min);
    EXPECT_EQ(view.displayMax(), max);
    EXPECT_EQ(window.desktop.window().display().settings().min, min);
    edit(window, "log_compression", "range_db", 70.0);
    ASSERT_TRUE(comesTrue([&] { return view.spec().valueRange->min == -70.0; }));
    EXPECT_EQ(view.displayMin(), -70.0) << "the range chosen last";
}

TEST_F(Restore, ARestoredRangeOfThePipelineFollowsThePipeline) {
    OpenWindow window;
    ImageView& view = window.desktop.view();
    ASSERT_TRUE(window.showsFrames(1));
    edit(window, "log_compression", "range_db", 40.0);
    ASSERT_TRUE(comesTrue([&] { return view.displayMin() == -40.0; }));
    window.desktop.screenshots().saveWindow(path("shot.png"));
    emit window.desktop.window().resetParametersRequested();
    ASSERT_TRUE(comesTrue([&] { return view.displayMin() != -40.0; }));
    restore(window, path("shot.png"));
    ASSERT_TRUE(comesTrue([&] { return view.displayMin() == -40.0; }));
    edit(window, "log_compression", "range_db", 70.0);
    EXPECT_TRUE(comesTrue([&] { return view.displayMin() == -70.0; }));
}

TEST_F(Restore, ZoomPickedColumnAndRegionComeBack) {
    OpenWindow window;
    ImageView& view = window.desktop.view();
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    const ImageLook look{0.3, 0.6, 4.0};
    view.restoreLook(look);
    emit view.columnPicked(-7e-3);
    DrawnRegion& region = window.desktop.views().region();
    region.set(Region::rectangleOf({-5.0, 10.0}, {2.0, 20.0}));
    window.desktop.views().imageActions().scaleBar()->setChecked(true);
    window.desktop.views().imageActions().stretch()->setChecked(true);
    window.desktop.screenshots().saveWindow(path("shot.png"));
    const Rect seen = *view.visiblePart();
    const double zoom = view.shownLook()->zoom; // against the stretched image
    view.resetView();
    window.desktop.views().mark(std::nullopt);
    region.set(std::nullopt);
    window.desktop.views().imageActions().scaleBar()->setChecked(false);
    window.desktop.views().imageActions().stretch()->setChecked(false);
    emit view.columnPicked(3e-3);
    restore(window, path("shot.png"));
    ASSERT_TRUE(view.shownLook());
    EXPECT_NEAR(view.shownLook()->zoom, zoom, 1e-6);
    EXPECT_NEAR(view.visiblePart()->left, seen.left, 1e-9);
    EXPECT_NEAR(view.visiblePart()->bottom, seen.bottom, 1e-9);
    EXPECT_EQ(window.desktop.views().marker(), -7e-3);
    EXPECT_TRUE(view.scaleBar());
    EXPECT_TRUE(view.stretched());
    ASSERT_TRUE(region.region());
    EXPECT_EQ(region.region()->bounds(), (Rect{-5.0, 10.0, 2.0, 20.0}));
    EXPECT_TRUE(region.region()->rectangle);
    EXPECT_TRUE(comesTrue([&] {
        const auto column = window.desktop.session().engine().look<PickedColumn>().latest();
        return column && std::abs(column->lateralM + 7e-3) < 0.2e-3;
    })) << "its curves are drawn, too";
    // In a window that shows another recording meanwhile.
    OpenWindow other(OpenRequest{kCine.toStdString()}, true);
    ASSERT_TRUE(other.showsFrames(1));
    restore(other, path("shot.png"));
    ASSERT_TRUE(other.showsFrames(1));
    ASSERT_TRUE(other.desktop.view().shownLook());
    EXPECT_NEAR(other.desktop.view().shownLook()->across, 0.3, 0.02);
}

TEST_F(Restore, TheViewsOfAVolumeComeBack) {
    OpenWindow window(OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    ViewArea& views = window.desktop.views();
    ASSERT_TRUE(comesTrue([&] { return views.enFace().hasImage(); }));
    const auto choose = [&](int bscan, double part, const char* projection, double darkest) {
        const FrameSpec volume = *window.desktop.session().engine().volume().spec();
        emit views.bscanChosen(bscan);
        const Axis& depth = volume.axes.at(2);
        const double length = static_cast<double>(depth.size - 1) * depth.spacing;
        views.moveWindow({depth.origin + part * length, depth.origin + (part + 0.25) * length});
        for (QAction* action : views.viewActions())
            if (action->shortcut() == QKeySequence(projection)) action->trigger();
        const int kind = static_cast<int>(views.projection());
        ASSERT_TRUE(comesTrue([&] { // the image of the other projection may yet come
            views.enFace().setDisplayRange(darkest, darkest + 20.0);
            return views.enFace().chosenLimits().contains(kind);
        }));
        ASSERT_TRUE(comesTrue(
            [&] { return window.desktop.session().engine().mailbox().shownFrame() == bscan; }));
    };
    const auto press = [&](const char* key) {
        for (QAction* action : views.viewActions())
            if (action->shortcut() == QKeySequence(key)) action->trigger();
    };
    const VolumeScene& inSpace = views.volume().scene();
    views.restore({{"composite", true}, {"depth_cue", 0.25}, {"opacity", 0.75}});
    choose(7, 0.5, "N", -3.0);
    const DepthWindow chosen = views.depthWindow();
    window.desktop.screenshots().saveWindow(path("shot.png"));
    views.restore({});
    press("P");
    choose(30, 0.125, "X", 2.0);
    ASSERT_EQ(inSpace.mode, VolumeScene::Mode::Maximum);
    restore(window, path("shot.png"));
    EXPECT_EQ(views.projection(), Projection::Mean);
    EXPECT_NEAR(views.depthWindow().nearest, chosen.nearest, 1e-9);
    EXPECT_NEAR(views.depthWindow().deepest, chosen.deepest, 1e-9);
    EXPECT_TRUE(comesTrue([&] { return views.enFace().displayMin() == -3.0; }));
    EXPECT_EQ(views.enFace().displayMax(), 17.0);
    EXPECT_EQ(inSpace.mode, VolumeScene::Mode::Composite);
    EXPECT_EQ(inSpace.depthCue, 0.25);
    EXPECT_EQ(inSpace.opacity, 0.75);
    EXPECT_TRUE(
        comesTrue([&] { return window.desktop.session().engine().mailbox().shownFrame() == 7; }));
}

TEST_F(Restore, AScreenshotFindsItsRecordingAmongTheRecentFiles) {
    ASSERT_TRUE(QFile::copy(kCine, path("seen.h5")));
    {
        OpenWindow window(OpenRequest{path("seen.h5").toStdString()}, true);
        ASSERT_TRUE(window.showsFrames(1));
        edit(window, "beamform", "speed_of_sound", 1500.0);
        window.desktop.screenshots().saveWindow(path("shot.png"));
    }
    OpenWindow window(OpenRequest{}, true);
    restore(window, path("shot.png"));
    ASSERT_TRUE(window.desktop.session().isOpen());
    EXPECT_EQ(window.openFile(), "seen.h5");
    EXPECT_EQ(window.speedOfSound(), 1500.0);
    ASSERT_TRUE(QFile::remove(path("seen.h5")));
    OpenWindow without(OpenRequest{}, true);
    restore(without, path("shot.png"));
    EXPECT_FALSE(without.desktop.session().isOpen());
    EXPECT_TRUE(without.desktop.window().messages().text().contains("seen.h5"));
}

TEST_F(Restore, TheImageIsSavedWithTheChecksumOfItsSource) {
    qputenv("HOME", m_folder.path().toLocal8Bit());
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_FALSE(window.desktop.screenshots().takesChecksum()) << "nobody needs it yet";
    emit window.desktop.window().screenshotRequested();
    EXPECT_TRUE(window.desktop.screenshots().takesChecksum());
    MessageBar& messages = window.desktop.window().messages();
    ASSERT_TRUE(comesTrue([&] { return messages.text().startsWith("Screenshot saved: "); }));
    const QString saved = messages.text().section(": ", 1);
    EXPECT_EQ(readScreenshot(saved).sourceSha256, fileSha256(kCine));
    EXPECT_EQ(readScreenshot(saved).sourceName, "phantom_cine.echolux.h5");
}

TEST_F(Restore, TheThemeIsKeptWithoutAClosingWindow) {
    {
        OpenWindow window(OpenRequest{}, true);
        window.desktop.window().setTheme(ThemeKind::Light);
        EXPECT_TRUE(userSettings().value("light_theme").toBool())
            << "a killed program says no more";
    }
    Theme::instance().apply(ThemeKind::Dark);
    OpenWindow again(OpenRequest{}, true);
    EXPECT_EQ(Theme::instance().kind(), ThemeKind::Light);
    again.desktop.window().setTheme(ThemeKind::Dark);
    EXPECT_FALSE(userSettings().value("light_theme").toBool());
}

TEST_F(Restore, AWindowOfALargerScreenFitsThisOne) {
    OpenWindow window(OpenRequest{}, true);
    const QRect screen = window.desktop.window().screen()->availableGeometry();
    window.desktop.window().resize(screen.width() + 320, screen.height() + 280);
    {
        QSettings store = userSettings();
        store.setValue("geometry", window.desktop.window().saveGeometry());
        store.setValue("layout", window.desktop.window().saveLayout());
    }
    Desktop desktop(chooseBackend(nameOf(Backend::Cpu)), true);
    desktop.window().show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&desktop.window()));
    EXPECT_TRUE(screen.contains(desktop.window().geometry()))
        << desktop.window().width() << " x " << desktop.window().height();
}

TEST_F(Restore, RecentFilesKeepTheirSidecarAndPipeline) {
    QSettings store = userSettings();
    OpenRequest request{path("a.bin").toStdString()};
    request.options.sidecar = path("array.toml").toStdString();
    PipelineConfig pipeline = shippedPipeline(shippedPipelines().front());
    pipeline.stages[1].bypass = true;
    request.pipeline = pipeline;
    addRecentFile(store, request);
    addRecentFile(store, OpenRequest{path("b.bin").toStdString()});
    const std::vector<OpenRequest> files = recentFiles(store);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].file, path("b.bin").toStdString());
    EXPECT_FALSE(files[0].options.sidecar);
    EXPECT_FALSE(files[0].pipeline);
    EXPECT_EQ(files[1].options.sidecar, path("array.toml").toStdString());
    ASSERT_TRUE(files[1].pipeline);
    EXPECT_EQ(toToml(*files[1].pipeline), toToml(pipeline));
    addRecentFile(store, OpenRequest{path("a.bin").toStdString()});
    EXPECT_EQ(recentFiles(store).size(), 2U) << "one entry per file";
    EXPECT_FALSE(recentFiles(store).front().options.sidecar);
    for (int i = 0; i < 12; ++i)
        addRecentFile(store, OpenRequest{path("c").toStdString() + std::to_string(i)});
    EXPECT_EQ(recentFiles(store).size(), 10U);
}

TEST_F(Restore, ARecentFileOpensWithThePipelineGivenBefore) {
    OpenRequest request{kCine.toStdString()};
    {
        const auto recording = openRecording(request.file);
        SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, std::nullopt);
        snapshot = withValue(*snapshot, "beamform", "speed_of_sound", 1510.0);
        request.pipeline = toFullConfig(*snapshot);
        OpenWindow window(request, true);
        EXPECT_EQ(window.speedOfSound(), 1510.0);
    }
    OpenWindow window(OpenRequest{}, true);
    emit window.desktop.window().recentFileChosen(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.speedOfSound(), 1510.0);
}

} // namespace
} // namespace echolux
