// SPDX-License-Identifier: GPL-3.0-or-later
// Opening beside a live window: what was open stays until the new one is ready, cancel,
// replacement.
#include "app/desktop/file_desk.hpp"
#include "gpu/core/error.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/progress_strip.hpp"

#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;
using testing_support::settle;
using testing_support::writeFile;

/// Opening that lasts until it is let go, as a library call that nobody can interrupt.
struct SlowOpening {
    std::binary_semaphore letGo{0};
    std::atomic<bool> stopAsked{false};
    std::atomic<bool> ended{false};
    bool finished = false;

    Background::Work work() {
        return [this](const std::stop_token& stop) -> Background::Finish {
            letGo.acquire();
            stopAsked = stop.stop_requested();
            ended = true;
            return [this] { finished = true; };
        };
    }
};

TEST(Opening, ShowsTheRecordingWhenItIsReady) {
    OpenWindow window(OpenRequest{});
    EXPECT_FALSE(window.desktop.session().isOpen());
    window.desktop.files().open(kCine);
    EXPECT_FALSE(window.desktop.session().isOpen()) << "the call returns at once";
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    EXPECT_TRUE(window.showsFrames(3));
}

TEST(Opening, ABadFileLeavesTheOpenOneOpen) {
    const QTemporaryDir folder;
    writeFile(folder.filePath("bad.h5"), "\x89HDF\r\n\x1a\nand then nothing of it");
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.desktop.files().open(folder.filePath("bad.h5"));
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(window.desktop.window().messages().text().contains("bad.h5"));
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    EXPECT_TRUE(window.showsMoreFrames(3));
}

TEST(Opening, TheFormerRecordingPlaysOnMeanwhile) {
    SlowOpening slow;
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ProgressStrip& strip = window.desktop.window().progress();
    window.desktop.background().start(Background::Kind::Opening, "Opening slow.h5", slow.work());
    EXPECT_TRUE(strip.isHidden()) << "short work shows nothing";
    EXPECT_TRUE(window.showsMoreFrames(3));
    EXPECT_TRUE(comesTrue([&] { return strip.isVisible(); }));
    EXPECT_EQ(strip.text(), "Opening slow.h5");
    EXPECT_EQ(strip.geometry().bottom(), strip.parentWidget()->rect().bottom());
    slow.letGo.release();
    ASSERT_TRUE(window.openingEnds());
    EXPECT_TRUE(slow.finished);
    EXPECT_FALSE(slow.stopAsked);
    EXPECT_TRUE(strip.isHidden());
}

TEST(Opening, CancelReturnsAtOnceAndThrowsTheResultAway) {
    SlowOpening slow;
    OpenWindow window;
    ProgressStrip& strip = window.desktop.window().progress();
    const QSignalSpy ended(&window.desktop.background(), &Background::ended);
    window.desktop.background().start(Background::Kind::Opening, "Opening slow.h5", slow.work());
    ASSERT_TRUE(comesTrue([&] { return strip.isVisible(); }));
    QTest::mouseClick(strip.cancelButton(), Qt::LeftButton);
    EXPECT_TRUE(strip.isHidden());
    EXPECT_FALSE(window.desktop.background().isOpening());
    EXPECT_TRUE(window.showsMoreFrames(3));
    EXPECT_FALSE(slow.ended);
    slow.letGo.release();
    ASSERT_TRUE(comesTrue([&] { return ended.count() > 0; }));
    EXPECT_TRUE(slow.stopAsked);
    EXPECT_FALSE(slow.finished);
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
}

/// As an engine that waits for a read in progress when it goes.
struct SlowToGo {
    std::binary_semaphore& letGo;
    std::atomic<std::thread::id>& endedOn;
    std::atomic<bool>& inTime;
    std::atomic<bool>& going;
    ~SlowToGo() {
        going = true;
        inTime = letGo.try_acquire_for(std::chrono::milliseconds(testing_support::kPatienceMs));
        endedOn = std::this_thread::get_id();
    }
};

