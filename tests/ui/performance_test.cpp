// SPDX-License-Identifier: GPL-3.0-or-later
// Times of stages as a table, as areas over the last minute, and as a timeline.
#include "tests/ui/window_fixture.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/performance/history_plot.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/performance/stage_bars.hpp"
#include "ui/performance/stage_history.hpp"
#include "ui/performance/timeline_plot.hpp"

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::settle;
using testing_support::WindowTest;

class PerformanceTest : public WindowTest {
protected:
    PerformancePanel& panel() { return *m_panels.performance; }
    Readouts readouts(double timeS, double ms) {
        Readouts all;
        all.timeS = timeS;
        all.frame = {2.0 * ms, 2.0 * ms, 2.0 * ms};
        all.stages = {{"Upload", {0.5 * ms, 0.5 * ms, ms}}, {"Beamform", {ms, ms, 2.0 * ms}}};
        return all;
    }
};

TEST_F(PerformanceTest, FiguresStandInLineWhateverTheirSize) {
    StageBars bars;
    bars.setStages({{"Window", {0.4116, 0.4, 0.5}}}, {0.9, 0.9, 1.0});
    EXPECT_EQ(bars.figure(0.4116), "0.412");
    bars.setStages({{"Window", {0.4116, 0.4, 0.5}}}, {0.9, 0.9, 12.0});
    EXPECT_EQ(bars.figure(0.4116), "0.41") << "as many places as the largest leaves";
    EXPECT_EQ(bars.figure(12.0), "12.00");
    bars.clear();
    bars.setStages({{"Window", {0.4, 0.4, 0.5}}}, {0.9, 0.9, 123.0});
    EXPECT_EQ(bars.figure(123.0), "123.0");
}

TEST_F(PerformanceTest, RealTimeIsAFactorThatSaysWhichWay) {
    show();
    Readouts all = readouts(0.0, 1.0);
    all.realTime = RealTimeReadouts{12.345, 0.00071899, 1, 2560.0, 6988.1, 55.0};
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("real_time"), QString("12.3 %1 faster").arg(QChar(0x00d7)));
    EXPECT_EQ(panel().text("real_time_playing"), QString("1391 %1 slower").arg(QChar(0x00d7)));
    EXPECT_EQ(panel().text("probe_rate"), "2560 MB/s");
    EXPECT_EQ(panel().text("pulse_rate"), "6988.1 /s");
    all.realTime->computing = 0.0; // nothing was timed yet
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("real_time"), QString(QChar(0x2013)));
}

TEST_F(PerformanceTest, RealTimeNeedsANumberOfCards) {
    show();
    Readouts all = readouts(0.0, 1.0);
    all.deviceTotalBytes = 1;
    all.realTime = RealTimeReadouts{.computing = 12.3, .cards = 1};
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("cards"), "1 card");
    all.realTime->cards = 28;
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("cards"), "28 cards");
    all.deviceTotalBytes = 0;
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("cards"), "28 CPUs");
    all.realTime->cards = 0;
    panel().setReadouts(all);
    EXPECT_EQ(panel().text("cards"), QString(QChar(0x2013)));
}

TEST_F(PerformanceTest, AKernelNamesItsStages) {
    StageBars bars;
    bars.resize(300, 200);
    bars.setStages(
        {{"Upload", {}}, {"Window \u2026 Log", {1.0, 2.0, 3.0}, {"Window", "FFT", "Log"}}}, {});
    const QString help = bars.helpAt(bars.height() > 50 ? 50 : 0);
    EXPECT_TRUE(help.contains("One kernel")) << help.toStdString();
    EXPECT_TRUE(help.contains("Window, FFT, Log")) << help.toStdString();
    EXPECT_TRUE(help.contains("last 1.000 ms, mean 2.000 ms, 99 % 3.000 ms")) << help.toStdString();
    EXPECT_FALSE(bars.helpAt(30).contains("kernel")) << bars.helpAt(30).toStdString();
}

TEST_F(PerformanceTest, SeparateTimesAreOfferedWithAReasonWhereNot) {
    show();
    QSignalSpy wanted(&panel(), &PerformancePanel::separatelyToggled);
    Readouts all = readouts(0.0, 1.0);
    all.notSeparately = "The CPU runs none as one.";
    panel().setReadouts(all);
    EXPECT_FALSE(panel().separately()->isEnabled());
    all.notSeparately.clear();
    panel().setReadouts(all);
    EXPECT_TRUE(panel().separately()->isEnabled());
    panel().separately()->click();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_TRUE(wanted[0][0].toBool());
    all.separately = true;
    panel().setReadouts(all);
    EXPECT_TRUE(panel().separately()->isChecked());
    EXPECT_EQ(wanted.count(), 1) << "by the user alone";
}

