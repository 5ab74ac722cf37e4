// SPDX-License-Identifier: GPL-3.0-or-later
// B-scan, en face image and volume of a layered sample, shown under a virtual display.
#pragma once

#include "tests/support/host_volume.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/synthetic_frames.hpp"
#include "tests/support/waiting.hpp"

#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_view.hpp"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QMouseEvent>
#include <QTest>

#include <memory>
#include <vector>

namespace echolux::testing_support {

class ViewAreaFixture : public testing::Test {
protected:
    void SetUp() override {
        testing_support::application();
        m_area = std::make_unique<ViewArea>();
        if (!m_area->bscan().problem().isEmpty())
            GTEST_SKIP() << m_area->bscan().problem().toStdString();
        m_area->resize(900, 900);
        m_area->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_area.get()));
    }
    void TearDown() override { m_area.reset(); }

    void showVolume() {
        m_area->setVolume(m_sample.bufferSpec(m_sample.bscans));
        m_bscans.offer(m_sample.bscanSpec(), m_sample.bscan(0));
        FrameSpec enFace = m_sample.bufferSpec(m_sample.bscans);
        enFace.axes.pop_back();
        m_enFace.offer(enFace, std::vector<float>(static_cast<std::size_t>(enFace.count()), 60.0F));
        m_area->bscan().setFrameSupplier(&m_bscans);
        m_area->enFace().setFrameSupplier(&m_enFace);
        m_area->volume().setVolumeSupplier(&m_volume);
        ASSERT_TRUE(comesTrue([&] {
            return m_area->bscan().hasImage() && m_area->enFace().hasImage() &&
                   m_area->volume().hasVolume();
        }));
        waitExposed();
    }
    void waitExposed() {
        ASSERT_TRUE(comesTrue([&] {
            return !m_area->bscan().findsLimits() && !m_area->enFace().findsLimits() &&
                   !m_area->volume().findsLimits();
        }));
    }
    static QPoint pixelOf(const ImageView& view, double x, double y) {
        const Vec2 pixel = view.view().toPixel({x, y});
        return {static_cast<int>(pixel.x), static_cast<int>(pixel.y)};
    }
    static void drag(ImageView& view, QPoint from, QPoint to) {
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 6; ++step) {
            const QPoint at = from + (to - from) * step / 6;
            QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
    }
    static QString header(const ImageView& view) {
        return qobject_cast<ViewPane*>(view.parentWidget())->subtitle();
    }
    QAction* action(const char* key) {
        for (QAction* each : m_area->viewActions()) {
            if (each->shortcut() == QKeySequence(key)) return each;
        }
        return nullptr;
    }

    LayeredOct m_sample;
    HostSupplier m_bscans, m_enFace;
    HostVolume m_volume = HostVolume::of(m_sample);
    std::unique_ptr<ViewArea> m_area;
};

} // namespace echolux::testing_support
