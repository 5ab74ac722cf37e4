// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of several views in one plot: axes, units, legend.
#include "tests/ui/window_fixture.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/plots/view_lines_plot.hpp"

namespace echolux {
namespace {

using testing_support::WindowTest;

using Curve = ViewLinesData::Curve;

class ViewLinesPlotTest : public WindowTest {
protected:
    ViewLinesPlot& plot() { return m_panels.plots->viewLines(); }
    static ViewLinesData hilbert() {
        ViewLinesData lines;
        lines.title = "channel 65";
        lines.alongName = "time";
        lines.alongUnit = "\u00b5s";
        lines.curves = {Curve{"Signal", 0, {0.0F, 3.0F, -4.0F}, 10.0, 0.5, {}, {}},
                        Curve{"Hilbert part", 1, {1.0F, 0.0F, 2.0F}, 10.0, 0.5, {}, {}},
                        Curve{"Envelope", 2, {1.0F, 3.0F, 4.5F}, 10.0, 0.5, {}, {}}};
        return lines;
    }
};

TEST_F(ViewLinesPlotTest, IsThereForPipelinesToCompare) {
    show(1600, 1000);
    EXPECT_FALSE(plot().isVisible());
    m_panels.plots->showViewLines(true);
    EXPECT_TRUE(plot().isVisible());
    EXPECT_FALSE(plot().hasData());
}

TEST_F(ViewLinesPlotTest, CurvesOfOneUnitShareTheirAxes) {
    plot().setData(hilbert());
    EXPECT_EQ(plot().legendTexts(), (QStringList{"Signal", "Hilbert part", "Envelope"}));
    const QCustomPlot& canvas = plot().plot();
    EXPECT_EQ(canvas.xAxis->label(), "time (\u00b5s)");
    EXPECT_EQ(canvas.xAxis->range(), QCPRange(10.0, 11.0));
    EXPECT_EQ(canvas.yAxis->range(), QCPRange(-5.0, 5.0)) << "signed, to a round number";
    EXPECT_FALSE(canvas.yAxis2->visible());
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(canvas.graph(i)->visible());
        EXPECT_EQ(canvas.graph(i)->pen().color(), plotColour(i));
        EXPECT_EQ(canvas.graph(i)->valueAxis(), canvas.yAxis);
    }
    EXPECT_EQ(canvas.graph(2)->data()->at(2)->value, 4.5);
    EXPECT_FALSE(canvas.graph(3)->visible());
    EXPECT_EQ(canvas.axisRect()->rangeZoom(), Qt::Orientations(Qt::Horizontal));
}

TEST_F(ViewLinesPlotTest, AnotherUnitHasAnotherAxisAndAThirdIsNamed) {
    ViewLinesData lines = hilbert();
    lines.curves.resize(1);
    lines.curves.push_back(Curve{"Gray", 1, {0.0F, 100.0F, 255.0F}, 10.0, 0.5, {}, {{0.0, 255.0}}});
    lines.curves.push_back(Curve{"Level", 2, {-60.0F, 0.0F, -3.0F}, 10.0, 0.5, "dB", {{-60, 0}}});
    plot().setData(lines);
    EXPECT_EQ(plot().legendTexts(),
              (QStringList{"Signal", "Gray (right axis)", "Level (another unit, not drawn)"}));
    const QCustomPlot& canvas = plot().plot();
    EXPECT_TRUE(canvas.yAxis2->visible());
    EXPECT_EQ(canvas.yAxis2->label(), "value, 0 to 255");
    EXPECT_GT(canvas.yAxis2->range().upper, 255.0);
    EXPECT_FALSE(canvas.graph(2)->visible());
}

TEST_F(ViewLinesPlotTest, LevelsShowTheRangesThatTheyAreMeantFor) {
    ViewLinesData lines;
    lines.curves = {Curve{"Coherent", 0, {-50.0F, -10.0F}, 0.0, 1.0, "dB", {{-60.0, 0.0}}},
                    Curve{"Difference", 2, {-5.0F, 5.0F}, 0.0, 1.0, "dB", {{-60.0, 60.0}}}};
    plot().setData(lines);
    const QCustomPlot& canvas = plot().plot();
    EXPECT_EQ(canvas.yAxis->label(), "level (dB)");
    EXPECT_EQ(canvas.yAxis->range(), QCPRange(-66.0, 66.0));
    EXPECT_EQ(canvas.graph(1)->pen().color(), plotColour(2)) << "as its view's header";
    plot().setData({});
    EXPECT_FALSE(plot().hasData());
    EXPECT_TRUE(plot().legendTexts().isEmpty());
}

} // namespace
} // namespace echolux
