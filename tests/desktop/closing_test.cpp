// SPDX-License-Identifier: GPL-3.0-or-later
// Closing the window while something is exported.
#include "app/desktop/closing_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/window/message_bar.hpp"

#include <QAction>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

/// An export that takes until it is stopped or let go on.
struct ClosingWhileExporting : testing::Test {
    void SetUp() override {
        ASSERT_TRUE(m_window.showsFrames(1));
        main().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&main()));
        m_window.desktop.background().startReporting(
            Background::Kind::Exporting, "Exporting cine.mp4",
            [this](const std::stop_token& stop, const Background::Report&) -> Background::Finish {
                while (!stop.stop_requested() && !m_letGo) std::this_thread::yield();
                m_stopped = stop.stop_requested();
                return [] {};
            });
    }
    void TearDown() override { m_letGo = true; }
    MainWindow& main() { return m_window.desktop.window(); }
    QMessageBox* question() { return m_window.desktop.closing().question(); }
    void press(const char* label) {
        for (QAbstractButton* button : question()->buttons())
            if (button->text().remove('&') == label) return button->click();
        ADD_FAILURE() << label;
    }
    bool questionGoes() {
        return comesTrue([&] { return question() == nullptr || !question()->isVisible(); });
    }

    std::atomic<bool> m_letGo = false;
    std::atomic<bool> m_stopped = false;
    OpenWindow m_window;
};

TEST_F(ClosingWhileExporting, AsksAndGoesOnWhereThatIsWanted) {
    QTest::keyClick(&main(), Qt::Key_Q, Qt::ControlModifier);
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(main().isVisible());
    EXPECT_TRUE(question()->text().contains("cine.mp4")) << question()->text().toStdString();
    main().close(); // impatient
    EXPECT_EQ(main().findChildren<QMessageBox*>().size(), 1);
    press("Keep exporting");
    EXPECT_TRUE(questionGoes());
    EXPECT_TRUE(main().isVisible());
    EXPECT_FALSE(m_stopped);
    EXPECT_EQ(m_window.desktop.background().underWay(Background::Kind::Exporting).size(), 1);
}

TEST_F(ClosingWhileExporting, StopsItWhereThatIsWanted) {
    QSignalSpy closing(&main(), &MainWindow::aboutToClose);
    EXPECT_FALSE(main().close());
    EXPECT_EQ(closing.count(), 0) << "nothing is kept or left yet";
    press("Stop and quit");
    EXPECT_TRUE(comesTrue([&] { return !main().isVisible(); }));
    EXPECT_EQ(closing.count(), 1);
}

TEST_F(ClosingWhileExporting, AsksNoMoreOnceItIsDone) {
    EXPECT_FALSE(main().close());
    m_letGo = true;
    EXPECT_TRUE(questionGoes());
    EXPECT_TRUE(main().isVisible());
    EXPECT_TRUE(main().close());
}

TEST(Closing, AsksNothingWhereNothingIsExported) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_TRUE(window.desktop.window().close());
    EXPECT_EQ(window.desktop.closing().question(), nullptr);
}

} // namespace
} // namespace echolux
