// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on the bundled retinas: views of a volume, what is chosen in them, A-scans.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/buffer_recording.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/edit_menu.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::coarseMatrixArray;
using testing_support::comesTrue;
using testing_support::OpenWindow;

bool allViewsShow(Desktop& desktop) {
    return comesTrue([&] {
        return desktop.view().hasImage() && desktop.views().enFace().hasImage() &&
               desktop.views().volume().hasVolume();
    });
}

TEST(VolumeViews, AVolumeRecordingIsShownThreefold) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    const std::optional<FrameSpec> spec = window.desktop.session().engine().volume().spec();
    ASSERT_TRUE(spec);
    EXPECT_EQ(window.desktop.views().enFace().spec().sizeOf(AxisName::Elevation),
              spec->sizeOf(AxisName::Elevation));
    EXPECT_TRUE(comesTrue([&] { return window.desktop.panel<ColumnPlots>().ascan().hasData(); }))
        << "the crosshair's A-scan is picked from the start";
    EXPECT_TRUE(window.desktop.panel<ColumnPlots>().fringe().hasData());
}

TEST(VolumeViews, AMatrixArrayIsShownInThreePlanesAndInSpace) {
    OpenWindow window(coarseMatrixArray());
    ASSERT_TRUE(allViewsShow(window.desktop));
    ViewArea& views = window.desktop.views();
    ASSERT_TRUE(comesTrue([&] { return views.side().hasImage(); }));
    Engine& engine = window.desktop.session().engine();
    const FrameSpec spec = *engine.volume().spec();
    EXPECT_EQ(views.side().spec().axes, (std::vector<Axis>{spec.axes[0], spec.axes[2]}));
    EXPECT_EQ(views.enFace().spec().axes, (std::vector<Axis>{spec.axes[0], spec.axes[1]}));
    EXPECT_EQ(engine.mailbox().shownBscan(), spec.axes[0].size / 2);
    const double middle =
        spec.axes[0].origin + static_cast<double>(spec.axes[0].size / 2) * spec.axes[0].spacing;
    EXPECT_TRUE(comesTrue([&] { return views.crosshair().elevation == middle; }));
    // Another slice of the frozen volume is shown without imaging it again.
    ASSERT_TRUE(window.freezes());
    const std::uint64_t processed = engine.statistics().framesProcessed;
    emit views.bscanChosen(3);
    EXPECT_TRUE(comesTrue([&] { return engine.mailbox().shownBscan() % views.bscans() == 3; }));
    EXPECT_EQ(engine.statistics().framesProcessed, processed);
}

TEST(VolumeViews, PlanesOfAMatrixArrayShareTheirLimitsAlsoTakenBack) {
    OpenWindow window(coarseMatrixArray());
    ASSERT_TRUE(allViewsShow(window.desktop));
    ViewArea& views = window.desktop.views();
    ASSERT_TRUE(comesTrue([&] { return views.side().hasImage(); }));
    const auto shared = [&](double min, double max) {
        return std::ranges::all_of(
            std::array{&views.bscan(), &views.side(), &views.enFace()}, [&](const ImageView* view) {
                return view->displayMin() == min && view->displayMax() == max;
            });
    };
    const ValueRange meant = *window.desktop.session().snapshot()->output().valueRange;
    EXPECT_TRUE(shared(meant.min, meant.max));
    ImageView& plane = views.enFace();
    plane.setDisplayRange(meant.min + 10.0, meant.max - 5.0);
    emit plane.displayRangeEdited(meant.min, meant.max);
    EXPECT_TRUE(shared(meant.min + 10.0, meant.max - 5.0));
    EXPECT_EQ(window.desktop.window().display().settings().min, meant.min + 10.0);
    emit window.desktop.window().edits().undoRequested();
    EXPECT_TRUE(shared(meant.min, meant.max));
}

