// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of beams: the sketch over the image, the delay curve over the channels, the
// beam's shape; each follows pixel and parameters, and costs nothing while it is closed.
#include "app/desktop/statistics_desk.hpp"
#include "app/tools/delay_curve/look.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/desktop/overlays_on.hpp"
#include "ui/controls/slider.hpp"
#include "ui/lab/beam_shape_panel.hpp"
#include "ui/lab/channel_plot.hpp"
#include "ui/lab/contribution_plot.hpp"
#include "ui/lab/lab_picture_plot.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/view_area.hpp"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QToolButton>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::sketchOn;

struct Beams : OpenWindow {
    using OpenWindow::OpenWindow;
    QAction& action() { return *desktop.views().imageActions().beams(); }
    ChannelPlot& delays() { return desktop.panel<ChannelPlot>(); }
    BeamShapePanel& shape() { return desktop.panel<BeamShapePanel>(); }
    Engine& engine() { return desktop.session().engine(); }
    void toggle(const char* dock) {
        desktop.window().findChild<QDockWidget*>(dock)->toggleViewAction()->trigger();
    }
    void pick(double acrossM, double downM) { emit desktop.view().pixelPicked(acrossM, downM); }
    void choose(const char* key, const ParamValue& value) {
        emit desktop.window().parameters().parameterEdited("beamform", key, value);
    }
    std::int64_t counted() {
        return std::ranges::count_if(sketchOn(desktop.view())->faces,
                                     [](const auto& face) { return face.weight > 0.0; });
    }
    double latest() {
        double latest = 0.0;
        for (const auto& mark : delays().marks().marks) latest = std::max(latest, mark.timeUs);
        return latest;
    }
};

TEST(BeamViews, TheSketchIsOffAtFirstAndFollowsPixelAndParameters) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_TRUE(window.action().isEnabled());
    EXPECT_FALSE(sketchOn(window.desktop.view()));
    window.action().trigger();
    ASSERT_TRUE(sketchOn(window.desktop.view()));
    EXPECT_EQ(sketchOn(window.desktop.view())->faces.size(), 64U);
    EXPECT_TRUE(sketchOn(window.desktop.view())->areas.empty()) << "no pixel is meant yet";
    window.pick(0.0, 15e-3);
    EXPECT_EQ(sketchOn(window.desktop.view())->areas.size(), 1U);
    const std::int64_t before = window.counted();
    EXPECT_GT(before, 0);
    window.choose("f_number", 4.0);
    EXPECT_LT(window.counted(), before);
    window.action().trigger();
    EXPECT_FALSE(sketchOn(window.desktop.view()));
}

TEST(BeamViews, SpectraHaveNoBeams) {
    Beams window{OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5"}};
    ASSERT_TRUE(window.showsFrames(1));
    EXPECT_FALSE(window.action().isEnabled());
    window.toggle("delay_curve");
    window.toggle("beam_shape");
    EXPECT_FALSE(window.delays().hasData());
    EXPECT_EQ(window.shape().widthText(2), QString(QChar(0x2013)));
    EXPECT_EQ(window.desktop.panel<PerformancePanel>().text("real_time"), QString(QChar(0x2013)));
}

TEST(BeamViews, ChannelsAreReadOnlyWhileTheirDockIsInSight) {
    Beams window;
    ASSERT_TRUE(window.showsMoreFrames(3));
    EXPECT_EQ(window.engine().look<ChannelsLook>().latest(), nullptr);
    window.toggle("delay_curve");
    ASSERT_TRUE(comesTrue([&] { return window.delays().hasData(); }));
    EXPECT_EQ(window.delays().image().width(), 64);
    EXPECT_GT(window.delays().image().height(), 500);
    window.toggle("delay_curve");
    EXPECT_EQ(window.engine().look<ChannelsLook>().latest(), nullptr);
    ASSERT_TRUE(window.showsMoreFrames(3));
    EXPECT_EQ(window.engine().look<ChannelsLook>().latest(), nullptr);
}

TEST(BeamViews, TheDelayCurveMovesWithSpeedOfSoundAndT0) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("delay_curve");
    window.pick(0.0, 20e-3);
    ASSERT_EQ(window.delays().marks().marks.size(), 64U);
    const double slow = window.latest();
    window.choose("speed_of_sound", 1600.0);
    const double fast = window.latest();
    EXPECT_NEAR(fast / slow, 1540.0 / 1600.0, 0.01);
    window.choose("t0_offset", 1e-6);
    EXPECT_NEAR(window.latest(), fast + 1.0, 1e-3);
}

