// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells: messages, progress, lost frames, plots, figures.
#include "tests/ui/window_fixture.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/performance/history_plot.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/progress_strip.hpp"
#include "ui/window/status_bar.hpp"

#include <QLabel>
#include <QMenuBar>
#include <QPushButton>

#include <algorithm>
#include <limits>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::isTimed;
using testing_support::settle;
using testing_support::WindowTest;

TEST_F(WindowTest, InformationLeavesAndErrorsStay) {
    show();
    MessageBar& bar = m_window->messages();
    bar.setInfoDuration(30);
    bar.show(Severity::Error, "The file 'a.mat' is empty; choose another.");
    bar.show(Severity::Info, "Saved.");
    EXPECT_EQ(bar.severity(), Severity::Error) << "information does not cover an error";
    EXPECT_EQ(bar.pending(), 2);
    EXPECT_TRUE(bar.passing().isVisible()) << "nor an error information";
    EXPECT_TRUE(comesTrue([&] { return bar.pending() == 1; }));
    EXPECT_EQ(bar.text(), "The file 'a.mat' is empty; choose another.");
    bar.dismiss();
    EXPECT_EQ(bar.pending(), 0);
    EXPECT_FALSE(bar.standing().isVisible());
    EXPECT_FALSE(bar.passing().isVisible());
}

TEST_F(WindowTest, TheNewestMessageIsOnView) {
    show();
    MessageBar& bar = m_window->messages();
    bar.show(Severity::Error, "old error", Topic::Engine);
    bar.show(Severity::Warning, "new warning", Topic::Recording);
    EXPECT_EQ(bar.text(), "new warning");
    EXPECT_EQ(bar.severity(), Severity::Warning);
    bar.show(Severity::Error, "old error", Topic::Engine);
    EXPECT_EQ(bar.text(), "old error") << "told again";
    EXPECT_EQ(bar.pending(), 2);
}

TEST_F(WindowTest, MessagesGoWithWhatTheyWereAbout) {
    show();
    MessageBar& bar = m_window->messages();
    bar.show(Severity::Warning, "5 MHz is assumed.", Topic::Recording);
    bar.show(Severity::Warning, "The volume lacks 3 B-scans.", Topic::Volume);
    bar.show(Severity::Error, "'b.h5' is empty.", Topic::Opening);
    bar.withdraw({Topic::Recording, Topic::Opening});
    EXPECT_EQ(bar.text(), "The volume lacks 3 B-scans.");
    EXPECT_EQ(bar.pending(), 1);
    bar.withdraw({Topic::Volume});
    EXPECT_EQ(bar.pending(), 0);
    EXPECT_FALSE(bar.standing().isVisible());
}

TEST_F(WindowTest, MessagesLieOverTheImageWhichDoesNotMove) {
    auto* view = new QWidget;
    m_window->setCentralView(view);
    show();
    MessageBar& bar = m_window->messages();
    const QRect centre = m_window->centralWidget()->geometry();
    const QRect before = view->geometry();
    const auto place = [&] {
        settle();
        return view->geometry();
    };
    bar.show(Severity::Info, "Saved.");
    EXPECT_EQ(place(), before);
    const QMenuBar* menus = m_window->menuBar();
    const MessageStrip& passing = bar.passing();
    EXPECT_TRUE(menus->geometry().contains(passing.geometry()))
        << "nothing of the image is covered";
    EXPECT_GT(passing.x(), menus->x() + menus->actionGeometry(menus->actions().back()).right());
    EXPECT_EQ(passing.label()->text(), "Saved.");
    bar.show(Severity::Info, QString("/a/long/path").repeated(50));
    EXPECT_EQ(place(), before);
    EXPECT_TRUE(menus->geometry().contains(passing.geometry()));
    EXPECT_TRUE(passing.label()->toolTip().startsWith("/a/long"));
    bar.show(Severity::Warning, QString("A long sentence. ").repeated(30));
    const MessageStrip& standing = bar.standing();
    EXPECT_EQ(place(), before);
    EXPECT_EQ(standing.pos(), m_window->centralWidget()->pos());
    EXPECT_EQ(m_window->centralWidget()->geometry(), centre);
    EXPECT_EQ(standing.width(), centre.width());
    EXPECT_TRUE(passing.isVisible());
    bar.dismiss();
    EXPECT_EQ(place(), before);
    bar.show(Severity::Info, "Saved.");
    m_window->menuBar()->hide(); // as on the full screen
    place();
    EXPECT_EQ(view->size(), m_window->centralWidget()->size());
    EXPECT_EQ(passing.pos(), m_window->centralWidget()->pos());
}

