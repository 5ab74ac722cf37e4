// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on the bundled recording: it plays, follows edits, shows the picked column.
#include "app/desktop/statistics_desk.hpp"
#include "app/session/column/picked_column.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/performance/figure_text.hpp"
#include "ui/performance/performance_panel.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/window/transport_bar.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QToolButton>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

TEST(Desktop, PlaysTheBundledRecording) {
    OpenWindow window;
    EXPECT_TRUE(window.showsFrames(5));
    EXPECT_TRUE(window.desktop.window().transport().isPlaying());
    EXPECT_TRUE(window.desktop.view().displayPath().badge.startsWith("upload"));
    const Statistics now = window.desktop.session().engine().statistics();
    EXPECT_GE(now.framesShown, 5U);
    EXPECT_EQ(now.framesDropped, 0U);
}

TEST(Desktop, StatisticsOfOctTellItsRates) {
    const auto rates = [](OpenWindow& window) {
        return QJsonDocument::fromJson(window.desktop.statistics().statsJson())
            .object()["per_second"]
            .toObject();
    };
    OpenWindow sound;
    ASSERT_TRUE(sound.showsFrames(2));
    EXPECT_FALSE(rates(sound).contains("ascans"));
    OpenWindow light(OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5"});
    ASSERT_TRUE(comesTrue([&] { return rates(light)["volumes"].toDouble() > 0.0; }));
    light.desktop.session().engine().player().freeze();
    const QJsonObject now = rates(light);
    const double bscans = now["bscans"].toDouble();
    EXPECT_NEAR(now["ascans"].toDouble(), 64.0 * bscans, 1e-6 * 64.0 * bscans);
    EXPECT_NEAR(now["volumes"].toDouble(), bscans / 48.0, 1e-6 * bscans);
}

// A table of delays has a number of four bytes per pixel for each of 64 elements and for the two
// steered transmits. The wave that travels straight down has one per depth.
TEST(Desktop, BytesOfTablesFollowTheSwitchOfDelays) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    auto& panel = window.desktop.panel<PerformancePanel>();
    const auto held = [&] {
        const auto steps =
            QJsonDocument::fromJson(window.desktop.statistics().statsJson())["times"]["steps"]
                .toArray();
        for (const QJsonValue& step : steps)
            if (step["stages"].toArray().contains("beamform")) return step["held_bytes"].toDouble();
        return -1.0;
    };
    const auto choose = [&](const char* delays) {
        emit window.desktop.window().parameters().parameterEdited("beamform", "delays",
                                                                  std::string(delays));
        return window.rests();
    };
    ASSERT_TRUE(choose("kernel"));
    const double kernel = held();
    ASSERT_GE(kernel, 0.0);
    ASSERT_TRUE(choose("table"));
    const FrameSpec& image =
        window.desktop.session().snapshot()->stage("beamform").plan.outputs.front();
    const double table =
        4.0 * 66.0 *
        static_cast<double>(image.sizeOf(AxisName::Lateral) * image.sizeOf(AxisName::Depth));
    EXPECT_NEAR(held() - kernel, table, 1e4)
        << "and the depths of one, and the steps of each table";
    const QString text = memoryText(static_cast<std::int64_t>(held()));
    EXPECT_TRUE(comesTrue([&] { return panel.tablesText().contains("Beamform " + text); }))
        << panel.tablesText().toStdString() << ", not " << text.toStdString();
    ASSERT_TRUE(choose("kernel"));
    EXPECT_EQ(held(), kernel);
    EXPECT_TRUE(comesTrue([&] { return !panel.tablesText().contains(text); }));
}

TEST(Desktop, AParameterMovedWhileFrozenShowsTheFrameAnew) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    const int before = static_cast<int>(window.presented.count());
    const auto read = window.desktop.session().engine().statistics().framesRead;
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1480.0);
    EXPECT_TRUE(window.showsFrames(before + 1));
    EXPECT_EQ(window.speedOfSound(), 1480.0);
    EXPECT_EQ(window.desktop.session().engine().statistics().framesRead, read);
}

TEST(Desktop, ARefusedEditChangesNothing) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.window().parameters().parameterEdited("beamform", "pixel_depth", 1e-9);
    EXPECT_GT(std::get<double>(
                  window.desktop.session().snapshot()->stage("beamform").params.get("pixel_depth")),
              1e-6);
    EXPECT_TRUE(window.showsMoreFrames(3));
}

TEST(Desktop, APickedColumnShowsItsLineAndSpectrum) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    emit window.desktop.view().columnPicked(-7e-3);
    Engine& engine = window.desktop.session().engine();
    EXPECT_TRUE(comesTrue([&] { return engine.look<PickedColumn>().latest() != nullptr; }));
    const ColumnData column = *engine.look<PickedColumn>().latest();
    EXPECT_EQ(static_cast<std::int64_t>(column.rf.size()),
              engine.info().frame.sizeOf(AxisName::Sample));
    EXPECT_TRUE(column.clipped.empty());
    const auto& elements = engine.info().frame.acquisition->probe.elements;
    EXPECT_NEAR(elements[static_cast<std::size_t>(column.channel)].x, -7e-3, 0.15e-3);
    // The pulse's band holds the spectrum's maximum, and a wire lies at 18 mm.
    const auto top = std::max_element(column.spectrumDb.begin(), column.spectrumDb.end()) -
                     column.spectrumDb.begin();
    EXPECT_NEAR(column.spectrumStartHz + static_cast<double>(top) * column.spectrumStepHz, 5e6,
                1.5e6);
    const auto at = [&](double depthM) {
        return column
            .envelope[static_cast<std::size_t>((depthM - column.depthStartM) / column.depthStepM)];
    };
    EXPECT_GT(at(18e-3), 5.0F * at(16e-3));
}

TEST(Desktop, TheSpectrumOfIqStandsBesideThatOfTheRecording) {
    OpenWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    emit window.desktop.view().columnPicked(-7e-3);
    SpectrumPlot& spectrum = window.desktop.panel<ColumnPlots>().spectrum();
    ASSERT_TRUE(comesTrue([&] { return spectrum.hasData() && spectrum.iqButton().isVisible(); }));
    QCustomPlot& plot = spectrum.plot();
    EXPECT_EQ(plot.xAxis->range().lower, 0.0) << "off at first";
    spectrum.iqButton().click();
    const double half =
        0.5e-6 * window.desktop.session().engine().info().frame.samplingFrequencyHz();
    EXPECT_NEAR(plot.xAxis->range().lower, -half, 1e-6);
    EXPECT_NEAR(plot.xAxis->range().upper, half, 1e-6);
    const auto levels = [&](int graph, double from, double to) {
        double highest = -200.0;
        for (const QCPGraphData& at : *plot.graph(graph)->data())
            if (at.key >= from && at.key <= to) highest = std::max(highest, at.value);
        return highest;
    };
    EXPECT_NEAR(levels(0, -half, 0.0), levels(0, 0.0, half), 1e-6) << "a real line has both";
    EXPECT_NEAR(levels(1, -2.0, 2.0), 0.0, 1e-6) << "mixed down from 5 MHz";
    EXPECT_LT(levels(1, -half, -6.0), -20.0) << "one band is left";
}

} // namespace
} // namespace echolux
