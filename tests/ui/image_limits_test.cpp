// SPDX-License-Identifier: GPL-3.0-or-later
// Display limits of the image view: which are shown, who chooses them, the colour bar.
#include "tests/ui/image_view_fixture.hpp"

#include <QSignalSpy>

#include <cmath>
#include <limits>

namespace echolux {
namespace {

using testing_support::imageSpec;
using testing_support::ImageViewTest;

TEST_F(ImageViewTest, BarEndsAreDragged) {
    showFrame();
    EXPECT_EQ(m_view->displayMin(), -60.0);
    EXPECT_EQ(m_view->displayMax(), 0.0);
    QSignalSpy changed(m_view.get(), &ImageView::displayRangeChanged);
    const QRectF bar = m_view->colourBarRect();
    const int x = static_cast<int>(bar.center().x());
    drag({x, int(bar.bottom()) - 1}, {x, int(bar.top() + bar.height() * 2 / 3)});
    EXPECT_NEAR(m_view->displayMin(), -40.0, 0.5);
    EXPECT_EQ(m_view->displayMax(), 0.0);
    drag({x, int(bar.top()) + 1}, {x, int(bar.top() + bar.height() / 6)});
    EXPECT_NEAR(m_view->displayMax(), -10.0, 0.5);
    ASSERT_GE(changed.count(), 2);
    EXPECT_EQ(changed.last()[0].toDouble(), m_view->displayMin());
    EXPECT_EQ(changed.last()[1].toDouble(), m_view->displayMax());

    // One end cannot pass the other.
    drag({x, int(bar.top() + bar.height() / 6)}, {x, int(bar.bottom()) + 200});
    EXPECT_GT(m_view->displayMax(), m_view->displayMin());
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, {x, int(bar.center().y())});
    EXPECT_EQ(m_view->displayMin(), -60.0);
    EXPECT_EQ(m_view->displayMax(), 0.0);
}

TEST_F(ImageViewTest, TheRangeChosenLastIsShown) {
    showFrame();
    const auto offer = [this](double min) {
        FrameSpec spec = imageSpec(kRows, kColumns, 1e-4);
        spec.valueRange->min = min;
        m_supplier.offer(spec, std::vector<float>(kRows * kColumns, -30.0F));
        m_view->frameAvailable();
        waitShown(m_supplier.shown.size() + 1);
    };
    offer(-80.0);
    EXPECT_EQ(m_view->displayMin(), -80.0);
    m_view->setDisplayRange(-50.0, -5.0);
    offer(-80.0);
    EXPECT_EQ(m_view->displayMin(), -50.0) << "chosen in the view";
    EXPECT_EQ(m_view->displayMax(), -5.0);
    m_view->setDisplayRange(3.0, 3.0);
    m_view->setDisplayRange(std::nan(""), 3.0);
    EXPECT_EQ(m_view->displayMax(), -5.0);
    offer(-70.0);
    EXPECT_EQ(m_view->displayMin(), -70.0) << "chosen in the pipeline";
    EXPECT_EQ(m_view->displayMax(), 0.0);
}

TEST_F(ImageViewTest, ARangeForFramesToComeWaitsForThem) {
    showFrame();
    FrameSpec spec = imageSpec(kRows, kColumns, 1e-4);
    const auto offer = [&] {
        m_supplier.offer(spec, std::vector<float>(kRows * kColumns, -30.0F));
        m_view->frameAvailable();
        waitShown(m_supplier.shown.size() + 1);
    };
    ValueRange meant = *spec.valueRange;
    meant.min = -90.0;
    m_view->setDisplayRangeFor(meant, -44.0, -4.0);
    spec.valueRange->max = 3.0; // one that was in flight
    offer();
    EXPECT_EQ(m_view->displayMin(), -44.0);
    spec.valueRange = meant;
    offer();
    EXPECT_EQ(m_view->displayMin(), -44.0);
    m_view->setDisplayRangeFor(meant, -33.0, -3.0);
    spec.valueRange->min = -80.0; // between two that are meant for the same
    offer();
    EXPECT_EQ(m_view->displayMin(), -33.0);
    spec.valueRange = meant;
    offer();
    EXPECT_EQ(m_view->displayMin(), -33.0);
    spec.valueRange->min = -70.0;
    offer();
    EXPECT_EQ(m_view->displayMin(), -70.0);
}

TEST_F(ImageViewTest, AutoRangeSpansTheContent) {
    showFrame();
    m_view->autoRange();
    waitExposed();
    EXPECT_NEAR(m_view->displayMin(), -30.0, 0.5);
    EXPECT_NEAR(m_view->displayMax(), 0.0, 0.5);
}

TEST_F(ImageViewTest, AnExposingViewFindsItsLimitsWhereFramesSaySo) {
    m_view->setExposing(true);
    m_view->setFrameSupplier(&m_supplier);
    FrameSpec spec = imageSpec(10, 10, 1e-3);
    const auto limitsOf = [&](float lowest, const Exposure& exposure) {
        std::vector<float> pixels(100);
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = lowest + 0.1F * float(i);
        m_supplier.offer(spec, pixels, exposure);
        m_view->frameAvailable();
        waitShown(m_supplier.shown.size() + 1);
        waitExposed();
        return std::pair{std::round(m_view->displayMin()), std::round(m_view->displayMax())};
    };
    using Limits = std::pair<double, double>;
    EXPECT_EQ(limitsOf(-30.0F, {0, 1}), Limits(-30.0, -20.0)) << "not -60 to 0";
    EXPECT_EQ(limitsOf(0.0F, {0, 1}), Limits(-30.0, -20.0)) << "they do not follow the frames";
    EXPECT_EQ(limitsOf(5.0F, {0, 2}), Limits(5.0, 15.0));
    spec.valueRange->max = 3.0; // what the frame is meant for says nothing about a projection
    EXPECT_EQ(limitsOf(5.0F, {0, 2}), Limits(5.0, 15.0));

    m_view->setDisplayRange(-4.0, 40.0);
    EXPECT_EQ(limitsOf(5.0F, {0, 3}), Limits(-4.0, 40.0)) << "chosen";
    EXPECT_EQ(limitsOf(-50.0F, {1, 4}), Limits(-50.0, -40.0)) << "another kind of picture";
    EXPECT_EQ(limitsOf(5.0F, {0, 5}), Limits(-4.0, 40.0));
    m_view->resetDisplayRange();
    waitExposed();
    EXPECT_EQ(limitsOf(5.0F, {0, 5}), Limits(5.0, 15.0));
    EXPECT_EQ(limitsOf(7.0F, {0, 6}), Limits(7.0, 17.0)) << "by itself again";
    m_view->setDisplayRange(-4.0, 40.0);
    m_view->clear();
    EXPECT_EQ(limitsOf(-30.0F, {0, 6}), Limits(-30.0, -20.0)) << "another recording";
}

TEST_F(ImageViewTest, TheBarOfAnExposingViewLeavesRoomOutwards) {
    m_view->setExposing(true);
    showFrame(); // -30 and 0 dB
    waitExposed();
    const double max = m_view->displayMax();
    const double room = (max - m_view->displayMin()) / 4.0; // on either side
    const QRectF bar = m_view->colourBarRect();
    const int x = static_cast<int>(bar.center().x());
    const auto yOf = [&](double part) { return int(bar.bottom() - part * bar.height()); };
    drag({x, yOf(5.0 / 6.0)}, {x, int(bar.top()) + 1});
    EXPECT_NEAR(m_view->displayMax(), max + room, 0.5);
    drag({x, yOf(6.0 / 7.0)}, {x, int(bar.top()) - 60}); // there is room again
    EXPECT_GT(m_view->displayMax(), max + 1.5 * room);
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, {x, int(bar.center().y())});
    waitExposed();
    EXPECT_EQ(m_view->displayMax(), max);
}

TEST_F(ImageViewTest, FramesWithoutARangeGetTheirContents) {
    FrameSpec spec = imageSpec(10, 10, 1e-3);
    spec.valueRange.reset();
    std::vector<float> pixels(100);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i);
    pixels[50] = std::numeric_limits<float>::quiet_NaN();
    m_supplier.offer(spec, pixels);
    m_view->setFrameSupplier(&m_supplier);
    waitShown(1);
    waitExposed();
    EXPECT_NEAR(m_view->displayMin(), 0.0, 1.5);
    EXPECT_NEAR(m_view->displayMax(), 99.0, 1.5);
}

} // namespace
} // namespace echolux
