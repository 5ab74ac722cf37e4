// SPDX-License-Identifier: GPL-3.0-or-later
// The image view under a virtual display: what the mouse does, what is drawn, what is reported.
#include "gpu/core/sector.hpp"
#include "tests/support/oct_frames.hpp"
#include "tests/ui/image_view_fixture.hpp"

#include "ui/views/overlay/column_overlay.hpp"

#include <QFontMetrics>
#include <QSignalSpy>
#include <QVBoxLayout>

#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::imageSpec;
using testing_support::ImageViewTest;
using testing_support::settle;

TEST_F(ImageViewTest, DrawsTheFrameAtTrueAspectInItsColours) {
    showFrame();
    m_view->setColourMap("viridis", false);
    const QImage image = m_view->grabImage();
    EXPECT_EQ(image.pixelColor(pixelOf(-10.0, 20.0)), QColor(0xfde725));
    EXPECT_EQ(image.pixelColor(pixelOf(10.0, 20.0)), QColor(0x21918c));
    const Rect placed = m_view->view().imageInPixels();
    EXPECT_NEAR(placed.width() / placed.height(), 30.0 / 40.0, 1e-9);
    m_view->setColourMap("viridis", true);
    EXPECT_EQ(m_view->grabImage().pixelColor(pixelOf(-10.0, 20.0)), QColor(0x440154));
}

TEST_F(ImageViewTest, OctIsDrawnWithDepthDownAndPickedByItsLine) {
    testing_support::LayeredOct sample;
    sample.firstM = -80e-6; // ten bins before zero delay
    FrameSpec spec = sample.bscanSpec();
    m_supplier.offer(spec, sample.bscan(20));
    m_view->setFrameSupplier(&m_supplier);
    waitShown(1);
    const Rect placed = m_view->view().imageInPixels();
    const double lateralM = static_cast<double>(sample.lines) * sample.lineM;
    const double depthM = static_cast<double>(sample.bins) * sample.binM;
    EXPECT_NEAR(placed.width() / placed.height(), lateralM / depthM, 1e-9) << "true to scale";

    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(0.5, 0.4));
    ASSERT_EQ(picked.count(), 1);
    EXPECT_NEAR(picked.front().front().toDouble(), 0.5e-3, 1e-5);

    QSignalSpy moved(m_view.get(), &ImageView::cursorMoved);
    const QPoint over = pixelOf(-0.5, 0.4);
    hover(over);
    ASSERT_TRUE(comesTrue([&] { return moved.count() > 0; }));
    const Vec2 place = m_view->view().toPlace({double(over.x()), double(over.y())});
    const auto line =
        static_cast<std::size_t>((place.x * 1e-3 - spec.axes[0].origin) / sample.lineM + 0.5);
    const auto bin = static_cast<std::size_t>((place.y * 1e-3 - sample.firstM) / sample.binM + 0.5);
    const float value = sample.bscan(20)[line * static_cast<std::size_t>(sample.bins) + bin];
    const QString text = moved.back().front().toString();
    EXPECT_TRUE(text.endsWith(
        QStringLiteral("   %1 dB re one code of the converter").arg(double(value), 0, 'f', 1)))
        << text.toStdString();

    spec.axes[0] = {AxisName::Lateral, sample.lines, 1.0, 0.0, ""};
    m_supplier.offer(spec, sample.bscan(21));
    m_view->frameAvailable();
    waitShown(2);
    EXPECT_NEAR(m_view->view().imageInPixels().height(), m_view->view().viewport().height(), 1e-6)
        << "lines of unknown distance fill the view";
}

/// Apex at the origin, 10 to 40 mm, 20 degrees to each side.
TEST_F(ImageViewTest, BesideASectorThereIsNoValueToRead) {
    FrameSpec spec = imageSpec(kRows, kColumns, 1e-4);
    spec.within =
        std::make_shared<SectorBounds>(SectorBounds{0.0, 0.0, 10e-3, 40e-3, -0.349, 0.349});
    m_supplier.offer(spec, std::vector<float>(kRows * kColumns, -30.0F));
    m_view->setFrameSupplier(&m_supplier);
    waitShown(1);
    QSignalSpy moved(m_view.get(), &ImageView::cursorMoved);
    const auto readAt = [&](double lateralMm, double depthMm) {
        moved.clear();
        hover(pixelOf(lateralMm, depthMm));
        EXPECT_TRUE(comesTrue([&] { return moved.count() > 0; }));
        return moved.isEmpty() ? QString() : moved.back().front().toString();
    };
    EXPECT_TRUE(readAt(-13.0, 15.0).endsWith("outside the sector"));
    EXPECT_TRUE(readAt(0.0, 30.0).contains("30.0 dB"));
    EXPECT_TRUE(readAt(0.0, 5.0).endsWith("outside the sector")) << "above the first range";
}

