// SPDX-License-Identifier: GPL-3.0-or-later
// A live source in the window: played, frozen, scrolled through, recorded, changed by sliders.
#include "app/desktop/file_desk.hpp"
#include "app/desktop/live_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/live/open_live.hpp"
#include "app/tools/live_source/panel.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/live/served_frames.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/progress_strip.hpp"
#include "ui/window/seek_bar.hpp"
#include "ui/window/status_bar.hpp"

#include <QAction>
#include <QDockWidget>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

const OpenRequest kSimulator{"simulator:echoes?elements=16&waves=1&depth=15&rate=200"};

struct LiveWindow : OpenWindow {
    using OpenWindow::OpenWindow;
    LiveSourcePanel& panel() { return desktop.panel<LiveSourcePanel>(); }
    const TransportBar::Actions& actions() { return desktop.window().transport().actions(); }
    PlayState state() { return desktop.session().engine().player().state(); }
};

TEST(LiveDesktop, PlaysFreezesAndScrollsThroughTheKeptFrames) {
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(3));
    EXPECT_TRUE(window.state().live);
    EXPECT_TRUE(window.state().playing);
    EXPECT_FALSE(window.actions().loop->isEnabled());
    EXPECT_FALSE(window.actions().faster->isEnabled());
    EXPECT_TRUE(window.actions().record->isEnabled());
    ASSERT_TRUE(comesTrue([&] { return window.state().last > 20; }));
    ASSERT_TRUE(window.freezes());
    const std::int64_t first = window.state().first;
    emit window.desktop.window().transport().seekRequested(4);
    ASSERT_TRUE(comesTrue(
        [&] { return window.desktop.session().engine().mailbox().shownFrame() == first + 4; }));
    EXPECT_TRUE(window.desktop.window().transport().frameText().startsWith("5 /"))
        << window.desktop.window().transport().frameText().toStdString();
    emit window.desktop.window().transport().playToggled(true);
    ASSERT_TRUE(comesTrue(
        [&] { return window.desktop.session().engine().mailbox().shownFrame() > first + 20; }));
}

TEST(LiveDesktop, AFileAfterALiveSourceHasItsControlsAgain) {
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.files().open(kCine);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "phantom_cine.echolux.h5"; }));
    EXPECT_TRUE(window.actions().loop->isEnabled());
    EXPECT_FALSE(window.actions().record->isEnabled());
    EXPECT_TRUE(window.panel().stateText().contains("file"));
    EXPECT_EQ(window.panel().slider("snr"), nullptr);
}

TEST(LiveDesktop, RecordsAndSaysWhere) {
    const test::TemporaryFolder folder;
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.live().setChoice(
        {QString::fromStdString((folder / "takes").string()), 0.5, 0.0, 1});
    window.actions().record->trigger();
    ASSERT_TRUE(window.desktop.live().isRecording());
    EXPECT_TRUE(window.actions().mark->isEnabled());
    window.actions().mark->trigger();
    const QString file = window.desktop.live().file();
    ASSERT_TRUE(window.showsMoreFrames(3));
    window.actions().record->trigger();
    ASSERT_TRUE(comesTrue([&] {
        window.desktop.statistics().measure();
        return !window.desktop.live().isRecording();
    }));
    EXPECT_FALSE(window.actions().record->isChecked());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("Recorded"))
        << window.desktop.window().messages().text().toStdString();
    const QByteArray stats = window.desktop.statistics().statsJson();
    EXPECT_TRUE(stats.contains("\"lost_at_source\": 0")) << stats.toStdString();
    const auto recorded = openRecording(file.toStdString());
    EXPECT_GT(recorded->info().frameCount, 3);
    EXPECT_EQ(recorded->info().marks.size(), 1U);
    window.desktop.files().open(file);
    ASSERT_TRUE(comesTrue(
        [&] { return window.openFile() == std::filesystem::path(file.toStdString()).filename(); }));
    EXPECT_EQ(window.desktop.window().transport().seekSlider()->marks().size(), 1);
    EXPECT_TRUE(window.actions().markForward->isEnabled());
}

TEST(LiveDesktop, RecordsTheImagesOfItsViewsToo) {
    const test::TemporaryFolder folder;
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    RecordChoice choice{QString::fromStdString(folder.path().string())};
    choice.images = true;
    window.desktop.live().setChoice(choice);
    window.actions().record->trigger();
    ASSERT_TRUE(window.showsMoreFrames(5));
    window.actions().record->trigger();
    ASSERT_TRUE(comesTrue([&] {
        window.desktop.statistics().measure();
        return !window.desktop.live().isRecording();
    }));
    EXPECT_TRUE(window.desktop.window().messages().text().contains("images of 'image'"))
        << window.desktop.window().messages().text().toStdString();
    std::ifstream events(eventsOf(window.desktop.live().file().toStdString()));
    const std::string text(std::istreambuf_iterator<char>(events), {});
    EXPECT_NE(text.find(",pipeline,\"name\","), std::string::npos) << text;
    const auto images =
        openRecording(imagesBeside(window.desktop.live().file().toStdString(), "image"));
    EXPECT_GT(images->info().frameCount, 3);
    const FrameSpec shown = window.desktop.session().snapshot()->output();
    EXPECT_EQ(images->info().frame.axes, shown.axes);
    EXPECT_EQ(images->info().frame.recordedForm, RecordedForm::Decibels);
    window.desktop.files().open(OpenRequest{images->info().path});
    ASSERT_TRUE(comesTrue([&] { return window.openFile().ends_with(".image.echolux.h5"); }))
        << "the file opens in the window";
    EXPECT_TRUE(window.showsMoreFrames(1));
}

