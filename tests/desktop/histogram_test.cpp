// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram in the window: counted while its dock is in sight, and the display range dragged at
// its lines as one step of the list of edits.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/session/session.hpp"
#include "app/tools/histogram/look.hpp"
#include "app/tools/histogram/plot.hpp"
#include "tests/desktop/open_window.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::kCine;
using testing_support::OpenWindow;

struct HistogramWindow : OpenWindow {
    using OpenWindow::OpenWindow;
    HistogramPlot& plot() { return desktop.panel<HistogramPlot>(); }
    QDockWidget& dock() { return *desktop.window().findChild<QDockWidget*>("histogram"); }
    /// Whatever the dock asks for at each measurement is counted on the frames between them.
    bool playsAndMeasures() {
        for (int i = 0; i < 4; ++i) {
            desktop.statistics().measure();
            if (!showsMoreFrames(2)) return false;
        }
        return true;
    }
    bool opens() {
        dock().toggleViewAction()->trigger();
        return comesTrue([&] { return plot().hasData(); });
    }
    QPoint at(double value) {
        const QCustomPlot& area = plot().plot();
        return {static_cast<int>(std::lround(area.xAxis->coordToPixel(value))),
                area.axisRect()->center().y()};
    }
    /// From one value to another, in several moves.
    void drags(double from, double to) {
        QCustomPlot& area = plot().plot();
        QTest::mousePress(&area, Qt::LeftButton, {}, at(from));
        for (const double part : {0.3, 0.7, 1.0})
            QTest::mouseMove(&area, at(from + part * (to - from)));
        QTest::mouseRelease(&area, Qt::LeftButton, {}, at(to));
    }
    double pixelWidth() {
        const QCPAxis& axis = *plot().plot().xAxis;
        return axis.range().size() / axis.axisRect()->width();
    }
};

TEST(Histogram, IsClosedAtFirstAndCountsNothingWhileItIsHidden) {
    HistogramWindow window;
    EXPECT_TRUE(window.dock().isHidden());
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.playsAndMeasures());
    Engine& engine = window.desktop.session().engine();
    EXPECT_EQ(engine.look<HistogramLook>().latest(), nullptr);
    ASSERT_TRUE(window.opens());
    window.dock().toggleViewAction()->trigger();
    ASSERT_TRUE(window.dock().isHidden());
    ASSERT_TRUE(window.playsAndMeasures()); // what was asked for before it closed has come
    const auto last = engine.look<HistogramLook>().latest();
    ASSERT_TRUE(window.playsAndMeasures());
    EXPECT_EQ(engine.look<HistogramLook>().latest(), last);
}

TEST(Histogram, HoldsEveryPixelOfTheImage) {
    HistogramWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    const HistogramCounts& counts =
        window.desktop.session().engine().look<HistogramLook>().latest()->counts;
    std::int64_t sum = 0;
    for (const std::uint32_t count : counts.of) sum += count;
    EXPECT_EQ(sum, window.desktop.session().snapshot()->output().count());
    EXPECT_EQ(window.plot().plot().xAxis->label(), "level (dB re running maximum)");
    EXPECT_TRUE(window.plot().readout().contains("% below"))
        << window.plot().readout().toStdString();
    EXPECT_TRUE(window.plot().readout().endsWith("0.0 % above"))
        << window.plot().readout().toStdString();
}

TEST(Histogram, LinesFollowTheDisplayRange) {
    HistogramWindow window;
    ASSERT_TRUE(window.opens());
    EXPECT_EQ(window.plot().limitMin(), window.desktop.view().displayMin());
    window.desktop.view().setDisplayRange(-33.0, -4.0);
    EXPECT_EQ(window.plot().limitMin(), -33.0);
    EXPECT_EQ(window.plot().limitMax(), -4.0);
}

TEST(Histogram, ALineIsDraggedAsOneStep) {
    HistogramWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    ImageView& view = window.desktop.view();
    const double min = view.displayMin();
    const double max = view.displayMax();
    const auto steps = window.desktop.edits().details().size();
    window.drags(max, max - 15.0);
    EXPECT_NEAR(view.displayMax(), max - 15.0, window.pixelWidth());
    EXPECT_EQ(view.displayMin(), min);
    EXPECT_EQ(window.plot().limitMax(), view.displayMax());
    EXPECT_EQ(window.desktop.edits().details().size(), steps + 1);
    EXPECT_EQ(window.desktop.edits().newest(), "display range");
    window.drags(min, min + 10.0);
    EXPECT_NEAR(view.displayMin(), min + 10.0, window.pixelWidth());
    EXPECT_EQ(window.desktop.edits().details().size(), steps + 2);
    window.desktop.edits().undo();
    window.desktop.edits().undo();
    EXPECT_EQ(view.displayMin(), min);
    EXPECT_EQ(view.displayMax(), max);
    EXPECT_EQ(window.plot().limitMin(), min);
    EXPECT_EQ(window.plot().limitMax(), max);
}