TEST_F(ImageViewTest, BeamsFillTheViewAndAreReadInDegrees) {
    FrameSpec spec = imageSpec(kRows, kColumns, 1e-4);
    spec.axes[1] = {AxisName::Lateral, kColumns, 2e-3, -0.3, "rad"};
    m_supplier.offer(spec, std::vector<float>(kRows * kColumns, -30.0F));
    m_view->setFrameSupplier(&m_supplier);
    waitShown(1);
    const Rect placed = m_view->view().imageInPixels();
    EXPECT_NEAR(placed.width(), m_view->view().viewport().width(), 1e-6);
    EXPECT_NEAR(placed.height(), m_view->view().viewport().height(), 1e-6);
    EXPECT_FALSE(m_view->whyNoLengths().isEmpty());
    QSignalSpy moved(m_view.get(), &ImageView::cursorMoved);
    hover(pixelOf(10.0, 20.0));
    ASSERT_TRUE(comesTrue([&] { return moved.count() > 0; }));
    EXPECT_TRUE(moved.back().front().toString().contains(" deg, "));
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pixelOf(10.0, 20.0));
    ASSERT_EQ(picked.count(), 1);
    EXPECT_NEAR(picked.front().front().toDouble(), 10.0 * 0.0174533, 2e-3) << "radians";
}

TEST_F(ImageViewTest, ZeroDelayIsNamedBesideTheImageWhichItDoesNotCover) {
    // The ink is bluish, the image grey.
    const auto inkIn = [](const QImage& image, const QRect& part) {
        int count = 0;
        for (int y = std::max(0, part.top()); y <= part.bottom(); ++y) {
            for (int x = part.left(); x <= part.right(); ++x)
                count += image.pixelColor(x, y).blue() > image.pixelColor(x, y).red() + 3 ? 1 : 0;
        }
        return count;
    };
    m_view->setColourMap("gray", false);
    m_view->setFrameSupplier(&m_supplier);
    const int line = QFontMetrics(m_view->font()).height();
    std::size_t frames = 0;
    for (const bool narrow : {false, true}) {
        for (const std::int64_t binsBefore : {0, 40}) {
            testing_support::LayeredOct sample;
            sample.firstM = -static_cast<double>(binsBefore) * sample.binM;
            FrameSpec spec = sample.bscanSpec();
            if (narrow)
                spec.axes[0] = {AxisName::Lateral, sample.lines, 1.0, 0.0, ""}; // fills the view
            m_supplier.offer(spec, sample.bscan(20));
            m_view->frameAvailable();
            waitShown(++frames);
            const QImage image = m_view->grabImage();
            const Rect box = m_view->view().visibleInPixels();
            const int left = static_cast<int>(box.left) + 1;
            const int right = static_cast<int>(box.right);
            const int width = right - left - 1;
            const int y = static_cast<int>(std::round(m_view->view().toPixel({0.0, 0.0}).y));
            EXPECT_NEAR(inkIn(image, {left, y, width, 1}), width / 2, 8) << binsBefore;
            EXPECT_EQ(inkIn(image, {left, y + 1, width, line}), 0) << binsBefore;
            const int above = binsBefore > 0 ? line : 0;
            EXPECT_EQ(inkIn(image, {left, y - above, width, above}), 0) << binsBefore;
            const int reach = narrow ? 5 * line : line;
            EXPECT_GT(inkIn(image, {right + 2, y - reach, line - 2, 2 * reach}), 20) << binsBefore;
        }
    }
}