TEST_F(PerformanceTest, StagesSayWhyTheyRunApartAndWhatThatCosts) {
    show(1900, 1000);
    Readouts all = readouts(0.0, 1.0);
    panel().setReadouts(all);
    EXPECT_EQ(panel().apartText(), "");
    const auto costs = [&] { return panel().text("crossings"); };
    EXPECT_EQ(costs(), "0.00 MB/frame");
    all.stages[1].apart = "It runs on the CPU.";
    all.crossingBytesPerFrame = 3'250'000;
    panel().setReadouts(all);
    EXPECT_EQ(panel().apartText(), "Beamform: It runs on the CPU.");
    EXPECT_EQ(costs(), "3.25 MB/frame");
    panel().clear();
    EXPECT_EQ(panel().apartText(), "");
}

TEST_F(PerformanceTest, StagesTellTheBytesOfTheirTables) {
    show();
    Readouts all = readouts(0.0, 1.0);
    panel().setReadouts(all);
    EXPECT_EQ(panel().tablesText(), "");
    all.stages[1].heldBytes = 12'600'000;
    all.stages.push_back({"Log", {}, {}, {}, 8'200});
    panel().setReadouts(all);
    EXPECT_EQ(panel().tablesText(),
              QString("Tables held: Beamform 12.6%1MB, Log 8.2%1kB").arg(QChar(QChar::Nbsp)));
    EXPECT_TRUE(panel().bars()->helpAt(50).contains(
        QString("tables hold 12.6%1MB").arg(QChar(QChar::Nbsp))))
        << panel().bars()->helpAt(50).toStdString();
    EXPECT_FALSE(panel().bars()->helpAt(30).contains("tables"));
    panel().clear();
    EXPECT_EQ(panel().tablesText(), "");
}

TEST_F(PerformanceTest, AreasOfTheLastMinuteAreNamedAtThePointer) {
    show(1900, 1000);
    panel().showStageHistory(true);
    StageHistoryPlot& plot = *panel().stageHistory();
    for (int i = 0; i < 400; ++i) panel().setReadouts(readouts(0.25 * i, 4.0));
    EXPECT_NEAR(plot.points(), 241, 1) << "60 s, four a second";
    settle();
    ASSERT_TRUE(plot.isVisible());
    const auto nameAt = [&](double secondsAgo, double ms) {
        return plot.nameAt({plot.xAxis->coordToPixel(-secondsAgo), plot.yAxis->coordToPixel(ms)});
    };
    EXPECT_EQ(nameAt(30.0, 1.0), "Upload 2.000 ms, 30 s ago");
    EXPECT_EQ(nameAt(30.0, 5.0), "Beamform 4.000 ms, 30 s ago");
    EXPECT_EQ(nameAt(30.0, 7.5), "") << "above all";
    Readouts other = readouts(100.0, 4.0);
    other.stages = {other.stages[0], {"Window", {1.0, 1.0, 1.0}}};
    panel().setReadouts(other);
    EXPECT_EQ(nameAt(0.1, 2.5), "Window 1.000 ms, 0 s ago");
    EXPECT_EQ(nameAt(30.0, 5.0), "Beamform 4.000 ms, 30 s ago") << "what ran then";
    other.timeS = 170.0;
    panel().setReadouts(other);
    EXPECT_EQ(plot.points(), 1);
}

TEST_F(PerformanceTest, TheTimelineNamesItsBars) {
    show(1900, 1000);
    EXPECT_FALSE(panel().isTimelineInSight());
    panel().showTimeline(true);
    ASSERT_TRUE(comesTrue([&] { return panel().isTimelineInSight(); }));
    panel().setTimeline({{"slot 1", {{"Upload", 0, 4, 0.0, 1.0}, {"Beamform", 1, 4, 1.0, 8.0}}},
                         {"display", {{"Display", -1, 4, 9.0, 11.0}}}});
    TimelinePlot& plot = *panel().timeline();
    settle();
    EXPECT_EQ(plot.xAxis->range().upper, 20.0);
    const TimelineBar* bar = plot.barAt(plot.placeOf(0, plot.timeline()[0].bars[1]).center());
    ASSERT_NE(bar, nullptr);
    EXPECT_EQ(TimelinePlot::textOf(*bar), "Beamform, frame 4: begins at 1.000 ms, takes 8.000 ms");
    const QRectF display = plot.placeOf(1, plot.timeline()[1].bars[0]);
    EXPECT_NEAR(display.left(), plot.xAxis->coordToPixel(9.0), 1e-6);
    EXPECT_EQ(plot.barAt({plot.xAxis->coordToPixel(5.0), display.center().y()}), nullptr)
        << "a gap";
    panel().setTimeline({});
    EXPECT_TRUE(panel().isTimelineInSight()) << "it waits for frames";
    panel().showTimeline(false);
    EXPECT_FALSE(panel().isTimelineInSight());
}

} // namespace
} // namespace echolux