TEST(BeamViews, AnyTransmitCanBeLookedAt) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("delay_curve");
    window.pick(5e-3, 20e-3);
    QComboBox& chooser = window.delays().chooser();
    if (chooser.count() < 3) GTEST_FAIL() << "a recording of several transmits is meant";
    chooser.setCurrentIndex(1);
    emit chooser.activated(1);
    const double first = window.latest();
    chooser.setCurrentIndex(chooser.count() - 1);
    emit chooser.activated(chooser.count() - 1);
    EXPECT_NE(window.latest(), first);
    ASSERT_TRUE(comesTrue([&] {
        const auto channels = window.engine().look<ChannelsLook>().latest();
        return channels != nullptr && channels->transmit == chooser.count() - 2;
    }));
}

TEST(BeamViews, ContributionsFollowPixelAndAperture) {
    Beams window;
    ASSERT_TRUE(window.freezes());
    ContributionPlot& plot = window.desktop.panel<ContributionPlot>();
    window.toggle("contributions");
    EXPECT_FALSE(plot.hasData());
    const auto counted = [&] {
        return std::ranges::count_if(plot.contributions().inPhase,
                                     [](double part) { return part != 0.0; });
    };
    window.choose("f_number", 2.0);
    window.pick(0.0, 15e-3);
    ASSERT_TRUE(comesTrue([&] { return counted() > 0; }));
    EXPECT_EQ(plot.contributions().inPhase.size(), 64U);
    const auto wide = counted();
    window.choose("f_number", 4.0);
    ASSERT_TRUE(comesTrue([&] { return counted() > 0 && counted() < wide; }));
    EXPECT_TRUE(plot.contributions().text.startsWith("0.0, 15.0 mm"))
        << plot.contributions().text.toStdString();
}

TEST(BeamViews, TheBeamWidensWithTheFNumber) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("beam_shape");
    window.choose("f_number", 2.0);
    window.pick(0.0, 15e-3);
    const auto width = [&] { return window.shape().widthText(1).section(' ', 0, 0).toDouble(); };
    ASSERT_TRUE(comesTrue([&] { return width() > 0.0; }));
    const double narrow = width();
    window.choose("f_number", 4.0);
    ASSERT_TRUE(comesTrue([&] { return width() > 1.8 * narrow; }));
    EXPECT_TRUE(window.shape().sideLobeText(1).endsWith(" dB"));
}

/// Waits until the picture in sight has another text, and returns it.
const LabPicture& nextPicture(BeamShapePanel& panel, std::size_t number, const QString& start) {
    const LabPicturePlot& plot = panel.picturePlot(number);
    EXPECT_TRUE(comesTrue([&] {
        return plot.picture().columns > 0 && plot.picture().text.startsWith(start);
    })) << plot.picture().text.toStdString();
    return plot.picture();
}

TEST(BeamViews, TheBeamformerItselfHasNearlyTheComputedWidth) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    window.toggle("beam_shape");
    window.pick(0.0, 15e-3);
    const auto number = [](const QString& text) { return text.section(' ', 0, 0).toDouble(); };
    ASSERT_TRUE(comesTrue([&] { return number(window.shape().widthText(2)) > 0.0; }));
    EXPECT_EQ(window.shape().widthText(2, true), QString(QChar(0x2013)));
    window.shape().measureButton().click();
    ASSERT_TRUE(comesTrue([&] { return number(window.shape().widthText(2, true)) > 0.0; }));
    EXPECT_NEAR(number(window.shape().widthText(1, true)) / number(window.shape().widthText(1)),
                1.0, 0.15);
    EXPECT_NEAR(number(window.shape().widthText(2, true)) / number(window.shape().widthText(2)),
                1.0, 0.15);
    EXPECT_EQ(window.shape().problem(), QString());
    const double narrow = number(window.shape().widthText(1, true));
    window.choose("f_number", 4.0);
    EXPECT_TRUE(
        comesTrue([&] { return number(window.shape().widthText(1, true)) > 1.5 * narrow; }));
}

