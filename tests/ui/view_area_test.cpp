// SPDX-License-Identifier: GPL-3.0-or-later
// B-scan, en face image and volume beside each other under a virtual display: what links them.
#include "tests/ui/view_area_fixture.hpp"

#include "gpu/memory/buffer.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/param_row_widget.hpp"
#include "ui/views/overlay/crosshair_overlay.hpp"
#include "ui/views/volume_tuning.hpp"

#include <QSignalSpy>

#include <stdexcept>

namespace echolux {
namespace {

/// The view's overlay of that type.
template <class Kind> Kind& overlayOn(const ImageView& view) {
    for (Overlay* each : view.overlays())
        if (auto* kind = dynamic_cast<Kind*>(each)) return *kind;
    throw std::logic_error("the view has none");
}

const std::optional<Crosshair>& crosshairOn(const ImageView& view) {
    return overlayOn<CrosshairOverlay>(view).crosshair();
}

using testing_support::comesTrue;

class ViewAreaTest : public testing_support::ViewAreaFixture {};

TEST_F(ViewAreaTest, AloneTheImageFillsTheCentreAndNothingIsOffered) {
    EXPECT_EQ(m_area->bscan().size(), m_area->size());
    EXPECT_FALSE(m_area->enFace().isVisible());
    EXPECT_FALSE(m_area->volume().isVisible());
    for (const QAction* each : m_area->viewActions()) EXPECT_FALSE(each->isVisible());
    EXPECT_FALSE(crosshairOn(m_area->bscan()));
}

TEST_F(ViewAreaTest, ABrightCornerIsInTheSameCornerEnFaceAndSeenFromAbove) {
    const auto size = m_sample.bufferSpec(m_sample.bscans);
    std::vector<float> voxels(static_cast<std::size_t>(size.count()), 0.0F);
    std::vector<float> enFace(static_cast<std::size_t>(m_sample.bscans * m_sample.lines), 0.0F);
    for (std::int64_t bscan = 0; bscan < m_sample.bscans / 4; ++bscan) {
        for (std::int64_t line = m_sample.lines * 3 / 4; line < m_sample.lines; ++line) {
            const auto at = static_cast<std::size_t>(bscan * m_sample.lines + line);
            enFace[at] = 90.0F;
            for (std::size_t bin = 0; bin < 5; ++bin)
                voxels[at * static_cast<std::size_t>(m_sample.bins) + bin] = 90.0F;
        }
    }
    m_volume.setBscans(0, voxels);
    showVolume();
    FrameSpec spec = size;
    spec.axes.pop_back();
    m_enFace.offer(spec, enFace);
    m_area->enFace().frameAvailable();
    action("P")->trigger();
    action("3")->trigger();
    for (QWidget* view : std::initializer_list<QWidget*>{&m_area->enFace(), &m_area->volume()}) {
        QPointF centre;
        ASSERT_TRUE(comesTrue([&] {
            const QImage image = view->grab().toImage();
            double sum = 0.0;
            centre = {};
            // The middle, without axes and colour bar.
            for (int y = image.height() / 4; y < image.height() * 3 / 4; ++y) {
                for (int x = image.width() / 4; x < image.width() * 3 / 4; ++x) {
                    const double brightness = qGray(image.pixel(x, y)) > 200 ? 1.0 : 0.0;
                    sum += brightness;
                    centre += brightness * QPointF(x - image.width() / 2, y - image.height() / 2);
                }
            }
            return sum > 50.0;
        }));
        EXPECT_GT(centre.x(), 0.0) << view->accessibleName().toStdString();
        EXPECT_LT(centre.y(), 0.0) << view->accessibleName().toStdString();
    }
}

TEST_F(ViewAreaTest, AVolumeBringsItsViewsAndTakesThemAway) {
    showVolume();
    const auto room = [](const QWidget& view) { return view.width() * view.height(); };
    EXPECT_GT(room(m_area->volume()), room(m_area->enFace()));
    EXPECT_GT(room(m_area->volume()), room(m_area->bscan()));
    const auto place = [&](const QWidget& view) { return view.mapTo(m_area.get(), QPoint()); };
    EXPECT_EQ(place(m_area->volume()).x(), 0);
    EXPECT_LT(place(m_area->volume()).y(), place(m_area->enFace()).y() + 1) << "it comes first";
    EXPECT_TRUE(crosshairOn(m_area->bscan()));
    EXPECT_TRUE(m_area->shownWindow());
    action("E")->trigger();
    EXPECT_FALSE(m_area->enFace().isVisible());
    EXPECT_FALSE(m_area->shownWindow()) << "a window of what is not shown";
    EXPECT_TRUE(m_area->volume().isVisible());
    const QVariantMap state = m_area->state();
    m_area->clear();
    EXPECT_FALSE(m_area->volume().isVisible());
    EXPECT_FALSE(action("E")->isVisible());
    ViewArea other;
    other.restore(state);
    other.setVolume(m_sample.bufferSpec(m_sample.bscans));
    EXPECT_TRUE(other.enFace().parentWidget()->isHidden());
    EXPECT_FALSE(other.volume().parentWidget()->isHidden());
}

TEST_F(ViewAreaTest, AClickEnFaceChoosesBscanAndLine) {
    showVolume();
    QSignalSpy bscans(m_area.get(), &ViewArea::bscanChosen);
    QSignalSpy lines(m_area.get(), &ViewArea::lineChosen);
    // 64 B-scans of 20 um from 0; 128 lines of 20 um around 0.
    QTest::mouseClick(&m_area->enFace(), Qt::LeftButton, {}, pixelOf(m_area->enFace(), -0.5, 0.8));
    ASSERT_EQ(bscans.count(), 1);
    const double perPixelMm = 1.0 / m_area->enFace().view().pixelsPerUnit().x;
    EXPECT_NEAR(bscans.front().front().toDouble(), 40.0, 1.0 + perPixelMm / 0.02);
    ASSERT_EQ(lines.count(), 1);
    EXPECT_NEAR(lines.front().front().toDouble(), -0.5e-3, 20e-6 + perPixelMm * 1e-3);
    EXPECT_EQ(crosshairOn(m_area->bscan()), crosshairOn(m_area->enFace()));
    EXPECT_EQ(crosshairOn(m_area->bscan())->lateral, lines.front().front().toDouble());
    const Vec3 at = m_area->volume().scene().slicesAt;
    EXPECT_NEAR(at.x, (-0.5 + 1.28) / 2.56, 0.02);
    EXPECT_NEAR(at.z, 0.8 / 1.28, 0.03);
}

TEST_F(ViewAreaTest, EchoesHaveACPlaneThatGoesWithTheCrosshair) {
    m_area->setVolume(m_sample.bufferSpec(m_sample.bscans), ViewArea::Kind::Echoes);
    m_bscans.offer(m_sample.bscanSpec(), m_sample.bscan(0));
    m_area->bscan().setFrameSupplier(&m_bscans);
    ASSERT_TRUE(comesTrue([&] { return m_area->bscan().hasImage(); }));
    EXPECT_EQ(m_area->enFace().accessibleName(), "C-plane");
    m_area->setShownBscan(17);
    EXPECT_EQ(header(m_area->bscan()), "18 of 64, elevation 0.34 mm");
    const DepthWindow before = m_area->depthWindow();
    const double depth = m_area->crosshair().depth;
    EXPECT_LT(before.nearest, depth);
    EXPECT_GT(before.deepest, depth);
    QTest::mouseClick(&m_area->bscan(), Qt::LeftButton, {}, pixelOf(m_area->bscan(), 0.2, 1.0));
    const double moved = m_area->crosshair().depth - depth;
    EXPECT_GT(moved, 0.2e-3);
    EXPECT_NEAR(m_area->depthWindow().nearest, before.nearest + moved, 1e-12);
    EXPECT_NEAR(m_area->depthWindow().deepest, before.deepest + moved, 1e-12);
    m_area->setVolume(m_sample.bufferSpec(m_sample.bscans + 1), ViewArea::Kind::Light);
    EXPECT_EQ(m_area->enFace().accessibleName(), "En face");
}

TEST_F(ViewAreaTest, DraggingEnFaceScrubsThroughTheBscans) {
    showVolume();
    QSignalSpy bscans(m_area.get(), &ViewArea::bscanChosen);
    const ImageView& view = m_area->enFace();
    drag(m_area->enFace(), pixelOf(view, 0.3, 0.2), pixelOf(view, 0.3, 1.0));
    ASSERT_GT(bscans.count(), 3);
    EXPECT_NEAR(bscans.back().front().toDouble(), 50.0, 2.0);
    EXPECT_TRUE(view.view().fitted());
}

TEST_F(ViewAreaTest, TheShownBscanMovesTheCrosshairWithoutAsking) {
    showVolume();
    QSignalSpy bscans(m_area.get(), &ViewArea::bscanChosen);
    m_area->setShownBscan(17);
    EXPECT_DOUBLE_EQ(crosshairOn(m_area->enFace())->elevation, 17 * 20e-6);
    EXPECT_EQ(bscans.count(), 0);
    EXPECT_EQ(header(m_area->bscan()), "18 of 64");
}

TEST_F(ViewAreaTest, ALineInTheHandStaysThereAndTheHeaderNamesWhatIsShown) {
    showVolume();
    ImageView& view = m_area->enFace();
    m_area->setShownBscan(17);
    const Crosshair at = *crosshairOn(view);
    const auto press = [&](double lateralMm, double elevationMm) {
        QTest::mousePress(&view, Qt::LeftButton, {}, pixelOf(view, lateralMm, elevationMm));
    };
    press(1e3 * at.lateral + 0.5, 1e3 * at.elevation);
    ASSERT_EQ(overlayOn<CrosshairOverlay>(view).held(), CrosshairPart::Level);
    m_area->setShownBscan(21);
    EXPECT_EQ(crosshairOn(view)->elevation, at.elevation);
    EXPECT_EQ(header(m_area->bscan()), "22 of 64");
    m_area->returnToShown();
    EXPECT_DOUBLE_EQ(crosshairOn(view)->elevation, 21 * 20e-6);
    QTest::mouseRelease(&view, Qt::LeftButton);
    press(1e3 * at.lateral, 1e3 * at.elevation + 0.5);
    ASSERT_EQ(overlayOn<CrosshairOverlay>(view).held(), CrosshairPart::Upright);
    m_area->setShownBscan(30);
    EXPECT_DOUBLE_EQ(crosshairOn(view)->elevation, 30 * 20e-6) << "held across the lines only";
    QTest::mouseRelease(&view, Qt::LeftButton);
}

TEST_F(ViewAreaTest, TheDepthWindowIsDraggedOnTheBscan) {
    showVolume();
    QSignalSpy changes(m_area.get(), &ViewArea::enFaceChanged);
    ImageView& view = m_area->bscan();
    const DepthWindow before = m_area->depthWindow();
    const QPoint from = pixelOf(view, -1.0, before.nearest * 1e3);
    drag(view, from, pixelOf(view, -1.0, 0.5));
    ASSERT_GT(changes.count(), 0);
    const auto after = changes.back().at(1).value<DepthWindow>();
    EXPECT_NEAR(after.nearest, 0.5e-3, 1.5e-3 / view.view().pixelsPerUnit().y);
    EXPECT_EQ(after.deepest, before.deepest);
    action("N")->trigger();
    EXPECT_EQ(changes.back().at(0).value<Projection>(), Projection::Mean);
    EXPECT_EQ(changes.back().at(1).value<DepthWindow>(), after);
}

TEST_F(ViewAreaTest, SlicesHaveTheLimitsOfTheBscanAndProjectionsTheirOwn) {
    showVolume();
    const ImageView& enFace = m_area->enFace();
    const DisplaySettings& volume = m_area->volume().scene().display;
    EXPECT_LT(enFace.displayMin(), 60.0);
    EXPECT_GT(enFace.displayMax(), 60.0);
    EXPECT_LT(enFace.displayMax() - enFace.displayMin(), 5.0) << "60 dB all over";
    EXPECT_GT(volume.min, m_area->bscan().displayMin() + 10.0);
    const double projectedMin = volume.min;
    m_area->bscan().setDisplayRange(42.0, 77.0);
    EXPECT_LT(enFace.displayMax(), 65.0);
    EXPECT_EQ(volume.min, projectedMin);
    action("S")->trigger();
    EXPECT_EQ(volume.min, 42.0);
    EXPECT_EQ(volume.max, 77.0);
    action("P")->trigger();
    EXPECT_EQ(volume.min, projectedMin);
}

TEST_F(ViewAreaTest, DepthCueAndOpacityAreSetInASmallWindow) {
    showVolume();
    const VolumeScene& volume = m_area->volume().scene();
    auto* tuning = m_area->findChild<VolumeTuning*>();
    ASSERT_NE(tuning, nullptr);
    const auto row = [&](const char* name) { return tuning->findChild<ParamRowWidget*>(name); };
    action("T")->trigger();
    EXPECT_TRUE(tuning->isVisible());
    EXPECT_TRUE(row("volume.depth_cue")->isEnabled());
    EXPECT_FALSE(row("volume.opacity")->isEnabled()) << "a maximum has none";
    emit row("volume.depth_cue")->editor()->edited(0.125);
    EXPECT_EQ(volume.depthCue, 0.125);
    QTest::keyClick(tuning, Qt::Key_Escape);
    EXPECT_FALSE(tuning->isVisible());
    action("C")->trigger();
    EXPECT_EQ(volume.mode, VolumeScene::Mode::Composite);
    EXPECT_TRUE(row("volume.opacity")->isEnabled());
    emit row("volume.opacity")->editor()->edited(0.875);
    EXPECT_EQ(volume.opacity, 0.875);
    action("S")->trigger();
    EXPECT_FALSE(action("T")->isEnabled()) << "slices have neither";
}

TEST_F(ViewAreaTest, PlanesOfEchoesShareTheirLimits) {
    showVolume();
    m_area->setVolume(m_sample.bufferSpec(m_sample.bscans), ViewArea::Kind::Echoes);
    const auto limits = [](const ImageView& view) {
        return std::pair(view.displayMin(), view.displayMax());
    };
    EXPECT_EQ(limits(m_area->enFace()), limits(m_area->bscan()));
    m_area->bscan().setDisplayRange(42.0, 77.0);
    EXPECT_EQ(limits(m_area->enFace()), std::pair(42.0, 77.0));
    EXPECT_EQ(limits(m_area->side()), std::pair(42.0, 77.0));
    m_area->enFace().setDisplayRange(30.0, 60.0);
    EXPECT_EQ(limits(m_area->bscan()), std::pair(30.0, 60.0));
    EXPECT_EQ(limits(m_area->side()), std::pair(30.0, 60.0));
    m_area->restoreScene({{"en_face_limits", QVariantMap{{"0", QVariantList{12.0, 34.0}}}}});
    EXPECT_EQ(limits(m_area->enFace()), std::pair(30.0, 60.0)) << "of when they were its own";
    m_area->setVolume(m_sample.bufferSpec(m_sample.bscans - 1), ViewArea::Kind::Light);
    m_area->bscan().setDisplayRange(1.0, 2.0);
    EXPECT_EQ(limits(m_area->enFace()), std::pair(30.0, 60.0)) << "light: another quantity";
}

TEST_F(ViewAreaTest, LimitsAndReadoutsCopyNoImageToTheHost) {
    const MemoryCounters before = memoryCounters();
    showVolume();
    FrameSpec spec = m_sample.bufferSpec(m_sample.bscans);
    spec.axes.pop_back();
    const auto bright = [&](float level) {
        return std::vector<float>(static_cast<std::size_t>(spec.count()), level);
    };
    QSignalSpy told(&m_area->enFace(), &ImageView::cursorMoved);
    for (std::uint64_t version = 1; version <= 4; ++version) {
        m_enFace.offer(spec, bright(10.0F * static_cast<float>(version)), {0, version});
        m_area->enFace().frameAvailable();
        m_volume.exposure = {0, version};
        m_volume.setBscans(0, m_sample.bscan(0));
        m_area->volume().volumeAvailable();
        ASSERT_TRUE(comesTrue([&] {
            return std::abs(m_area->enFace().displayMax() - 10.0 * double(version)) < 1.0;
        }));
        const QPoint at = pixelOf(m_area->enFace(), 0.0, 0.5);
        QMouseEvent move(QEvent::MouseMove, at, m_area->enFace().mapToGlobal(at), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&m_area->enFace(), &move);
        const QString value = QStringLiteral("%1.0 dB").arg(10 * version);
        ASSERT_TRUE(comesTrue(
            [&] { return !told.isEmpty() && told.last()[0].toString().contains(value); }));
        m_area->bscan().autoRange();
        m_area->volume().autoRange();
        waitExposed();
    }
    EXPECT_EQ(memoryCounters().deviceToHost, before.deviceToHost);
}

TEST_F(ViewAreaTest, AutoRangeIsOfTheViewUnderThePointer) {
    showVolume();
    const auto pointAt = [](QWidget& view) {
        return comesTrue([&] {
            QTest::mouseMove(&view, {view.width() / 2, view.height() / 2});
            return view.underMouse();
        });
    };
    m_area->bscan().setDisplayRange(-10.0, 200.0);
    m_area->enFace().setDisplayRange(-10.0, 200.0);
    if (!pointAt(m_area->enFace())) GTEST_SKIP() << "no pointer on this platform";
    m_area->autoRange();
    waitExposed();
    EXPECT_GT(m_area->enFace().displayMin(), 50.0);
    EXPECT_EQ(m_area->bscan().displayMax(), 200.0);
    ASSERT_TRUE(pointAt(m_area->bscan()));
    m_area->enFace().setDisplayRange(-10.0, 200.0);
    m_area->autoRange();
    waitExposed();
    EXPECT_LT(m_area->bscan().displayMax(), 199.0);
    EXPECT_EQ(m_area->enFace().displayMax(), 200.0);

    const DisplaySettings& volume = m_area->volume().scene().display;
    const double before = volume.max;
    std::vector<float> brighter = m_sample.bscan(0);
    for (float& value : brighter) value += 30.0F;
    m_volume.setBscans(0, brighter);
    m_area->volume().volumeAvailable();
    ASSERT_TRUE(comesTrue([&] { return m_volume.released >= 2; }));
    EXPECT_EQ(volume.max, before) << "as its voxels change";
    ASSERT_TRUE(pointAt(m_area->volume()));
    m_area->autoRange();
    EXPECT_TRUE(comesTrue([&] { return volume.max > before + 5.0; }));
}

TEST_F(ViewAreaTest, ColoursAreThoseOfAllViews) {
    showVolume();
    DisplayChoice choice;
    choice.colourMap = "viridis";
    choice.gamma = 2.0;
    m_area->setColours(choice);
    EXPECT_EQ(m_area->enFace().colourMapName(), "viridis");
    EXPECT_EQ(m_area->volume().scene().display.gamma, 2.0);
}

TEST_F(ViewAreaTest, OtherAxesKeepCrosshairAndWindowInProportion) {
    showVolume();
    const DepthWindow before = m_area->depthWindow();
    m_sample.binM *= 0.5;
    m_area->setVolume(m_sample.bufferSpec(m_sample.bscans));
    EXPECT_NEAR(m_area->depthWindow().nearest, 0.5 * before.nearest, 1e-6);
    EXPECT_NEAR(m_area->depthWindow().deepest, 0.5 * before.deepest, 1e-6);
}

TEST_F(ViewAreaTest, BscansThatCouldNotBeTakenAreOfferedAgain) {
    showVolume();
    VolumeView& view = m_area->volume();
    m_volume.backend = Backend::Cuda; // host memory, which the device cannot read
    m_volume.setBscans(3, m_sample.bscan(3));
    view.volumeAvailable();
    ASSERT_TRUE(comesTrue([&] { return !view.problem().isEmpty(); }));
    m_volume.backend = Backend::Cpu;
    m_volume.setBscans(7, m_sample.bscan(7));
    view.volumeAvailable();
    ASSERT_TRUE(comesTrue([&] { return view.hasVolume(); }));
    EXPECT_EQ(view.problem(), "");
    ASSERT_FALSE(m_volume.offered().empty());
    EXPECT_EQ(m_volume.offered().front(), (BscanRange{0, m_sample.bscans}));
}

TEST_F(ViewAreaTest, TheVolumeIsTurnedAndLookedAtFromItsSides) {
    showVolume();
    VolumeView& view = m_area->volume();
    const Vec3 before = view.scene().orbit.turned({1.0, 0.0, 0.0});
    QTest::mousePress(&view, Qt::LeftButton, {}, {60, 60});
    QMouseEvent move(QEvent::MouseMove, QPoint(110, 60), view.mapToGlobal(QPoint(110, 60)),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {110, 60});
    EXPECT_GT(std::abs(view.scene().orbit.turned({1.0, 0.0, 0.0}).x - before.x), 0.01);
    const auto named = [&](const char* key) { return action(key)->text().remove('&'); };
    EXPECT_EQ(named("1"), "Volume at an angle") << "from the top is another one";
    EXPECT_EQ(named("3"), "Volume from the top");
    action("2")->trigger();
    EXPECT_NEAR(view.scene().orbit.turned({1.0, 0.0, 0.0}).x, 1.0, 1e-9);
    EXPECT_LT(view.scene().orbit.zoom(), 1.0) << "there is room for words";
    action("S")->trigger();
    EXPECT_EQ(view.scene().mode, VolumeScene::Mode::Slices);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {60, 60});
    EXPECT_NEAR(view.scene().orbit.turned({1.0, 0.0, 0.0}).x, before.x, 1e-9);
}

} // namespace
} // namespace echolux
