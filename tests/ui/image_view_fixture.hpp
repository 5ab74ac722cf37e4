// SPDX-License-Identifier: GPL-3.0-or-later
// An image view with a frame of known values, and a mouse.
#pragma once

#include "tests/support/qt_application.hpp"
#include "tests/support/synthetic_frames.hpp"
#include "tests/support/waiting.hpp"

#include "ui/views/image_view.hpp"

#include <gtest/gtest.h>

#include <QTest>
#include <QWheelEvent>

namespace echolux::testing_support {

/// 400 x 300 samples of 0.1 mm: 30 mm wide, 40 mm deep; -30 dB with 0 dB in the left half.
class ImageViewTest : public testing::Test {
protected:
    static constexpr std::int64_t kRows = 400;
    static constexpr std::int64_t kColumns = 300;

    void SetUp() override {
        testing_support::application();
        m_view = std::make_unique<ImageView>();
        if (!m_view->problem().isEmpty()) {
            GTEST_SKIP() << m_view->problem().toStdString();
        }
        m_view->resize(700, 600);
        m_view->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void TearDown() override { m_view.reset(); }

    void showFrame() {
        std::vector<float> pixels(kRows * kColumns, -30.0F);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            if (i % kColumns < kColumns / 2) pixels[i] = 0.0F;
        }
        m_supplier.offer(imageSpec(kRows, kColumns, 1e-4), std::move(pixels));
        m_view->setFrameSupplier(&m_supplier);
        waitShown(1);
    }
    void waitShown(std::size_t count) {
        ASSERT_TRUE(comesTrue([&] { return m_supplier.shown.size() >= count; }));
    }
    void waitExposed() {
        ASSERT_TRUE(comesTrue([&] { return !m_view->findsLimits(); }));
    }
    QPoint pixelOf(double lateralMm, double depthMm) const {
        const Vec2 pixel = m_view->view().toPixel({lateralMm, depthMm});
        return {static_cast<int>(pixel.x), static_cast<int>(pixel.y)};
    }
    void wheel(QPointF position, int notches) {
        QWheelEvent event(position, m_view->mapToGlobal(position), {}, {0, 120 * notches},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.get(), &event);
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 8; ++step) {
            const QPoint at = from + (to - from) * step / 8;
            QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(m_view.get(), &move);
        }
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, to);
    }
    void hover(QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(m_view.get(), &move);
    }

    HostSupplier m_supplier;
    std::unique_ptr<ImageView> m_view;
};

} // namespace echolux::testing_support