TEST(BeamViews, MapsFollowTheFocusAndThePixel) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("beam_shape");
    window.pick(2e-3, 15e-3);
    BeamShapePanel& panel = window.shape();
    panel.setMode(BeamMode::TransmitMap);
    const LabPicture& sent = nextPicture(panel, 0, "focus ");
    ASSERT_TRUE(sent.focus && sent.pixel);
    EXPECT_NEAR(sent.focus->x(), 2.0, 1e-6);
    EXPECT_NEAR(sent.pixel->y(), 15.0, 1e-6);
    EXPECT_NEAR(*std::ranges::max_element(sent.values), 0.0, 1e-6);
    EXPECT_GT(sent.lobes.size(), 20U);
    panel.setMode(BeamMode::ReceiveMap);
    nextPicture(panel, 0, "focused at each depth");
    panel.setMode(BeamMode::TwoWayMap);
    nextPicture(panel, 0, "recorded transmits");
    panel.setMode(BeamMode::Waves);
    const LabPicture& waves = nextPicture(panel, 0, "8 elements");
    EXPECT_EQ(waves.kind, LabPicture::Kind::Waves);
    EXPECT_EQ(waves.senders.size(), 8U);
}

TEST(BeamViews, TheReceiveMapIsMeasuredBesideTheClosedForm) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    window.toggle("beam_shape");
    window.pick(0.0, 15e-3);
    BeamShapePanel& panel = window.shape();
    panel.setMode(BeamMode::ReceiveMap);
    nextPicture(panel, 0, "focused at each depth");
    EXPECT_TRUE(panel.measureButton().isVisible());
    panel.measureButton().click();
    const LabPicture closed = nextPicture(panel, 1, "closed form");
    const LabPicture& found = nextPicture(panel, 2, "measured");
    EXPECT_EQ(panel.problem(), QString());
    EXPECT_FALSE(panel.picturePlot(0).isVisible());
    EXPECT_TRUE(panel.picturePlot(2).isVisible());
    EXPECT_FALSE(panel.picturePlot(3).isVisible());
    EXPECT_EQ(found.rows, 24);
    EXPECT_EQ(found.from, closed.from);
    EXPECT_EQ(found.depthToMm, closed.depthToMm);
    const auto width = [](const LabPicture& picture) {
        double sum = 0.0;
        int count = 0;
        for (const LabPicture::Lobe& lobe : picture.lobes) {
            if (lobe.depthMm < 10.0 || lobe.depthMm > 25.0) continue;
            sum += lobe.to - lobe.from;
            ++count;
        }
        return sum / count;
    };
    EXPECT_NEAR(width(found) / width(closed), 1.0, 0.15);
    panel.setMode(BeamMode::TransmitMap);
    EXPECT_FALSE(panel.measureButton().isVisible()) << "a beamformer computes no transmission";
}

TEST(BeamViews, LinesOfEqualDelayLieOverTheImage) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    window.toggle("delay_curve");
    window.pick(0.0, 15e-3);
    const auto contours = [&]() -> std::size_t {
        const auto& sketch = sketchOn(window.desktop.view());
        return sketch ? sketch->contours.size() : 0;
    };
    EXPECT_EQ(contours(), 0U) << "off at first";
    window.delays().mapChooser().setCurrentIndex(static_cast<int>(DelayMapLeg::Receive));
    ASSERT_GT(contours(), 3U);
    EXPECT_TRUE(window.delays().elementSlider().isVisible());
    // Circles about an element of the array, at the speed of sound in force.
    const auto expectCircles = [&](int element, double speed) {
        const Probe& probe = window.engine().info().frame.acquisition->probe;
        const Point& at = probe.elements[static_cast<std::size_t>(element)];
        for (const ViewSketch::Contour& contour : sketchOn(window.desktop.view())->contours) {
            EXPECT_TRUE(contour.label.endsWith(QStringLiteral(" \u00b5s")));
            const double us = contour.label.section(' ', 0, 0).toDouble();
            for (const auto& [from, to] : contour.pieces)
                EXPECT_NEAR(1e6 * std::hypot(from.x - at.x, from.y - at.z) / speed, us, 0.01);
        }
    };
    expectCircles(window.delays().mapElement(), window.speedOfSound());
    window.delays().elementSlider().slider().setValue(5);
    expectCircles(window.delays().mapElement(), window.speedOfSound());
    window.choose("speed_of_sound", 1300.0);
    expectCircles(window.delays().mapElement(), 1300.0);
    window.action().trigger();
    EXPECT_GT(contours(), 3U) << "beside the beams";
    EXPECT_FALSE(sketchOn(window.desktop.view())->faces.empty());
    window.action().trigger();
    window.delays().mapChooser().setCurrentIndex(static_cast<int>(DelayMapLeg::Transmit));
    EXPECT_FALSE(window.delays().elementSlider().isVisible());
    EXPECT_GT(contours(), 3U);
    window.toggle("delay_curve");
    EXPECT_FALSE(sketchOn(window.desktop.view())) << "the dock is closed";
}