TEST_F(ImageViewTest, SerialsArePresentedInOrderOncePerFrame) {
    QSignalSpy presented(m_view.get(), &ImageView::framePresented);
    showFrame();
    for (std::size_t i = 2; i <= 10; ++i) {
        m_supplier.offerAgain();
        m_view->frameAvailable();
        waitShown(i);
    }
    for (std::size_t i = 0; i < m_supplier.shown.size(); ++i) {
        EXPECT_EQ(m_supplier.shown[i], i + 1);
    }
    const QSignalSpy drawn(m_view->findChild<QOpenGLWidget*>(), &QOpenGLWidget::frameSwapped);
    m_view->resetView(); // a repaint without a new frame presents nothing
    ASSERT_TRUE(comesTrue([&] { return drawn.count() > 0; }));
    EXPECT_EQ(m_supplier.shown.size(), 10U);
    EXPECT_EQ(presented.count(), 10);
    EXPECT_EQ(m_supplier.acquired, m_supplier.released);
}

TEST_F(ImageViewTest, ManyNoticesMakeOneRepaint) {
    showFrame();
    m_supplier.offerAgain();
    for (int i = 0; i < 50; ++i) m_view->frameAvailable();
    m_supplier.offerAgain();
    waitShown(2);
    EXPECT_EQ(m_supplier.acquired, 2);
    EXPECT_EQ(m_supplier.shown.back(), 3U) << "the newest is shown";
}

TEST_F(ImageViewTest, WheelZoomsAtTheCursor) {
    showFrame();
    const QPointF cursor = pixelOf(4.0, 12.0);
    const Vec2 before = m_view->view().toPlace({cursor.x(), cursor.y()});
    wheel(cursor, 5);
    const Vec2 after = m_view->view().toPlace({cursor.x(), cursor.y()});
    EXPECT_NEAR(after.x, before.x, 1e-9);
    EXPECT_NEAR(after.y, before.y, 1e-9);
    EXPECT_NEAR(m_view->view().zoom(), std::pow(1.25, 5), 1e-9);
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, cursor.toPoint());
    EXPECT_TRUE(m_view->view().fitted());
}

TEST_F(ImageViewTest, DragPansAndPicksNothing) {
    showFrame();
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    wheel(pixelOf(0.0, 20.0), 6);
    const QPoint start = pixelOf(0.0, 20.0);
    const Vec2 held = m_view->view().toPlace({double(start.x()), double(start.y())});
    const QPoint end = start + QPoint(40, -30);
    drag(start, end);
    const Vec2 there = m_view->view().toPlace({double(end.x()), double(end.y())});
    EXPECT_NEAR(there.x, held.x, 1e-9);
    EXPECT_NEAR(there.y, held.y, 1e-9);
    EXPECT_EQ(picked.count(), 0);
}

TEST_F(ImageViewTest, ClickPicksTheColumnUnderIt) {
    showFrame();
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    const QPoint at = pixelOf(-7.5, 30.0);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at);
    ASSERT_EQ(picked.count(), 1);
    const double pixelM = 1e-3 / m_view->view().pixelsPerUnit().y;
    EXPECT_NEAR(picked[0][0].toDouble(), -7.5e-3, pixelM);
    ColumnOverlay column;
    m_view->add(column);
    column.show(picked[0][0].toDouble());
    // The line stands where the click was, in the accent colour, over bright and dark alike.
    EXPECT_EQ(m_view->grabImage().pixelColor(at.x(), pixelOf(0.0, 10.0).y()), QColor(0x4aa3ff));

    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, QPoint(5, 300)); // beside the image
    EXPECT_EQ(picked.count(), 1);
}

TEST_F(ImageViewTest, GrabbedByTheWindowItHasItsOverlay) {
    showFrame();
    ColumnOverlay column;
    m_view->add(column);
    column.show(5e-3);
    const QPoint at = pixelOf(5.0, 10.0);
    const QImage whole = m_view->grab().toImage();
    bool found = false;
    for (int x = at.x() - 1; x <= at.x() + 1; ++x) {
        found = found || whole.pixelColor(x, at.y()) == QColor(0x4aa3ff);
    }
    EXPECT_TRUE(found);
}

TEST_F(ImageViewTest, AxesFollowTheImageWhenTheViewIsResized) {
    showFrame();
    for (const QSize size : {QSize(900, 500), QSize(901, 640), QSize(500, 640)}) {
        m_view->resize(size);
        settle();
        const QImage resized = m_view->grabImage();
        m_view->setScaleBar(true); // paints what lies over the image anew, twice
        m_view->setScaleBar(false);
        EXPECT_EQ(resized, m_view->grabImage()) << size.width() << " x " << size.height();
    }
}

