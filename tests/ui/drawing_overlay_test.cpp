// SPDX-License-Identifier: GPL-3.0-or-later
// Forms that are drawn with the mouse over an image.
#include "tests/ui/image_view_fixture.hpp"
#include "ui/views/overlay/drawing_overlay.hpp"

#include <QSignalSpy>

#include <utility>
#include <vector>

namespace echolux {
namespace {

using Form = DrawingOverlay::Form;

class DrawingTest : public testing_support::ImageViewTest {
protected:
    void SetUp() override {
        ImageViewTest::SetUp();
        if (IsSkipped()) return;
        showFrame();
        m_view->add(m_drawing);
    }
    void click(double lateral, double depth) {
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(lateral, depth));
    }
    /// The places of the latest form, which are as exact as pixels.
    void expectDrawn(const std::vector<Vec2>& wanted) {
        ASSERT_EQ(m_drawn.size(), wanted.size());
        const double pixelMm = 1.0 / m_view->view().pixelsPerUnit().x;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            EXPECT_NEAR(m_drawn[i].x, wanted[i].x, 1.1 * pixelMm);
            EXPECT_NEAR(m_drawn[i].y, wanted[i].y, 1.1 * pixelMm);
        }
        m_drawn.clear();
    }

    std::vector<Vec2> m_drawn;
    int m_givenUp = 0;
    DrawingOverlay m_drawing{
        {[this](const std::vector<Vec2>& places) { m_drawn = places; }, [this] { ++m_givenUp; }}};
};

TEST_F(DrawingTest, ALineIsADragOrTwoClicks) {
    m_drawing.begin(Form::Line);
    drag(pixelOf(-8.0, 10.0), pixelOf(4.0, 14.0));
    expectDrawn({{-8.0, 10.0}, {4.0, 14.0}});
    EXPECT_FALSE(m_drawing.form()) << "it is drawn once";
    m_drawing.begin(Form::Line);
    click(-8.0, 10.0);
    hover(pixelOf(0.0, 20.0));
    EXPECT_TRUE(m_drawn.empty());
    click(4.0, 14.0);
    expectDrawn({{-8.0, 10.0}, {4.0, 14.0}});
}

TEST_F(DrawingTest, AnAngleHasThreePlacesAndAPointOne) {
    m_drawing.begin(Form::Angle);
    click(-8.0, 10.0);
    click(0.0, 10.0);
    click(0.0, 16.0);
    expectDrawn({{-8.0, 10.0}, {0.0, 10.0}, {0.0, 16.0}});
    m_drawing.begin(Form::Angle);
    drag(pixelOf(-8.0, 10.0), pixelOf(0.0, 10.0));
    click(0.0, 16.0);
    expectDrawn({{-8.0, 10.0}, {0.0, 10.0}, {0.0, 16.0}});
    m_drawing.begin(Form::Point);
    click(3.0, 12.0);
    expectDrawn({{3.0, 12.0}});
}

TEST_F(DrawingTest, ARectangleEndsInTheImageAndAFreeFormIsADrag) {
    m_drawing.begin(Form::Rectangle);
    drag(pixelOf(-8.0, 10.0), pixelOf(40.0, 20.0));
    const Rect& all = m_view->view().image();
    expectDrawn({{-8.0, 10.0}, {all.right, 20.0}});
    m_drawing.begin(Form::FreeForm);
    click(0.0, 10.0);
    EXPECT_TRUE(m_drawn.empty()) << "a click is no form";
    EXPECT_TRUE(m_drawing.form());
    drag(pixelOf(-8.0, 10.0), pixelOf(4.0, 14.0));
    EXPECT_GE(m_drawn.size(), 5U);
}

TEST_F(DrawingTest, TakesTheMouseOnlyWhileItHasAFormAndEscapeGivesUp) {
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    click(0.0, 10.0);
    EXPECT_EQ(picked.count(), 1);
    m_drawing.begin(Form::Line);
    const Rect shown = *m_view->visiblePart();
    click(-8.0, 10.0);
    EXPECT_EQ(picked.count(), 1) << "a click with a tool picks no column";
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    EXPECT_EQ(m_givenUp, 0) << "the first place is taken back";
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    EXPECT_EQ(m_givenUp, 1);
    EXPECT_EQ(*m_view->visiblePart(), shown);
    click(0.0, 10.0);
    EXPECT_EQ(picked.count(), 2);
}

/// Whichever goes first.
TEST_F(DrawingTest, AnOverlayLeavesAViewThatIsDestroyed) {
    {
        DrawingOverlay another({[](const std::vector<Vec2>&) {}, [] {}});
        m_view->add(another);
        m_view->add(another);
        EXPECT_EQ(m_view->overlays().size(), 2U) << "once each";
    }
    EXPECT_EQ(m_view->overlays().size(), 1U);
    m_view.reset();
    m_drawing.begin(Form::Line);
}

} // namespace
} // namespace echolux