TEST(BeamViews, FourFociStandSideBySideWithTheirNumbers) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("beam_shape");
    window.pick(0.0, 15e-3);
    BeamShapePanel& panel = window.shape();
    panel.setMode(BeamMode::FourFoci);
    for (std::size_t i = 1; i <= 4; ++i) nextPicture(panel, i, "");
    const auto width = [&](std::size_t focus) {
        return panel.foci().text(focus, 0).section(' ', 0, 0).toDouble();
    };
    EXPECT_GT(width(0), 0.0);
    EXPECT_GT(width(3), width(0)) << "the beam of one aperture widens with the depth of its focus";
    const double before = width(0);
    Slider& slider = panel.foci().slider(0).slider();
    slider.setValue(slider.value() + 10);
    EXPECT_TRUE(comesTrue([&] { return width(0) > before; }));
}

TEST(BeamViews, RealTimeIsTold) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(3));
    const PerformancePanel& panel = window.desktop.panel<PerformancePanel>();
    ASSERT_TRUE(comesTrue([&] { return panel.text("real_time").contains(QChar(0x00d7)); }));
    EXPECT_TRUE(panel.text("probe_rate").endsWith("B/s"));
    EXPECT_TRUE(panel.text("pulse_rate").endsWith("/s"));
    EXPECT_TRUE(window.desktop.statistics().statsJson().contains("real_time"));
}

TEST(BeamViews, DelaysOfOtherDepthsShowWhatTheApertureSaves) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("delay_curve");
    window.pick(0.0, 20e-3);
    EXPECT_TRUE(window.delays().family().curves.empty());
    window.delays().familyButton().click();
    EXPECT_EQ(window.delays().family().curves.size(), 12U);
    const double skipped = window.delays().family().skipped;
    EXPECT_GT(skipped, 0.05);
    EXPECT_LT(skipped, 0.95);
    window.choose("f_number", 0.0);
    EXPECT_LT(window.delays().family().skipped, 0.05) << "only what lies outside the record";
    window.delays().familyButton().click();
    EXPECT_TRUE(window.delays().family().curves.empty());
}

TEST(BeamViews, TheLegsOfTheDelayAddUp) {
    Beams window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle("delay_curve");
    window.pick(0.0, 20e-3);
    ChannelPlot& plot = window.delays();
    EXPECT_TRUE(plot.legs().back.empty());
    plot.legsButton().click();
    const DelayLegs legs = plot.legs();
    ASSERT_EQ(legs.back.size(), plot.marks().marks.size());
    ASSERT_FALSE(legs.back.empty());
    for (std::size_t i = 0; i < legs.back.size(); ++i) {
        EXPECT_EQ(legs.back[i].channel, plot.marks().marks[i].channel);
        EXPECT_NEAR(legs.outUs + legs.back[i].timeUs, plot.marks().marks[i].timeUs, 1e-3);
    }
    EXPECT_TRUE(plot.plot().xAxis->label().contains("back 12.9")) // 20 mm at 1540 m/s
        << plot.plot().xAxis->label().toStdString();
    // Another offset of the clock moves the way out alone.
    window.choose("t0_offset", 1e-6);
    EXPECT_NEAR(plot.legs().outUs, legs.outUs + 1.0, 1e-3);
    EXPECT_NEAR(plot.legs().back[0].timeUs, legs.back[0].timeUs, 1e-6);
    plot.legsButton().click();
    EXPECT_TRUE(plot.legs().back.empty());
}

} // namespace
} // namespace echolux