TEST_F(WindowTest, LostFramesWarnAndThoseLeftOutDoNot) {
    StatusBar& bar = m_window->status();
    const auto warns = [&] {
        return std::ranges::any_of(bar.findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->text() == bar.lostText() && label->property("role") == "warning";
        });
    };
    bar.setMissingFrames(0, 0);
    EXPECT_EQ(bar.lostText(), "0 lost");
    bar.setMissingFrames(0, 1534);
    EXPECT_EQ(bar.lostText(), "0 lost, 1534 left out");
    EXPECT_FALSE(warns());
    bar.setMissingFrames(3, 0);
    EXPECT_EQ(bar.lostText(), "3 lost");
    EXPECT_TRUE(warns());
}

TEST_F(WindowTest, AVolumeThatIsFilledInIsCountedAndMovesNothing) {
    StatusBar& bar = m_window->status();
    bar.setBackend("CPU: 2 threads");
    bar.setSource("retina_volume.echolux.h5");
    show();
    EXPECT_EQ(bar.volumeProgressText(), "");
    bar.setVolumeProgress(7, 256);
    EXPECT_EQ(bar.volumeProgressText().remove(QChar(0x2007)), "volume 7 / 256");
    settle();
    const int height = bar.height();
    const int centre = m_window->centralWidget()->height();
    bar.setVolumeProgress(120, 256);
    EXPECT_EQ(bar.volumeProgressText(), "volume 120 / 256");
    settle();
    bar.setVolumeProgress(0, 0);
    EXPECT_EQ(bar.volumeProgressText(), "");
    settle();
    EXPECT_EQ(bar.height(), height);
    EXPECT_EQ(m_window->centralWidget()->height(), centre);
}

TEST_F(WindowTest, DisplayRangeNeverTurnsOver) {
    DisplayGroup& display = m_window->display();
    QSignalSpy spy(&display, &DisplayGroup::edited);
    auto* min = qobject_cast<NumberEditor*>(display.row("min")->editor());
    show();
    testing_support::typeInto(*min->field(), "5");
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(display.settings().min, 5.0);
    EXPECT_GT(display.settings().max, 5.0);
}

TEST_F(WindowTest, PlotsHintUntilAColumnIsPicked) {
    RfLinePlot& plot = m_panels.plots->aLine();
    EXPECT_FALSE(plot.hasData());
    ALineData line;
    line.rf = {0.0F, 5.0F, -5.0F, 2.0F};
    line.rfStepUs = 0.05;
    line.clipped = {1, 2, 99};
    plot.setData(line);
    EXPECT_TRUE(plot.hasData());
    EXPECT_EQ(plot.clippingText(), "3 clipped");
    EXPECT_EQ(plot.plot().yAxis->range().upper, 5.0);
    plot.setDecibels(true);
    EXPECT_LT(plot.plot().yAxis->range().lower, -50.0);
    plot.clear();
    EXPECT_FALSE(plot.hasData());
    SpectrumData spectrum;
    spectrum.levelDb = {-20.0F, 0.0F, -std::numeric_limits<float>::infinity()};
    spectrum.stepMHz = 1.0;
    m_panels.plots->spectrum().setData(spectrum);
    EXPECT_TRUE(m_panels.plots->spectrum().hasData());
}

TEST_F(WindowTest, LinesOfRecordedImagesAreShownInTheirRange) {
    ALineData line;
    line.envelope = {0.0F, 90.0F, 200.0F};
    line.depthStepMm = 1.0;
    line.soundSpeedMps = 0.0;
    m_panels.plots->aLine().setData(line);
    const QCustomPlot& plot = m_panels.plots->aLine().plot();
    EXPECT_EQ(plot.yAxis2->range().lower, 0.0);
    line.shownLabel = "brightness";
    line.shownTo = 255.0;
    m_panels.plots->aLine().setDecibels(true);
    m_panels.plots->aLine().setData(line);
    EXPECT_EQ(plot.yAxis2->range().upper, 255.0);
    EXPECT_EQ(plot.yAxis2->label(), "brightness");
    SpectrumData spectrum;
    spectrum.missing = "No raw line";
    m_panels.plots->spectrum().setData(spectrum);
    EXPECT_FALSE(m_panels.plots->spectrum().hasData());
}

