// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on the bundled recording: it plays, follows edits, keeps what is open when a
// file is bad, and restores a screenshot.
#include "app/desktop/desktop.hpp"
#include "gpu/core/error.hpp"
#include "tests/support/qt_application.hpp"
#include "ui/a_line_plot.hpp"
#include "ui/display_group.hpp"
#include "ui/image_view.hpp"
#include "ui/main_window.hpp"
#include "ui/message_bar.hpp"
#include "ui/parameter_panel.hpp"
#include "ui/transport_bar.hpp"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace echolux {
namespace {

const QString kCine = QStringLiteral(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
constexpr int kPatienceMs = 20000;

struct OpenWindow {
    Desktop desktop{chooseBackend("cpu"), false};
    QSignalSpy presented{&desktop.view(), &ImageView::framePresented};

    OpenWindow() {
        desktop.window().resize(1280, 800);
        desktop.showWindow();
        desktop.open(kCine);
    }
    bool showsFrames(int count) {
        return QTest::qWaitFor([&] { return presented.count() >= count; }, kPatienceMs);
    }
    double speedOfSound() {
        return std::get<double>(
            desktop.session().snapshot()->stage("beamform").params.get("speed_of_sound"));
    }
};

TEST(Desktop, PlaysTheBundledRecording) {
    testing_support::application();
    OpenWindow window;
    EXPECT_TRUE(window.showsFrames(5));
    EXPECT_TRUE(window.desktop.window().transport().isPlaying());
    EXPECT_TRUE(window.desktop.view().displayPath().badge.startsWith("upload"));
    const Statistics now = window.desktop.session().engine().statistics();
    EXPECT_GE(now.framesShown, 5U);
    EXPECT_EQ(now.framesDropped, 0U);
}

TEST(Desktop, AParameterMovedWhileFrozenShowsTheFrameAnew) {
    testing_support::application();
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.window().transport().playToggled(false);
    QTest::qWait(300);
    const int before = static_cast<int>(window.presented.count());
    const auto read = window.desktop.session().engine().statistics().framesRead;
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1480.0);
    EXPECT_TRUE(window.showsFrames(before + 1));
    EXPECT_EQ(window.speedOfSound(), 1480.0);
    EXPECT_EQ(window.desktop.session().engine().statistics().framesRead, read);
}

TEST(Desktop, ARefusedEditChangesNothing) {
    testing_support::application();
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.window().parameters().parameterEdited("beamform", "pixel_depth", 1e-9);
    EXPECT_GT(std::get<double>(
                  window.desktop.session().snapshot()->stage("beamform").params.get("pixel_depth")),
              1e-6);
    EXPECT_TRUE(window.showsFrames(static_cast<int>(window.presented.count()) + 3));
}

TEST(Desktop, ABadFileLeavesTheOpenOneOpen) {
    testing_support::application();
    const QTemporaryDir folder;
    const QString bad = folder.filePath("bad.h5");
    QFile file(bad);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is no recording");
    file.close();
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.tryOpen(bad);
    EXPECT_TRUE(window.desktop.window().messages().text().contains("bad.h5"));
    EXPECT_EQ(window.desktop.session().engine().info().path.filename(), "phantom_cine.echolux.h5");
    EXPECT_TRUE(window.showsFrames(static_cast<int>(window.presented.count()) + 3));
}

TEST(Desktop, APickedColumnShowsItsLineAndSpectrum) {
    testing_support::application();
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.view().columnPicked(-7e-3);
    Engine& engine = window.desktop.session().engine();
    EXPECT_TRUE(QTest::qWaitFor([&] { return engine.column().has_value(); }, kPatienceMs));
    const ColumnData column = *engine.column();
    EXPECT_EQ(static_cast<std::int64_t>(column.rf.size()),
              engine.info().frame.sizeOf(AxisName::Sample));
    EXPECT_TRUE(column.clipped.empty());
    const auto& elements = engine.info().frame.acquisition->probe.elements;
    EXPECT_NEAR(elements[static_cast<std::size_t>(column.channel)].x, -7e-3, 0.15e-3);
    // The pulse's band holds the spectrum's maximum, and a wire lies at 18 mm.
    const auto top = std::max_element(column.spectrumDb.begin(), column.spectrumDb.end()) -
                     column.spectrumDb.begin();
    EXPECT_NEAR(column.spectrumStartHz + static_cast<double>(top) * column.spectrumStepHz, 5e6,
                1.5e6);
    const auto at = [&](double depthM) {
        return column
            .envelope[static_cast<std::size_t>((depthM - column.depthStartM) / column.depthStepM)];
    };
    EXPECT_GT(at(18e-3), 5.0F * at(16e-3));
}

TEST(Desktop, AScreenshotBringsItsSettingsBack) {
    testing_support::application();
    const QTemporaryDir folder;
    const QString shot = folder.filePath("shot.png");
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1600.0);
    window.desktop.session().engine().player().freeze();
    window.desktop.saveWindowShot(shot);
    emit window.desktop.window().resetParametersRequested();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
    window.desktop.restoreScreenshot(shot);
    EXPECT_EQ(window.speedOfSound(), 1600.0);
    EXPECT_FALSE(window.desktop.session().engine().player().state().playing);
    EXPECT_THROW(window.desktop.restoreScreenshot(folder.filePath("nowhere.png")), Error);
}

} // namespace
} // namespace echolux
