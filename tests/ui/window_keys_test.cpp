// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the window and the transport bar.
#include "tests/ui/window_fixture.hpp"
#include "ui/controls/slider.hpp"
#include "ui/parameters/display_group.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>

namespace echolux {
namespace {

using testing_support::settle;
using testing_support::WindowTest;

TEST_F(WindowTest, KeysOfThePlayback) {
    show();
    TransportBar& bar = m_window->transport();
    QSignalSpy play(&bar, &TransportBar::playToggled);
    QSignalSpy step(&bar, &TransportBar::stepRequested);
    QSignalSpy seek(&bar, &TransportBar::seekRequested);
    QSignalSpy speed(&bar, &TransportBar::speedChosen);
    press(Qt::Key_Space);
    ASSERT_EQ(play.count(), 1);
    EXPECT_TRUE(play.last().first().toBool());
    bar.setPlaying(true);
    press(Qt::Key_Space);
    EXPECT_FALSE(play.last().first().toBool());
    for (const int key : {Qt::Key_Comma, Qt::Key_Left, Qt::Key_Period, Qt::Key_Right}) press(key);
    ASSERT_EQ(step.count(), 4);
    EXPECT_EQ(step.at(0).first().toInt(), -1);
    EXPECT_EQ(step.at(1).first().toInt(), -1);
    EXPECT_EQ(step.at(2).first().toInt(), 1);
    EXPECT_EQ(step.at(3).first().toInt(), 1);
    press(Qt::Key_Home);
    EXPECT_EQ(seek.last().first().toLongLong(), 0);
    press(Qt::Key_End);
    EXPECT_EQ(seek.last().first().toLongLong(), 31);
    press(Qt::Key_BracketRight);
    EXPECT_EQ(speed.last().first().toDouble(), 2.0);
    press(Qt::Key_BracketLeft);
    press(Qt::Key_BracketLeft);
    EXPECT_EQ(speed.last().first().toDouble(), 0.5);
}

TEST_F(WindowTest, KeysOfTheWindow) {
    show();
    QSignalSpy open(m_window.get(), &MainWindow::openRequested);
    QSignalSpy shot(m_window.get(), &MainWindow::screenshotRequested);
    QSignalSpy view(m_window.get(), &MainWindow::resetViewRequested);
    QSignalSpy range(m_window.get(), &MainWindow::autoRangeRequested);
    QSignalSpy display(&m_window->display(), &DisplayGroup::edited);
    press(Qt::Key_O, Qt::ControlModifier);
    press(Qt::Key_S, Qt::ControlModifier);
    press(Qt::Key_R);
    press(Qt::Key_A);
    press(Qt::Key_M);
    EXPECT_EQ(open.count(), 1);
    EXPECT_EQ(shot.count(), 1);
    EXPECT_EQ(view.count(), 1);
    EXPECT_EQ(range.count(), 1);
    ASSERT_EQ(display.count(), 1);
    EXPECT_EQ(m_window->display().settings().colourMap, "viridis");
}

TEST_F(WindowTest, KeysAreTextWhileTyping) {
    show();
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    QSignalSpy step(&m_window->transport(), &TransportBar::stepRequested);
    QSignalSpy view(m_window.get(), &MainWindow::resetViewRequested);
    QLineEdit* search = m_window->parameters().searchField();
    search->setFocus();
    QTest::keyClicks(search, "r a,");
    EXPECT_EQ(search->text(), "r a,");
    field()->setFocus();
    press(Qt::Key_Left);
    EXPECT_EQ(play.count() + step.count() + view.count(), 0);
}

TEST_F(WindowTest, TheImageHasTheKeysAfterANumberAndADialog) {
    show();
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    QSignalSpy exports(m_window.get(), &MainWindow::exportRequested);
    QSignalSpy display(&m_window->display(), &DisplayGroup::edited);
    const auto dialogComesAndGoes = [&] {
        QDialog dialog(m_window.get());
        dialog.open();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
        dialog.accept();
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
    };
    const auto expectKeys = [&](int times, const char* after) {
        press(Qt::Key_Space);
        press(Qt::Key_M);
        press(Qt::Key_E, Qt::ControlModifier);
        EXPECT_EQ(play.count(), times) << after;
        EXPECT_EQ(display.count(), times) << after;
        EXPECT_EQ(exports.count(), times) << after;
    };
    field()->setFocus();
    QTest::keyClicks(QApplication::focusWidget(), "1");
    press(Qt::Key_Return);
    expectKeys(1, "a number and Return");
    dialogComesAndGoes();
    expectKeys(2, "then a dialog");
    field()->setFocus();
    dialogComesAndGoes();
    expectKeys(3, "a dialog while a number has the focus");
    field()->setFocus();
    m_window->parameters().setStages({testing_support::everyRowEntry("second")});
    expectKeys(4, "other parameters in place of the one with the focus");
    EXPECT_EQ(m_window->parameters().searchField()->text(), "");
}

TEST_F(WindowTest, KeysWorkWhileASliderHasTheFocus) {
    show();
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    QSignalSpy step(&m_window->transport(), &TransportBar::stepRequested);
    m_window->transport().seekSlider()->setFocus();
    press(Qt::Key_Space);
    press(Qt::Key_Right);
    EXPECT_EQ(play.count(), 1);
    EXPECT_EQ(step.count(), 1);
}

TEST_F(WindowTest, ReturnPressesTheFocusedSwitch) {
    show();
    QSignalSpy spy(&m_window->parameters(), &ParameterPanel::bypassToggled);
    auto* toggle =
        m_window->findChild<QWidget*>("stage.first")->findChild<QAbstractButton*>("bypass");
    ASSERT_NE(toggle, nullptr);
    toggle->setFocus();
    press(Qt::Key_Return);
    EXPECT_EQ(spy.count(), 1);
}

TEST_F(WindowTest, NothingOpenDisablesAllButOpen) {
    m_window->transport().setFrame(0, 0);
    for (QAction* action : m_window->transport().actions().all()) {
        EXPECT_EQ(action->isEnabled(), action == m_window->transport().actions().open)
            << action->text().toStdString();
    }
    EXPECT_EQ(m_window->transport().frameText(), "");
    m_window->transport().setFrame(0, 1);
    EXPECT_EQ(m_window->transport().frameText(), "1 / 1");
    const TransportBar::Actions& actions = m_window->transport().actions();
    EXPECT_FALSE(actions.play->isEnabled()) << "a single frame does not play";
    EXPECT_TRUE(actions.screenshot->isEnabled());
}

TEST_F(WindowTest, TransportShowsWithoutEchoing) {
    TransportBar& bar = m_window->transport();
    QSignalSpy seek(&bar, &TransportBar::seekRequested);
    QSignalSpy speed(&bar, &TransportBar::speedChosen);
    QSignalSpy loop(&bar, &TransportBar::loopToggled);
    bar.setFrame(20, 32);
    bar.setSpeed(TransportBar::kUnpaced);
    bar.setLoop(true);
    EXPECT_EQ(bar.seekSlider()->value(), 20);
    EXPECT_EQ(bar.frameText(), "21 / 32");
    EXPECT_EQ(seek.count() + speed.count() + loop.count(), 0);
    QTest::mouseClick(bar.seekSlider(), Qt::LeftButton, {}, QPoint(8, 12));
    EXPECT_EQ(seek.last().first().toLongLong(), 0);
}

TEST_F(WindowTest, NothingInTheTransportBarMovesWhileFramesRun) {
    show();
    TransportBar& bar = m_window->transport();
    bar.setFrame(0, 1000);
    settle();
    const QRect before = bar.seekSlider()->geometry();
    for (const qint64 index : {0, 9, 99, 888, 999}) {
        bar.setFrame(index, 1000);
        bar.setPlaying(index % 2 == 0);
        settle();
        EXPECT_EQ(bar.seekSlider()->geometry(), before) << index;
    }
}

} // namespace
} // namespace echolux