TEST(VolumeViews, OtherRecordingsHaveOneView) {
    OpenWindow window(bundled("retina_cine.echolux.h5"));
    ASSERT_TRUE(window.showsFrames(2));
    EXPECT_FALSE(window.desktop.views().hasVolume());
    EXPECT_FALSE(window.desktop.views().enFace().isVisible());
    DepthProfilePlot& ascan = window.desktop.panel<ColumnPlots>().ascan();
    EXPECT_FALSE(ascan.isVisibleTo(&window.desktop.window())) << "no column is picked";
    emit window.desktop.view().columnPicked(0.0);
    EXPECT_TRUE(comesTrue([&] { return ascan.hasData(); }));
    EXPECT_TRUE(ascan.isVisibleTo(&window.desktop.window()));
    EXPECT_TRUE(window.desktop.panel<ColumnPlots>().ascan().peakText().startsWith("peak"));
}

TEST(VolumeViews, AChosenBscanIsShownFrozen) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    emit window.desktop.views().bscanChosen(7);
    Engine& engine = window.desktop.session().engine();
    EXPECT_TRUE(comesTrue([&] { return engine.mailbox().shownFrame() == 7; }));
    EXPECT_FALSE(engine.player().state().playing);
    EXPECT_TRUE(comesTrue([&] {
        const Axis elevation = engine.volume().spec()->axes[0];
        return sampleAt(elevation, window.desktop.views().crosshair().elevation) == 7;
    }));
    EXPECT_FALSE(window.desktop.window().transport().isPlaying());
}

TEST(VolumeViews, BscansAreChosenWithinBuffersAndAcrossThem) {
    const QTemporaryDir folder;
    OpenWindow window(OpenRequest{testing_support::buffersOfEight(folder.path())});
    ASSERT_TRUE(allViewsShow(window.desktop));
    Engine& engine = window.desktop.session().engine();
    EXPECT_EQ(window.desktop.views().bscans(), 48);
    emit window.desktop.views().bscanChosen(21);
    EXPECT_TRUE(comesTrue(
        [&] { return engine.mailbox().shownFrame() == 2 && engine.mailbox().shownBscan() == 21; }));
    EXPECT_FALSE(engine.player().state().playing);
    const auto crosshairAt = [&](std::int64_t bscan) {
        return comesTrue([&] {
            return sampleAt(engine.volume().spec()->axes[0],
                            window.desktop.views().crosshair().elevation) == bscan;
        });
    };
    EXPECT_TRUE(crosshairAt(21));
    const auto read = engine.statistics().framesRead;
    emit window.desktop.views().bscanChosen(18);
    EXPECT_TRUE(crosshairAt(18));
    EXPECT_EQ(engine.statistics().framesRead, read) << "the shown frame holds it";
}

TEST(StageLabel, NamesGroupsByTheirEnds) {
    const auto source = openRecording(bundled("retina_volume.echolux.h5").file);
    const SnapshotPtr snapshot = imagingSnapshot(source->info().frame, std::nullopt);
    EXPECT_EQ(stageLabel(*snapshot, {"k_linearize"}), "k-linearization");
    EXPECT_EQ(stageLabel(*snapshot, {"spectrum_to_float", "k_linearize", "magnitude_log"}),
              QStringLiteral("Spectrum to float \u2026 Magnitude, log"));
}

/// A whole volume, and what is shown en face, frozen.
QImage frozenEnFace(OpenWindow& window) {
    Engine& engine = window.desktop.session().engine();
    window.desktop.playback().setSpeed(0.0);
    EXPECT_TRUE(comesTrue([&] { return engine.volume().volumesDone() > 0; }));
    EXPECT_TRUE(window.freezes());
    return window.desktop.views().enFace().grabImage();
}

/// More lines of it change than one B-scan takes, which is a fiftieth of it.
bool mostChanges(ImageView& view, const QImage& before) {
    return comesTrue([&] {
        const QImage now = view.grabImage();
        int lines = 0;
        for (int y = 0; y < now.height(); ++y) {
            const QRect line(0, y, now.width(), 1);
            lines += before.copy(line) != now.copy(line) ? 1 : 0;
        }
        return 10 * lines > 3 * now.height();
    });
}