TEST_F(WindowTest, TheAxisOfAnEnvelopeStartsAtZero) {
    ALineData line;
    line.rf = {90.0F, -90.0F, 20.0F};
    line.envelope = {0.0F, 40.0F, 10.0F};
    m_panels.plots->aLine().setData(line);
    const QCustomPlot& plot = m_panels.plots->aLine().plot();
    EXPECT_EQ(plot.yAxis->range(), QCPRange(-100.0, 100.0));
    EXPECT_EQ(plot.yAxis2->range(), QCPRange(0.0, 50.0)) << "no envelope is negative";
}

TEST_F(WindowTest, PlotsOfAFrozenFrameShrinkTheirAxes) {
    ALineData line;
    line.rf = {90.0F, -90.0F};
    line.envelope = {90.0F, 90.0F};
    m_panels.plots->aLine().setData(line);
    line.rf = {3.0F, -3.0F};
    line.envelope = {3.0F, 3.0F};
    m_panels.plots->aLine().setData(line);
    const QCustomPlot& plot = m_panels.plots->aLine().plot();
    EXPECT_EQ(plot.yAxis->range().upper, 100.0) << "steady while frames run";
    line.still = true;
    m_panels.plots->aLine().setData(line);
    EXPECT_EQ(plot.yAxis->range().upper, 5.0);
    EXPECT_EQ(plot.yAxis2->range().upper, 5.0);
    FringeData fringe;
    fringe.raw = fringe.remapped = {900.0F, 10.0F};
    m_panels.plots->fringe().setData(fringe);
    fringe.raw = fringe.remapped = {40.0F, 10.0F};
    fringe.still = true;
    m_panels.plots->fringe().setData(fringe);
    EXPECT_EQ(m_panels.plots->fringe().plot().yAxis->range().upper, 50.0);
    EXPECT_EQ(m_panels.plots->fringe().plot().yAxis2->range().upper, 50.0);
}

TEST_F(WindowTest, NumbersOfPlotsHaveTheMinusSignOfTheImage) {
    ALineData line;
    line.rf = {90.0F, -90.0F};
    QCustomPlot& plot = m_panels.plots->aLine().plot();
    m_panels.plots->aLine().setData(line);
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        Theme::instance().apply(kind);
        plot.replot();
        const QVector<QString> labels = plot.yAxis->tickVectorLabels();
        ASSERT_FALSE(labels.isEmpty());
        EXPECT_TRUE(labels.front().startsWith(QChar(0x2212))) << labels.front().toStdString();
        EXPECT_EQ(plot.yAxis->ticker()->tickCount(), 4) << "another theme keeps the ticks";
    }
}

TEST_F(WindowTest, TheRateSaysWhatIsPlayed) {
    TransportBar& bar = m_window->transport();
    bar.setRecordedRate(25.0);
    EXPECT_EQ(bar.rateText(), "frozen");
    bar.setPlaying(true);
    EXPECT_EQ(bar.rateText(), "25.0 frames/s");
    bar.setReachedRate(24.8);
    EXPECT_EQ(bar.rateText(), "25.0 frames/s");
    bar.setReachedRate(17.25);
    EXPECT_EQ(bar.rateText(), "17.2 of 25.0 /s");
    bar.setRecordedRate(960.0, 4000.0); // as many images as a screen shows
    EXPECT_EQ(bar.rateText(), "960 of 4000 /s");
    bar.setReachedRate(50.0);
    EXPECT_EQ(bar.rateText(), "50.0 of 4000 /s");
    bar.setRecordedRate(25.0);
    bar.setSpeed(0.5);
    EXPECT_EQ(bar.rateText(), "12.5 frames/s");
    bar.setSpeed(TransportBar::kUnpaced);
    bar.setReachedRate(483.2);
    EXPECT_EQ(bar.rateText(), "483 frames/s");
    bar.setPlaying(false);
    EXPECT_EQ(bar.rateText(), "frozen");
    bar.setRecordedRate(0.0);
    EXPECT_EQ(bar.rateText(), "") << "one frame is not played";
}

