// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views at any resolution, their menu, what is drawn over them, and where they look.
#include "tests/ui/image_view_fixture.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/overlay/box_overlay.hpp"
#include "ui/views/overlay/column_overlay.hpp"

#include <QAction>
#include <QClipboard>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::imageSpec;
using testing_support::ImageViewTest;

TEST_F(ImageViewTest, APictureHasTheScreensContentAtSeveralTimesItsResolution) {
    m_view->setColourMap("viridis", false);
    showFrame();
    const QImage once = m_view->imageAt(1.0);
    const QImage thrice = m_view->imageAt(3.0);
    ASSERT_EQ(thrice.size(), once.size() * 3);
    for (const QPoint& at : {pixelOf(-10.0, 20.0), pixelOf(10.0, 20.0), QPoint(2, 2)}) {
        EXPECT_EQ(once.pixelColor(at), m_view->grabImage().pixelColor(at));
        EXPECT_EQ(thrice.pixelColor(at * 3), once.pixelColor(at));
    }
    // The edge between the halves is as sharp as pixels are small.
    const int y = pixelOf(0.0, 20.0).y() * 3;
    const int x = static_cast<int>(m_view->view().toPixel({0.0, 20.0}).x * 3.0);
    EXPECT_EQ(thrice.pixelColor(x - 6, y), QColor(0xfde725));
    EXPECT_EQ(thrice.pixelColor(x + 6, y), QColor(0x21918c));
    EXPECT_EQ(m_view->grabImage().size(), once.size()) << "the screen is as it was";
}

TEST_F(ImageViewTest, TheReadoutOfTheMouseIsNotInPictures) {
    showFrame();
    const QImage before = m_view->imageAt(1.0);
    const QSignalSpy moved(m_view.get(), &ImageView::cursorMoved);
    hover(pixelOf(3.0, 12.0));
    ASSERT_TRUE(comesTrue([&] { return moved.count() > 0; }));
    EXPECT_EQ(m_view->imageAt(1.0), before);
}

TEST_F(ImageViewTest, PicturesMayLeaveThePickedColumnOut) {
    showFrame();
    const QImage before = m_view->imageAt(1.0);
    ColumnOverlay column;
    m_view->add(column);
    column.show(3e-3);
    const QImage marked = m_view->imageAt(1.0);
    const auto hasLine = [&](const QImage& picture) {
        const QPoint on = pixelOf(3.0, 12.0);
        return std::ranges::any_of(std::array{-1, 0, 1}, [&](int beside) {
            return picture.pixelColor(on + QPoint(beside, 0)) == surroundTokens().accent;
        });
    };
    EXPECT_TRUE(hasLine(marked));
    column.setInPictures(false);
    EXPECT_EQ(m_view->imageAt(1.0), before);
    EXPECT_TRUE(hasLine(m_view->grabImage())) << "stays on screen";
}

TEST_F(ImageViewTest, TheScaleBarIsARoundLengthInTheImagesScale) {
    m_view->setColourMap("gray", false);
    showFrame(); // 30 mm wide: a quarter of it holds 5 mm
    const QImage without = m_view->imageAt(1.0);
    m_view->setScaleBar(true);
    const QImage with = m_view->imageAt(1.0);
    const Rect box = m_view->view().visibleInPixels();
    const int y = static_cast<int>(box.bottom) - 18;
    int first = -1;
    int last = -1;
    for (int x = static_cast<int>(box.left); x < static_cast<int>(box.right); ++x) {
        if (with.pixelColor(x, y) == without.pixelColor(x, y)) continue;
        if (first < 0) first = x;
        last = x;
    }
    ASSERT_GE(first, 0);
    const double edges = 2.0; // a dark pixel on either side
    EXPECT_NEAR(last - first + 1 - edges, 5.0 * m_view->view().pixelsPerUnit().x, 2.0);
}

TEST_F(ImageViewTest, StretchingFillsTheViewAndComesBack) {
    showFrame();
    const Rect before = m_view->view().imageInPixels();
    m_view->setStretched(true);
    const Rect stretched = m_view->view().imageInPixels();
    EXPECT_NEAR(stretched.width(), m_view->view().viewport().width(), 1e-6);
    EXPECT_NEAR(stretched.height(), m_view->view().viewport().height(), 1e-6);
    m_view->setStretched(false);
    EXPECT_EQ(m_view->view().imageInPixels(), before);
}