TEST_F(ImageViewTest, CursorTellsPlaceAndValue) {
    showFrame();
    QSignalSpy moved(m_view.get(), &ImageView::cursorMoved);
    const QPoint at = pixelOf(8.0, 25.0);
    const Vec2 mm = m_view->view().toPlace({double(at.x()), double(at.y())});
    hover(at);
    ASSERT_TRUE(comesTrue([&] { return moved.count() > 0; }));
    const QString text = moved.last()[0].toString();
    EXPECT_EQ(text, QStringLiteral("%1, %2 mm   \u221230.0 dB re running maximum")
                        .arg(mm.x, 0, 'f', 2)
                        .arg(mm.y, 0, 'f', 2))
        << text.toStdString();
    hover({2, 2});
    ASSERT_TRUE(comesTrue([&] { return moved.last()[0].toString().isEmpty(); }));
}

TEST_F(ImageViewTest, ReparentingKeepsTheImageThoughTheContextGoes) {
    showFrame();
    const QPoint at = pixelOf(-10.0, 20.0);
    ASSERT_EQ(m_view->grabImage().pixelColor(at), QColor(Qt::white));
    QWidget other;
    other.resize(800, 700);
    auto* layout = new QVBoxLayout(&other);
    layout->addWidget(m_view.get());
    other.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&other));
    settle();
    EXPECT_EQ(m_view->grabImage().pixelColor(pixelOf(-10.0, 20.0)), QColor(Qt::white));
    EXPECT_EQ(m_view->grabImage().pixelColor(pixelOf(10.0, 20.0)), QColor(128, 128, 128));
    m_supplier.offerAgain();
    m_view->frameAvailable();
    waitShown(2);
    m_view->setParent(nullptr);
}

TEST_F(ImageViewTest, UndrawableFramesAreToldAndForgiven) {
    showFrame();
    QSignalSpy problem(m_view.get(), &ImageView::problemChanged);
    FrameSpec spec = imageSpec(4, 4, 1e-4);
    spec.dtype = DType::ComplexF32;
    m_supplier.offer(spec, std::vector<float>(32));
    m_view->frameAvailable();
    ASSERT_TRUE(comesTrue([&] { return problem.count() == 1; }));
    EXPECT_TRUE(problem[0][0].toString().contains("complex_f32"));
    m_supplier.offer(imageSpec(4, 4, 1e-4), std::vector<float>(16, 0.0F));
    m_view->frameAvailable();
    ASSERT_TRUE(comesTrue([&] { return problem.count() == 2; }));
    EXPECT_TRUE(m_view->problem().isEmpty());
    EXPECT_TRUE(m_view->hasImage());
}

TEST_F(ImageViewTest, PathIsToldOnce) {
    QSignalSpy changed(m_view.get(), &ImageView::displayPathChanged);
    EXPECT_TRUE(m_view->displayPath().badge.isEmpty());
    showFrame();
    m_supplier.offerAgain();
    m_view->frameAvailable();
    waitShown(2);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(m_view->displayPath().badge, "upload: CPU backend");
    EXPECT_FALSE(m_view->displayPath().reason.isEmpty());
}

TEST_F(ImageViewTest, EmptyStateIgnoresTheMouse) {
    QSignalSpy picked(m_view.get(), &ImageView::columnPicked);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {300, 300});
    wheel({300.0, 300.0}, 3);
    m_view->autoRange();
    m_view->resetDisplayRange();
    EXPECT_EQ(picked.count(), 0);
    EXPECT_FALSE(m_view->grabImage().isNull());
    showFrame();
    m_view->clear();
    EXPECT_FALSE(m_view->hasImage());
    EXPECT_TRUE(m_view->displayPath().badge.isEmpty());
}

TEST_F(ImageViewTest, KeysPassThrough) {
    class Parent : public QWidget {
    public:
        int keys = 0;

    protected:
        void keyPressEvent(QKeyEvent*) override { ++keys; }
    } parent;
    ImageView child(&parent);
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Space}) {
        QTest::keyClick(&child, key);
    }
    EXPECT_EQ(parent.keys, 4);
}

} // namespace
} // namespace echolux