TEST_F(WindowTest, ALineTimeAndDepthAreTiedBySpeedOfSound) {
    ALineData line;
    line.envelope.assign(101, 1.0F);
    line.depthStepMm = 0.77;
    line.soundSpeedMps = 1540.0;
    m_panels.plots->aLine().setData(line);
    const QCPRange depth = m_panels.plots->aLine().plot().xAxis->range();
    const QCPRange time = m_panels.plots->aLine().plot().xAxis2->range();
    EXPECT_NEAR(time.upper, depth.upper / 0.77, 1e-9) << "0.77 mm per microsecond, there and back";
}

TEST_F(WindowTest, ReadoutsKeepTheirPlaces) {
    show(1900, 1000);
    PerformancePanel& panel = *m_panels.performance;
    Readouts readouts;
    readouts.read = 7;
    readouts.stages = {{"Beamform", {0.5, 0.5, 0.5}}};
    panel.setReadouts(readouts);
    settle();
    const int width = dock("performance")->width();
    const QRect history = panel.history()->geometry();
    readouts.timeS = 0.25;
    readouts.read = 123456789;
    readouts.processedPerS = 12345.6;
    readouts.latency99Ms = 123.4;
    readouts.late = 5;
    panel.setReadouts(readouts);
    settle();
    EXPECT_EQ(panel.text("read"), QString("123\u2009456\u2009789"));
    EXPECT_EQ(panel.text("latency99"), "123.40 ms");
    EXPECT_EQ(dock("performance")->width(), width);
    EXPECT_EQ(panel.history()->geometry(), history);
}

TEST_F(WindowTest, HistoryKeepsOneMinute) {
    HistoryPlot* history = m_panels.performance->history();
    Readouts readouts;
    for (int i = 0; i < 400; ++i) {
        readouts.timeS = 0.25 * i;
        readouts.shownPerS = 60.0;
        m_panels.performance->setReadouts(readouts);
    }
    EXPECT_NEAR(history->points(), 241, 1) << "60 s, four a second";
    m_panels.performance->clear();
    EXPECT_EQ(history->points(), 0);
}

TEST_F(WindowTest, TheALineIsNamedByWhatItIs) {
    ALineData line;
    line.rf = {0.0F, 5.0F, -5.0F, 2.0F};
    line.rfStepUs = 0.05;
    m_panels.plots->aLine().setData(line);
    EXPECT_EQ(m_panels.plots->aLine().plot().yAxis->label(), "RF (codes)");
    line.quantity = "I";
    line.unit = "as stored";
    m_panels.plots->aLine().setData(line);
    EXPECT_EQ(m_panels.plots->aLine().plot().yAxis->label(), "I (as stored)");
    m_panels.plots->aLine().setDecibels(true);
    EXPECT_EQ(m_panels.plots->aLine().plot().yAxis->label(), "I (dB re max)");
}

TEST_F(WindowTest, ProgressAppearsLateAndMovesNothing) {
    show();
    ProgressStrip& strip = m_window->progress();
    const QRect centre = m_window->centralWidget()->geometry();
    QSignalSpy cancelled(&strip, &ProgressStrip::cancelled);
    strip.setDelay(50);
    strip.begin("Opening a.h5");
    strip.end();
    EXPECT_FALSE(strip.isVisible());
    EXPECT_FALSE(isTimed(strip)) << "short work shows nothing";
    strip.begin("Opening b.h5");
    EXPECT_FALSE(strip.isVisible());
    ASSERT_TRUE(comesTrue([&] { return strip.isVisible(); }));
    EXPECT_EQ(m_window->centralWidget()->geometry(), centre);
    EXPECT_EQ(strip.width(), centre.width());
    m_window->resize(1400, 900);
    settle();
    EXPECT_EQ(strip.geometry().bottom(), m_window->centralWidget()->rect().bottom());
    strip.cancelButton()->setFocus();
    press(Qt::Key_Return);
    EXPECT_EQ(cancelled.count(), 1) << "by keyboard as well";
}

} // namespace
} // namespace echolux