TEST_F(ImageViewTest, WhereItLooksIsBroughtBackAlsoBeforeTheFirstFrame) {
    showFrame();
    EXPECT_FALSE(m_view->shownLook());
    wheel(pixelOf(-5.0, 10.0), 6);
    const auto look = m_view->shownLook();
    ASSERT_TRUE(look);
    const Rect seen = *m_view->visiblePart();
    m_view->clear();
    m_view->resetView();
    m_view->restoreLook(*look);
    m_supplier.offerAgain();
    m_view->frameAvailable();
    waitShown(2);
    const Rect now = *m_view->visiblePart();
    EXPECT_NEAR(now.left, seen.left, 1e-9);
    EXPECT_NEAR(now.top, seen.top, 1e-9);
    EXPECT_NEAR(now.right, seen.right, 1e-9);
    EXPECT_NEAR(now.bottom, seen.bottom, 1e-9);
}

TEST_F(ImageViewTest, ARectangleIsDrawnMovedAndResized) {
    showFrame();
    DrawnRegion drawn(*m_view);
    QSignalSpy changed(&drawn, &DrawnRegion::changed);
    QAction& rectangle = *drawn.actions().front();
    rectangle.trigger();
    EXPECT_TRUE(rectangle.isChecked());
    drag(pixelOf(-10.0, 5.0), pixelOf(-2.0, 15.0));
    ASSERT_EQ(changed.count(), 1);
    EXPECT_FALSE(rectangle.isChecked()) << "one is drawn";
    ASSERT_TRUE(drawn.region());
    const double pixelMm = 1.0 / m_view->view().pixelsPerUnit().x;
    const auto expectBounds = [&](const Rect& wanted) {
        const Rect box = drawn.region()->bounds();
        EXPECT_NEAR(box.left, wanted.left, 2 * pixelMm);
        EXPECT_NEAR(box.top, wanted.top, 2 * pixelMm);
        EXPECT_NEAR(box.right, wanted.right, 2 * pixelMm);
        EXPECT_NEAR(box.bottom, wanted.bottom, 2 * pixelMm);
    };
    expectBounds({-10.0, 5.0, -2.0, 15.0});
    EXPECT_NEAR(drawn.bounds()->left, -10e-3, 2e-3 * pixelMm) << "in metres";
    drag(pixelOf(-2.0, 10.0), pixelOf(4.0, 10.0));
    expectBounds({-10.0, 5.0, 4.0, 15.0});
    drag(pixelOf(-10.0, 5.0), pixelOf(-12.0, 2.0));
    expectBounds({-12.0, 2.0, 4.0, 15.0});
    drawn.actions().back()->trigger();
    EXPECT_FALSE(drawn.region());
    EXPECT_FALSE(drawn.actions().back()->isEnabled());
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(0.0, 10.0));
    EXPECT_EQ(picked.count(), 1) << "without the tool a click is a click";
}

TEST_F(ImageViewTest, ABoxIsDraggedAnywhereInItAndResizedAtItsEdges) {
    showFrame();
    int dragged = 0;
    BoxOverlay overlay([&](const Rect&) { ++dragged; });
    m_view->add(overlay);
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    overlay.show(Rect{-10e-3, 5e-3, -2e-3, 15e-3});
    EXPECT_EQ(dragged, 0);
    const double pixelM = 1e-3 / m_view->view().pixelsPerUnit().x;
    const auto expectBox = [&](const Rect& wanted) {
        const Rect box = *overlay.box();
        EXPECT_NEAR(box.left, wanted.left, 2 * pixelM);
        EXPECT_NEAR(box.top, wanted.top, 2 * pixelM);
        EXPECT_NEAR(box.right, wanted.right, 2 * pixelM);
        EXPECT_NEAR(box.bottom, wanted.bottom, 2 * pixelM);
    };
    const Rect shown = *m_view->visiblePart();
    drag(pixelOf(-6.0, 10.0), pixelOf(-4.0, 13.0));
    EXPECT_GE(dragged, 1);
    expectBox({-8e-3, 8e-3, 0.0, 18e-3});
    EXPECT_EQ(*m_view->visiblePart(), shown) << "the image stays";
    drag(pixelOf(0.0, 12.0), pixelOf(4.0, 12.0));
    expectBox({-8e-3, 8e-3, 4e-3, 18e-3});
    drag(pixelOf(-2.0, 12.0), pixelOf(-2.0, -20.0));
    expectBox({-8e-3, shown.top, 4e-3, shown.top + 10e-3});
    const int before = dragged;
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(-2.0, 4.0));
    EXPECT_EQ(dragged, before);
    EXPECT_EQ(picked.count(), 1) << "a click in it is a click";
    overlay.show(std::nullopt);
    EXPECT_FALSE(overlay.box());
}