TEST(Opening, WhatCancelThrowsAwayIsNotWaitedFor) {
    std::binary_semaphore made{0};
    std::binary_semaphore letGo{0};
    std::atomic<std::thread::id> endedOn;
    std::atomic<bool> inTime{false};
    std::atomic<bool> going{false};
    OpenWindow window(OpenRequest{});
    window.desktop.background().start(
        Background::Kind::Opening, "Opening slow.h5",
        [&](const std::stop_token&) -> Background::Finish {
            auto result = std::shared_ptr<SlowToGo>(new SlowToGo{letGo, endedOn, inTime, going});
            made.release();
            return [result] {};
        });
    made.acquire();
    window.desktop.background().cancel();
    ASSERT_TRUE(comesTrue([&] { return going.load(); }));
    letGo.release(); // waited for in the lines above, this thread would not have come here in time
    ASSERT_TRUE(comesTrue([&] { return endedOn.load() != std::thread::id(); }));
    EXPECT_TRUE(inTime);
    EXPECT_NE(endedOn.load(), std::this_thread::get_id());
}

TEST(Opening, WhatTheWorkHeldIsNotWaitedFor) {
    std::binary_semaphore letGo{0};
    std::atomic<std::thread::id> endedOn;
    std::atomic<bool> inTime{false};
    std::atomic<bool> going{false};
    OpenWindow window(OpenRequest{});
    bool finished = false;
    const auto held = [&] {
        return std::shared_ptr<SlowToGo>(new SlowToGo{letGo, endedOn, inTime, going});
    };
    window.desktop.background().start(
        Background::Kind::Opening, "Opening slow.h5",
        [&finished, held = held()](const std::stop_token&) -> Background::Finish {
            return [&finished] { finished = true; };
        });
    ASSERT_TRUE(comesTrue([&] { return going.load(); }));
    settle();
    letGo.release(); // waited for in the lines above, this thread would not have come here in time
    ASSERT_TRUE(comesTrue([&] { return finished; }));
    EXPECT_TRUE(inTime);
    EXPECT_NE(endedOn.load(), std::this_thread::get_id());
}

TEST(Opening, ALaterRequestReplacesTheOneUnderWay) {
    SlowOpening slow;
    OpenWindow window(OpenRequest{});
    const QSignalSpy ended(&window.desktop.background(), &Background::ended);
    window.desktop.background().start(Background::Kind::Opening, "Opening slow.h5", slow.work());
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    slow.letGo.release();
    ASSERT_TRUE(comesTrue([&] { return ended.count() == 2; }));
    EXPECT_FALSE(slow.finished);
}

TEST(Opening, ClosingTheWindowMeanwhileIsClean) {
    SlowOpening slow;
    {
        OpenWindow window;
        window.desktop.background().start(Background::Kind::Opening, "Opening slow.h5",
                                          slow.work());
        window.desktop.files().open(kCine);
        window.desktop.window().close();
        slow.letGo.release();
    }
    EXPECT_TRUE(slow.ended) << "its thread is waited for";
    EXPECT_FALSE(slow.finished);
}

TEST(Opening, WhatIsBeingSavedIsSavedAfterClosing) {
    std::atomic<bool> stopAsked{true};
    {
        OpenWindow window(OpenRequest{});
        window.desktop.background().start(Background::Kind::Saving, "Saving",
                                          [&](const std::stop_token& stop) {
                                              // The window closes meanwhile.
                                              QTest::qSleep(50);
                                              stopAsked = stop.stop_requested();
                                              return Background::Finish();
                                          });
    }
    EXPECT_FALSE(stopAsked);
}

/// By this process or by the reader that it started: a lease is for files that nobody has open.
bool holdsOpen(const QString& path) {
    const int file = ::open(path.toLocal8Bit().constData(), O_RDWR | O_CLOEXEC);
    const bool isHeld = ::fcntl(file, F_SETLEASE, F_WRLCK) != 0;
    ::close(file);
    return isHeld;
}

TEST(Opening, TheRecordingBeforeIsClosed) {
    const QTemporaryDir folder;
    const QString former = folder.filePath("former.h5");
    ASSERT_TRUE(QFile::copy(kCine, former));
    OpenWindow window(OpenRequest{former.toStdString()});
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(holdsOpen(former));
    window.desktop.files().open(kCine);
    ASSERT_TRUE(window.openingEnds());
    EXPECT_EQ(window.openFile(), "phantom_cine.echolux.h5");
    EXPECT_TRUE(comesTrue([&] { return !holdsOpen(former); }));
    EXPECT_TRUE(window.showsMoreFrames(3));
}

} // namespace
} // namespace echolux