TEST(Histogram, ADragBesideTheLinesChangesNothing) {
    HistogramWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    const double min = window.desktop.view().displayMin();
    const double max = window.desktop.view().displayMax();
    window.drags(0.5 * (min + max), 0.5 * (min + max) + 10.0);
    EXPECT_EQ(window.desktop.view().displayMin(), min);
    EXPECT_EQ(window.desktop.view().displayMax(), max);
}

TEST(Histogram, LinesDoNotCross) {
    HistogramWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    window.drags(window.desktop.view().displayMin(), window.desktop.view().displayMax() + 5.0);
    EXPECT_LT(window.desktop.view().displayMin(), window.desktop.view().displayMax());
}

TEST(Histogram, IsOfTheChosenView) {
    OpenRequest request{kCine.toStdString()};
    request.pipeline = shippedPipeline("hilbert_lab");
    HistogramWindow window(request);
    ASSERT_TRUE(window.opens());
    QComboBox& views = *window.plot().findChild<QComboBox*>();
    EXPECT_FALSE(views.isHidden());
    ASSERT_EQ(views.count(), 3);
    EXPECT_EQ(views.itemText(2), "Envelope");
    EXPECT_LT(window.plot().plot().xAxis->range().lower, 0.0);
    views.setCurrentIndex(2);
    emit views.activated(2);
    ASSERT_TRUE(comesTrue([&] { return window.plot().hasData(); }));
    EXPECT_EQ(window.desktop.session().engine().look<HistogramLook>().latest()->asked.view, 2U);
    EXPECT_EQ(window.plot().plot().xAxis->label(), "value");
    EXPECT_EQ(window.plot().plot().xAxis->range().lower, 0.0) << "nothing is negative";
}

TEST(HistogramPlot, TellsSharesBelowAndAboveTheLines) {
    testing_support::application();
    HistogramPlot plot;
    EXPECT_FALSE(plot.hasData());
    plot.setLimits(1.0, 3.5);
    plot.setData({.bins = {10, 20, 30, 40},
                  .from = 0.0,
                  .to = 4.0,
                  .below = 60,
                  .above = 40,
                  .nothing = 7,
                  .unit = "dB",
                  .reference = {}});
    EXPECT_EQ(plot.readout(),
              "35.0 % below   35.0 % between   30.0 % above   7 pixels without a value");
    plot.setLimits(1.5, 4.0);
    EXPECT_TRUE(plot.readout().startsWith("40.0 % below   40.0 % between   20.0 % above"))
        << plot.readout().toStdString();
    plot.clear();
    EXPECT_EQ(plot.readout(), "");
}

TEST(HistogramPlot, CountsOnALogarithmicAxis) {
    testing_support::application();
    HistogramPlot plot;
    plot.setData({.bins = {1, 0, 1000, 90}, .from = 0.0, .to = 4.0, .unit = {}, .reference = {}});
    EXPECT_EQ(plot.plot().xAxis->label(), "value");
    EXPECT_EQ(plot.plot().yAxis->range().lower, 0.0);
    plot.findChild<QCheckBox*>()->click();
    EXPECT_TRUE(plot.isLogarithmic());
    EXPECT_EQ(plot.plot().yAxis->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_EQ(plot.plot().yAxis->range().lower, 0.5) << "a single pixel shows";
    EXPECT_GE(plot.plot().yAxis->range().upper, 1000.0);
    plot.findChild<QCheckBox*>()->click();
    EXPECT_EQ(plot.plot().yAxis->scaleType(), QCPAxis::stLinear);
    EXPECT_EQ(plot.plot().yAxis->range().lower, 0.0);
}

TEST(HistogramPlot, AStepFarHigherThanAllOthersIsCut) {
    testing_support::application();
    HistogramPlot plot;
    std::vector<std::uint32_t> bins(256, 100);
    bins[64] = 400000;
    plot.setData({.bins = bins, .from = 0.0, .to = 256.0, .unit = {}, .reference = {}});
    EXPECT_GE(plot.plot().yAxis->range().upper, 100.0);
    EXPECT_LT(plot.plot().yAxis->range().upper, 400.0);
}

} // namespace
} // namespace echolux
