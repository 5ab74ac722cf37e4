// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a recording that is played, and the number of a frame that is typed.
#include "tests/ui/window_fixture.hpp"
#include "ui/window/seek_bar.hpp"

#include <QHelpEvent>
#include <QToolTip>

namespace echolux {
namespace {

using testing_support::typeInto;
using testing_support::WindowTest;

class SeekBarTest : public WindowTest {
protected:
    TransportBar& bar() { return m_window->transport(); }
    SeekBar& seek() { return *bar().seekSlider(); }
    void dragTab(int from, int to) {
        QTest::mousePress(&seek(), Qt::LeftButton, {}, seek().tabOf(from).toPoint());
        const QPointF at = seek().tabOf(to);
        QMouseEvent move(QEvent::MouseMove, at, seek().mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&seek(), &move);
        QTest::mouseRelease(&seek(), Qt::LeftButton, {}, at.toPoint());
    }
};

TEST_F(SeekBarTest, EndsAreDraggedAndADoubleClickPlaysAllAgain) {
    show();
    QSignalSpy part(&bar(), &TransportBar::partChosen);
    QSignalSpy sought(&bar(), &TransportBar::seekRequested);
    dragTab(0, 8);
    ASSERT_GE(part.count(), 1);
    EXPECT_EQ(part.last().at(0).toLongLong(), 8);
    EXPECT_EQ(part.last().at(1).toLongLong(), 31);
    dragTab(31, 20);
    EXPECT_EQ(part.last().at(0).toLongLong(), 8);
    EXPECT_EQ(part.last().at(1).toLongLong(), 20);
    dragTab(8, 30);
    EXPECT_EQ(part.last().at(0).toLongLong(), 20) << "ends do not pass each other";
    EXPECT_EQ(sought.count(), 0) << "the shown frame stays";
    QTest::mouseDClick(&seek(), Qt::LeftButton, {}, seek().tabOf(20).toPoint());
    EXPECT_EQ(part.last().at(0).toLongLong(), 0);
    EXPECT_EQ(part.last().at(1).toLongLong(), 31);
    EXPECT_TRUE(seek().playsAll());
}

TEST_F(SeekBarTest, MarksAreGoneToByAClickAndByKeys) {
    show();
    QSignalSpy sought(&bar(), &TransportBar::seekRequested);
    EXPECT_FALSE(bar().actions().markForward->isEnabled()) << "there is no mark";
    bar().setMarks({{4, "Mark at 0.10 s"}, {20, "Mark at 0.50 s: cyst"}, {28, "Mark at 0.70 s"}});
    bar().setFrame(11, 32);
    press(Qt::Key_Period, Qt::ControlModifier);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTest::mouseClick(&seek(), Qt::LeftButton, {}, seek().markAt(28).toPoint());
    ASSERT_EQ(sought.count(), 3);
    EXPECT_EQ(sought[0][0].toLongLong(), 20);
    EXPECT_EQ(sought[1][0].toLongLong(), 4);
    EXPECT_EQ(sought[2][0].toLongLong(), 28) << "exactly there";
    QHelpEvent help(QEvent::ToolTip, seek().markAt(20).toPoint(),
                    seek().mapToGlobal(seek().markAt(20).toPoint()));
    QApplication::sendEvent(&seek(), &help);
    EXPECT_EQ(QToolTip::text(), "Mark at 0.50 s: cyst");
    bar().setFrame(30, 32);
    press(Qt::Key_Period, Qt::ControlModifier);
    EXPECT_EQ(sought.count(), 3) << "there is none behind it";
}

TEST_F(SeekBarTest, KeysBoundThePartByTheShownFrame) {
    show();
    QSignalSpy part(&bar(), &TransportBar::partChosen);
    press(Qt::Key_I);
    ASSERT_EQ(part.count(), 1);
    EXPECT_EQ(part.last().at(0).toLongLong(), 11);
    bar().setFrame(20, 32);
    press(Qt::Key_O);
    EXPECT_EQ(part.last().at(0).toLongLong(), 11);
    EXPECT_EQ(part.last().at(1).toLongLong(), 20);
    bar().setFrame(5, 32);
    press(Qt::Key_O);
    EXPECT_EQ(part.last().at(0).toLongLong(), 5) << "an end before the begin begins there";
    EXPECT_EQ(part.last().at(1).toLongLong(), 5);
    press(Qt::Key_U);
    EXPECT_EQ(part.last().at(1).toLongLong(), 31);
    bar().setPart(3, 4);
    bar().setFrame(0, 100);
    EXPECT_TRUE(seek().playsAll()) << "another recording";
}

TEST_F(SeekBarTest, ATypedFrameIsSought) {
    show();
    QSignalSpy sought(&bar(), &TransportBar::seekRequested);
    press(Qt::Key_G);
    EXPECT_TRUE(bar().frameField()->hasFocus());
    bar().setFrame(12, 32);
    EXPECT_EQ(bar().frameField()->text(), "12") << "what is being typed into stands still";
    typeInto(*bar().frameField(), "31");
    ASSERT_EQ(sought.count(), 1);
    EXPECT_EQ(sought.last().front().toLongLong(), 30) << "counted from 1";
    EXPECT_FALSE(bar().frameField()->hasFocus());
    typeInto(*bar().frameField(), "400");
    EXPECT_EQ(sought.last().front().toLongLong(), 31) << "the last one";
    EXPECT_EQ(QToolTip::text(),
              "There is no frame 400, so frame 32 is shown; frames are numbered from 1 to 32.");
    typeInto(*bar().frameField(), "here");
    EXPECT_EQ(sought.count(), 2);
    EXPECT_EQ(bar().frameField()->text(), "13") << "the shown one";
    bar().frameField()->setFocus();
    QTest::keyClicks(bar().frameField(), "7");
    QTest::keyClick(bar().frameField(), Qt::Key_Escape);
    EXPECT_EQ(sought.count(), 2);
    EXPECT_FALSE(bar().frameField()->hasFocus());
}

} // namespace
} // namespace echolux
