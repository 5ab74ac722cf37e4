// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of texts along the lower edge of an image.
#include "tests/ui/image_view_fixture.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/overlay/caption_overlay.hpp"

namespace echolux {
namespace {

class CaptionTest : public testing_support::ImageViewTest {
protected:
    void SetUp() override {
        ImageViewTest::SetUp();
        if (IsSkipped()) return;
        m_view->setColourMap("gray", false);
        showFrame();
        m_view->add(m_caption);
    }
    double taken() {
        return m_caption.takenBelow({m_view->view(), m_view->picture(), m_view->font()});
    }
    /// Of the picture's white left half, at its right end, where no text reaches.
    QColor shade(const QImage& picture, double aboveEdge) const {
        const Rect box = m_view->view().visibleInPixels();
        return picture.pixelColor(static_cast<int>(box.centre().x) - 4,
                                  static_cast<int>(box.bottom - aboveEdge));
    }

    CaptionOverlay m_caption;
};

TEST_F(CaptionTest, LiesOnTheLowerEdgeAndTheImageKeepsItsSize) {
    const Rect image = m_view->view().imageInPixels();
    EXPECT_EQ(taken(), 0.0);
    m_caption.show({"W1 0.45 mm"});
    const double height = taken();
    EXPECT_GT(height, 10.0);
    EXPECT_LT(height, 30.0);
    EXPECT_EQ(m_view->view().imageInPixels(), image);
    for (const QImage& picture : {m_view->grabImage(), m_view->imageAt(1.0)}) {
        EXPECT_LT(shade(picture, 3.0).lightness(), 90);
        EXPECT_EQ(shade(picture, height + 2.0), QColor(Qt::white));
    }
    m_caption.show({});
    EXPECT_EQ(shade(m_view->grabImage(), 3.0), QColor(Qt::white));
}

TEST_F(CaptionTest, HasThreeLinesAtMostAndNoneOnALowImage) {
    m_caption.show({"W1 0.45 mm"});
    const double one = taken();
    QStringList many;
    for (int n = 1; n < 5; ++n) many << QString("C%1 -62.3 dB, gCNR 0.98").arg(n);
    m_caption.show(many);
    EXPECT_GT(taken(), 1.5 * one);
    for (int n = 0; n < 3; ++n) many += many;
    m_caption.show(many);
    EXPECT_GT(taken(), 2.0 * one);
    EXPECT_LT(taken(), 3.0 * one);
    m_view->setMinimumSize(10, 10);
    m_view->resize(700, 130);
    ASSERT_TRUE(testing_support::comesTrue([&] { return m_view->height() == 130; }));
    EXPECT_EQ(taken(), 0.0);
}

TEST_F(CaptionTest, TheScaleBarStaysAbove) {
    m_view->setScaleBar(true);
    const auto barFromBelow = [&] {
        const QImage picture = m_view->grabImage();
        const Rect box = m_view->view().visibleInPixels();
        const int x = static_cast<int>(box.left) + 2 * kGrid + 4;
        for (int up = 1; up < 100; ++up) {
            const int y = static_cast<int>(box.bottom) - up;
            const bool bar = picture.pixelColor(x, y) == surroundTokens().text &&
                             picture.pixelColor(x + 20, y) == surroundTokens().text;
            if (bar) return up;
        }
        return -1;
    };
    const int before = barFromBelow();
    ASSERT_GT(before, 0);
    m_caption.show({"W1"});
    EXPECT_NEAR(barFromBelow(), before + taken(), 1.0);
    m_caption.show({});
    EXPECT_EQ(barFromBelow(), before);
}

} // namespace
} // namespace echolux