TEST(VolumeViews, TheDepthWindowReachesTheStoreAndTheImageFollowsFrozen) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    Engine& engine = window.desktop.session().engine();
    const QImage before = frozenEnFace(window);
    window.desktop.views().moveWindow({100e-6, 300e-6});
    EXPECT_TRUE(mostChanges(window.desktop.views().enFace(), before));
    EXPECT_DOUBLE_EQ(engine.volume().enFaceView().nearest, 100e-6);
    EXPECT_DOUBLE_EQ(engine.volume().enFaceView().deepest, 300e-6);
}

/// Parts of the en face image that are nearly black and nearly white.
std::pair<double, double> blackAndWhite(ImageView& view) {
    const QImage image = view.grabImage();
    const Rect box = view.view().visibleInPixels();
    int black = 0;
    int white = 0;
    int all = 0;
    for (int y = static_cast<int>(box.top) + 2; y < static_cast<int>(box.bottom) - 2; ++y) {
        for (int x = static_cast<int>(box.left) + 2; x < static_cast<int>(box.right) - 2; ++x) {
            const int grey = qRed(image.pixel(x, y));
            black += grey < 16 ? 1 : 0;
            white += grey > 239 ? 1 : 0;
            ++all;
        }
    }
    return {double(black) / all, double(white) / all};
}

TEST(VolumeViews, ProjectionsAreWellExposedAndTheirLimitsStand) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    Engine& engine = window.desktop.session().engine();
    ImageView& enFace = window.desktop.views().enFace();
    frozenEnFace(window);
    const auto isExposed = [&] {
        return comesTrue([&] {
            const auto [black, white] = blackAndWhite(enFace);
            return black < 0.1 && white < 0.1;
        });
    };
    EXPECT_TRUE(isExposed());
    const auto limits = [&] { return std::pair(enFace.displayMin(), enFace.displayMax()); };
    const auto maximum = limits();
    emit window.desktop.window().transport().playToggled(true);
    const std::uint64_t volumes = engine.volume().volumesDone();
    QSignalSpy changes(&enFace, &ImageView::displayRangeChanged);
    ASSERT_TRUE(comesTrue([&] { return engine.volume().volumesDone() > volumes + 2; }));
    EXPECT_EQ(changes.count(), 0) << "while playing";
    for (QAction* each : window.desktop.views().viewActions()) {
        if (each->shortcut() == QKeySequence("N")) each->trigger();
    }
    ASSERT_TRUE(comesTrue([&] { return limits().second < maximum.second - 3.0; }));
    EXPECT_TRUE(isExposed());
    EXPECT_EQ(changes.count(), 1);
}

TEST(VolumeViews, AnEditWhileFrozenReachesTheWholeEnFaceImage) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    const QImage before = frozenEnFace(window);
    window.desktop.session().setBypass("dispersion", true);
    EXPECT_TRUE(mostChanges(window.desktop.views().enFace(), before));
    EXPECT_TRUE(comesTrue([&] {
        return window.desktop.window().status().volumeProgressText().isEmpty();
    })) << "no count stays";
    EXPECT_FALSE(window.desktop.session().engine().player().state().playing);
}

TEST(VolumeViews, TheNextRecordingMayHaveNone) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(allViewsShow(window.desktop));
    window.desktop.files().open(testing_support::kCine);
    ASSERT_TRUE(window.openingEnds());
    ASSERT_TRUE(window.showsMoreFrames(2));
    EXPECT_FALSE(window.desktop.views().hasVolume());
    EXPECT_FALSE(window.desktop.views().volume().isVisible());
    EXPECT_FALSE(window.desktop.views().shownWindow());
}

} // namespace
} // namespace echolux