TEST_F(ImageViewTest, AFreeFormStaysWithinTheImageAndTheSlipOfAHandIsNone) {
    showFrame();
    DrawnRegion drawn(*m_view);
    drawn.actions()[1]->trigger();
    QTest::mousePress(m_view.get(), Qt::LeftButton, {}, pixelOf(0.0, 10.0));
    for (const auto& [x, z] : {std::pair(8.0, 12.0), {30.0, 20.0}, {2.0, 22.0}, {-3.0, 14.0}}) {
        const QPoint at = pixelOf(x, z);
        QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_view.get(), &move);
    }
    QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, pixelOf(-3.0, 14.0));
    ASSERT_TRUE(drawn.region());
    EXPECT_FALSE(drawn.region()->rectangle);
    EXPECT_TRUE(drawn.region()->contains({4.0, 15.0}));
    EXPECT_FALSE(drawn.region()->contains({-5.0, 30.0}));
    EXPECT_LE(drawn.region()->bounds().right, m_view->view().image().right);
    const Region before = *drawn.region();
    drawn.actions().front()->trigger();
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(-10.0, 30.0));
    EXPECT_EQ(drawn.region()->outline.size(), before.outline.size());
}

TEST_F(ImageViewTest, TheFocusIsShownWhereTheKeyboardBroughtIt) {
    showFrame();
    m_view->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_view.get()));
    const QColor accent = surroundTokens().accent;
    const Rect box = m_view->view().visibleInPixels();
    const QPoint edge(static_cast<int>(std::round(box.left)) - 1, static_cast<int>(box.centre().y));
    m_view->setFocus(Qt::MouseFocusReason);
    EXPECT_TRUE(m_view->hasFocus()) << "for the Menu key";
    EXPECT_NE(m_view->grabImage().pixelColor(edge), accent);
    m_view->clearFocus();
    m_view->setFocus(Qt::TabFocusReason);
    EXPECT_EQ(m_view->grabImage().pixelColor(edge), accent);
    EXPECT_NE(m_view->imageAt(1.0).pixelColor(edge), accent) << "not in pictures";
}

TEST_F(ImageViewTest, EscPutsTheRegionToolAway) {
    showFrame();
    DrawnRegion drawn(*m_view);
    drawn.actions().front()->trigger();
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    EXPECT_FALSE(drawn.actions().front()->isChecked());
    drag(pixelOf(-10.0, 5.0), pixelOf(-2.0, 15.0));
    EXPECT_FALSE(drawn.region());
}

TEST_F(ImageViewTest, TheMenuCopiesAndSavesAtTheChosenResolution) {
    showFrame();
    ImageActions actions(m_view.get());
    actions.serve(m_view.get(), "image");
    QSignalSpy saved(&actions, &ImageActions::saveRequested);
    QSignalSpy told(&actions, &ImageActions::informed);
    actions.copy()->trigger();
    const QSize size = QApplication::clipboard()->image().size();
    EXPECT_EQ(size, m_view->grabImage().size());
    ASSERT_EQ(told.count(), 1);
    EXPECT_EQ(told.front().front().toString(),
              QString("Image copied: %1 \u00d7 %2 pixels").arg(size.width()).arg(size.height()));
    actions.setTimes(2.0);
    actions.saving().front()->trigger();
    ASSERT_EQ(saved.count(), 1);
    EXPECT_EQ(saved.front().at(0).value<QImage>().size(), m_view->grabImage().size() * 2);
    EXPECT_EQ(saved.front().at(1).toString(), "image");
    EXPECT_EQ(actions.copy()->shortcut(), QKeySequence("Ctrl+C"));
    actions.setTimes(77.0);
    EXPECT_EQ(actions.times(), 1.0);

    bool opened = false;
    QTimer::singleShot(0, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        opened = menu != nullptr && menu->actions().contains(actions.copy());
        if (menu != nullptr) menu->close();
    });
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, {5, 5}, m_view->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(m_view.get(), &asked);
    EXPECT_TRUE(opened);
}

} // namespace
} // namespace echolux
