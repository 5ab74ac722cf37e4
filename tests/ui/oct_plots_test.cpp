// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells of OCT: A-scan with its widths, spectra, rates.
#include "tests/ui/window_fixture.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/performance/stage_bars.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"

namespace echolux {
namespace {

using testing_support::settle;
using testing_support::WindowTest;

TEST_F(WindowTest, TheAscanNamesPeakAndWidths) {
    DepthProfilePlot& plot = m_panels.plots->ascan();
    AscanData ascan;
    ascan.level = {10.0F, 20.0F, 60.0F, 20.0F, 10.0F};
    ascan.start = 100.0;
    ascan.step = 5.0;
    ascan.depthUnit = "\u00b5m";
    ascan.peak = AscanData::Peak{110.0, 60.0, AscanData::Width{106.5, 113.5}, std::nullopt};
    plot.setData(ascan);
    EXPECT_TRUE(plot.hasData());
    EXPECT_EQ(plot.peakText(), "peak 60.0 dB at 110.0 \u00b5m");
    EXPECT_TRUE(plot.widthText().contains("FWHM 7.0 \u00b5m")) << plot.widthText().toStdString();
    EXPECT_TRUE(plot.widthText().endsWith(QChar(0x2013))) << "no width where a side stays high";
    EXPECT_EQ(plot.plot().xAxis->label(), "depth (\u00b5m)");
    EXPECT_EQ(plot.plot().yAxis->label(), "level (dB)");
    ascan.depthUnit.clear();
    ascan.depthName = "bin";
    ascan.levelReference = "1 code";
    plot.setData(ascan);
    EXPECT_EQ(plot.plot().yAxis->label(), "level (dB re 1 code)");
    EXPECT_GT(plot.plot().yAxis->range().upper, 60.0) << "the peak is in sight, white or not";
    EXPECT_LT(plot.plot().yAxis->range().lower, -60.0);
    EXPECT_EQ(plot.peakText(), "peak 60.0 dB at bin 110.0");
    EXPECT_TRUE(plot.widthText().contains("FWHM 7.0 bins"));
    ascan.peak.reset();
    plot.setData(ascan);
    EXPECT_EQ(plot.peakText(), "no peak");
    plot.setData({});
    EXPECT_FALSE(plot.hasData());
}

/// However busy the window is: nothing is drawn at a moment of its own.
TEST_F(WindowTest, PeakTextAndMarkerAppearTogether) {
    show(1600, 1000);
    m_panels.plots->showOctPlots(true);
    DepthProfilePlot& plot = m_panels.plots->ascan();
    AscanData ascan;
    ascan.depthUnit = "\u00b5m";
    const auto showPeak = [&](std::size_t at) {
        ascan.level.assign(200, -50.0F);
        ascan.level[at] = -10.0F;
        ascan.peak = AscanData::Peak{static_cast<double>(at), -10.0, {}, {}};
        plot.setData(ascan);
    };
    showPeak(50);
    settle(); // laid out
    showPeak(150);
    EXPECT_EQ(plot.peakText(), "peak \u221210.0 dB at 150.0 \u00b5m");
    const QImage together = plot.grab().toImage();
    plot.plot().replot();
    EXPECT_EQ(plot.grab().toImage(), together);
}

TEST_F(WindowTest, ThePlotsAreThoseOfTheRecordingsKind) {
    show(1600, 1000);
    EXPECT_TRUE(m_panels.plots->aLine().isVisible());
    EXPECT_FALSE(m_panels.plots->ascan().isVisible());
    m_panels.plots->showOctPlots(true);
    EXPECT_FALSE(m_panels.plots->aLine().isVisible());
    EXPECT_TRUE(m_panels.plots->ascan().isVisible());
    FringeData fringe;
    fringe.raw = {100.0F, 2000.0F, 100.0F};
    m_panels.plots->fringe().setData(fringe);
    EXPECT_EQ(m_panels.plots->fringe().plot().xAxis->label(), "sample");
    EXPECT_FALSE(m_panels.plots->fringe().plot().yAxis2->visible());
    fringe.remapped = {-5.0F, 7.0F, 1.0F};
    m_panels.plots->fringe().setData(fringe);
    EXPECT_TRUE(m_panels.plots->fringe().plot().yAxis2->visible());
    EXPECT_GE(m_panels.plots->fringe().plot().yAxis->range().upper, 2000.0);
    EXPECT_LE(m_panels.plots->fringe().plot().yAxis2->range().lower, -7.0);
}

TEST_F(WindowTest, RawAndRemappedSpectraShareOneAxisWhateverTheirLengths) {
    FringePlot& plot = m_panels.plots->fringe();
    const auto lastOf = [&](int graph) {
        bool found = false;
        return plot.plot().graph(graph)->getKeyRange(found).upper;
    };
    FringeData fringe;
    fringe.raw.assign(100, 5.0F);
    for (const std::size_t points : {100U, 150U, 200U}) {
        fringe.remapped.assign(points, 1.0F);
        plot.setData(fringe);
        EXPECT_EQ(plot.plot().xAxis->range().upper, 99.0) << points;
        EXPECT_EQ(lastOf(0), 99.0);
        EXPECT_NEAR(lastOf(1), 100.0 - 100.0 / static_cast<double>(points), 1e-9) << points;
    }
}

TEST_F(WindowTest, RatesOfOctAreShownForOctAlone) {
    show(1600, 1000);
    PerformancePanel& panel = *m_panels.performance;
    const auto rowShown = [&](const QString& text) {
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            if (label->text() == text) return label->isVisible();
        }
        return false;
    };
    Readouts readouts;
    panel.setReadouts(readouts);
    EXPECT_FALSE(rowShown("A-scans"));
    readouts.kind = Readouts::Kind::Oct;
    readouts.ascansPerS = 26.1e6;
    readouts.bscansPerS = 51234.0;
    panel.setReadouts(readouts);
    EXPECT_TRUE(rowShown("A-scans"));
    EXPECT_EQ(panel.text("ascans"), "26.10 M/s");
    EXPECT_EQ(panel.text("bscans"), "51.2 k/s");
    EXPECT_FALSE(rowShown("Volumes"));
    readouts.kind = Readouts::Kind::OctVolume;
    readouts.volumesPerS = 0.47;
    panel.setReadouts(readouts);
    EXPECT_TRUE(rowShown("Volumes"));
    EXPECT_EQ(panel.text("volumes"), "0.47 /s");
}

TEST_F(WindowTest, ALongNameOfAGroupGetsALineOfItsOwn) {
    StageBars bars;
    bars.resize(300, 200);
    const Milliseconds ms{0.9, 1.0, 1.2};
    const auto heightWith = [&](const StageTime& stage) {
        bars.setStages({stage}, ms);
        return bars.sizeHint().height();
    };
    const int single = heightWith({"Window", ms});
    EXPECT_GT(heightWith({"Spectrum to float \u2026 Magnitude and logarithm", ms}), single);
    EXPECT_GT(heightWith({"Window", ms, {"Window", "Inverse FFT"}}), single)
        << "one kernel is told beside the name";
}

} // namespace
} // namespace echolux