TEST(LiveDesktop, AWindowThatIsClosedWhileItRecordsLeavesAWholeFile) {
    const test::TemporaryFolder folder;
    for (int i = 0; i < 3; ++i) {
        QString file;
        {
            LiveWindow window(kSimulator);
            ASSERT_TRUE(window.showsFrames(1));
            window.desktop.live().setChoice(
                {QString::fromStdString(folder.path().string()), 0.0, 0.0, 1});
            window.actions().record->trigger();
            ASSERT_TRUE(window.showsMoreFrames(3));
            file = window.desktop.live().file();
        }
        EXPECT_GT(openRecording(file.toStdString())->info().frameCount, 2);
    }
}

TEST(LiveDesktop, ARecordingEndsWithItsSource) {
    const test::TemporaryFolder folder;
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.live().setChoice({QString::fromStdString(folder.path().string())});
    window.actions().record->trigger();
    ASSERT_TRUE(window.showsMoreFrames(3));
    window.desktop.files().open(kCine);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "phantom_cine.echolux.h5"; }));
    EXPECT_FALSE(window.desktop.live().isRecording());
    EXPECT_GT(openRecording(window.desktop.live().file().toStdString())->info().frameCount, 0);
}

TEST(LiveDesktop, AFolderThatCannotBeWrittenIsSaid) {
    const test::TemporaryFolder folder;
    testing_support::writeFile(QString::fromStdString((folder / "file").string()), "a file");
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.live().setChoice({QString::fromStdString((folder / "file/below").string())});
    window.actions().record->trigger();
    EXPECT_FALSE(window.desktop.live().isRecording());
    EXPECT_FALSE(window.actions().record->isChecked());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("does not exist"));
    EXPECT_TRUE(window.showsMoreFrames(2)) << "the window goes on";
}

TEST(LiveDesktop, SlidersOfTheDockChangeTheSource) {
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.window().findChild<QDockWidget*>("live_source")->toggleViewAction()->trigger();
    ValueSlider* slider = window.panel().slider("snr");
    ASSERT_NE(slider, nullptr);
    slider->setDefault(10.0);
    emit slider->valueChanged();
    const auto parameters = window.desktop.session().engine().live()->source().parameters();
    EXPECT_EQ(std::ranges::find(parameters, "snr", &LiveParameter::key)->value, 10.0);
    ASSERT_TRUE(comesTrue([&] {
        window.desktop.statistics().measure();
        return window.panel().count("came").contains("/s");
    }));
    EXPECT_TRUE(window.panel().stateText().contains("runs"));
}

/// The frames pass the dock by in an open window: it is seen although what it holds covers it.
TEST(LiveDesktop, TheDockFollowsInAWideWindow) {
    LiveWindow window(kSimulator);
    window.desktop.window().resize(1600, 1400);
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_FALSE(window.panel().isSeen()) << "it is closed";
    QDockWidget& dock = *window.desktop.window().findChild<QDockWidget*>("live_source");
    QSignalSpy seen(&window.panel(), &SeenWidget::cameIntoSight);
    dock.toggleViewAction()->trigger();
    ASSERT_TRUE(comesTrue([&] { return seen.count() >= 1; }));
    const auto follows = [&] {
        return comesTrue([&] {
            window.desktop.statistics().measure();
            return window.panel().stateText().contains("runs");
        });
    };
    EXPECT_TRUE(follows()) << window.panel().stateText().toStdString();
    dock.setFloating(true);
    dock.resize(600, 900);
    EXPECT_TRUE(comesTrue([&] { return window.panel().isSeen(); })) << "afloat";
    dock.setFloating(false);
    window.desktop.window().showMinimized();
    EXPECT_TRUE(comesTrue([&] { return !window.panel().isSeen(); }));
    window.desktop.window().showNormal();
    EXPECT_TRUE(comesTrue([&] { return window.panel().isSeen(); }));
}

TEST(LiveDesktop, AWarningOfASourceGoesWithIt) {
    LiveWindow window(kSimulator);
    ASSERT_TRUE(window.showsFrames(1));
    Statistics silent;
    silent.live = LiveCounters{.state = LiveState::Silent};
    window.desktop.live().follow(silent);
    const auto warns = [&] {
        return window.desktop.window().messages().text().contains("no frame has come");
    };
    EXPECT_TRUE(warns());
    window.desktop.files().open(kCine);
    ASSERT_TRUE(comesTrue([&] { return window.openFile() == "phantom_cine.echolux.h5"; }));
    EXPECT_FALSE(warns());
}

TEST(LiveDesktop, SharedMemoryIsWaitedFor) {
    test::ServedFrames served;
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    const auto strip = [&] { return window.desktop.window().progress().text(); };
    window.desktop.files().open(OpenRequest{"shared:" + served.name});
    EXPECT_EQ(strip().toStdString(), "Waiting for the writer of shared:" + served.name);
    std::jthread writer([&](const std::stop_token& stop) {
        for (std::int64_t n = 0; !stop.stop_requested(); ++n) {
            served.write(n % 100);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    EXPECT_TRUE(comesTrue([&] { return window.openFile() == "shared:" + served.name; }));
}

TEST(LiveDesktop, ASourceThatCannotBeOpenedLeavesWhatIsOpen) {
    LiveWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.files().open(OpenRequest{"simulator:heart"});
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("simulator:oct"));
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
}

} // namespace
} // namespace echolux
