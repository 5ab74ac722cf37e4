// SPDX-License-Identifier: GPL-3.0-or-later
// The right button: a drag changes the displayed range, a click opens the menu.
#include "tests/ui/image_view_fixture.hpp"

#include "ui/views/image_actions.hpp"

#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>

namespace echolux {
namespace {

using testing_support::ImageViewTest;

class RangeDrag : public ImageViewTest {
protected:
    void press(QPoint at) { QTest::mousePress(m_view.get(), Qt::RightButton, {}, at); }
    void moveTo(QPoint to) {
        QMouseEvent move(QEvent::MouseMove, to, m_view->mapToGlobal(to), Qt::NoButton,
                         Qt::RightButton, {});
        QApplication::sendEvent(m_view.get(), &move);
    }
    void release(QPoint at) { QTest::mouseRelease(m_view.get(), Qt::RightButton, {}, at); }
    double width() const { return m_view->displayMax() - m_view->displayMin(); }
    double middle() const { return 0.5 * (m_view->displayMax() + m_view->displayMin()); }

    const QPoint m_at{300, 300};
};

TEST_F(RangeDrag, AcrossChangesTheWidthAndDownTheMiddle) {
    showFrame();
    m_view->setDisplayRange(-60.0, 0.0);
    QSignalSpy edited(m_view.get(), &ImageView::displayRangeEdited);
    press(m_at);
    moveTo(m_at + QPoint(100, 0));
    EXPECT_NEAR(width(), 60.0 * std::exp(0.5), 2.0);
    EXPECT_NEAR(middle(), -30.0, 1.0);
    moveTo(m_at + QPoint(0, 100));
    EXPECT_NEAR(width(), 60.0, 2.0) << "from where it began";
    EXPECT_GT(middle(), -28.0) << "a higher middle: a darker image";
    ASSERT_FALSE(edited.isEmpty()) << "an edit that can be undone";
    EXPECT_EQ(edited.first()[0].toDouble(), -60.0);
    const double after = m_view->displayMax();
    release(m_at + QPoint(0, 100));
    moveTo(m_at);
    EXPECT_EQ(m_view->displayMax(), after);
}

TEST_F(RangeDrag, NeverTurnsTheRangeRound) {
    showFrame();
    m_view->setDisplayRange(-60.0, 0.0);
    press(m_at);
    moveTo(m_at - QPoint(5000, 0));
    EXPECT_GT(width(), 0.0);
    release(m_at);
}

TEST_F(RangeDrag, AClickOpensTheMenuAndADragDoesNot) {
    showFrame();
    ImageActions actions(nullptr);
    actions.serve(m_view.get(), "image");
    const auto opens = [&] {
        bool opened = false;
        QTimer::singleShot(0, [&] {
            QWidget* menu = QApplication::activePopupWidget();
            opened = menu != nullptr;
            if (menu != nullptr) menu->close();
        });
        release(m_at);
        QApplication::processEvents();
        return opened;
    };
    press(m_at);
    QContextMenuEvent byPress(QContextMenuEvent::Mouse, m_at, m_view->mapToGlobal(m_at));
    QApplication::sendEvent(m_view.get(), &byPress); // as X11 sends it; it must not open here
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
    EXPECT_TRUE(opens());
    press(m_at);
    moveTo(m_at + QPoint(50, 0));
    EXPECT_FALSE(opens());
}

} // namespace
} // namespace echolux
