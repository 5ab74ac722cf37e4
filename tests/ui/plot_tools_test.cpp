// SPDX-License-Identifier: GPL-3.0-or-later
// What people do with plots: zoom, move, read, copy, save.
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/window_fixture.hpp"
#include "ui/plots/plot_export.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"

#include <QClipboard>
#include <QMenu>
#include <QSvgRenderer>

namespace echolux {
namespace {

using test::TemporaryFolder;
using testing_support::settle;
using testing_support::turnWheel;
using testing_support::WindowTest;

class PlotTest : public WindowTest {
protected:
    SpectrumPlot& plot() { return m_panels.plots->spectrum(); }
    QCustomPlot& canvas() { return plot().plot(); }
    void showSpectrum(int count = 5, float last = -40.0F) {
        SpectrumData spectrum;
        for (int i = 0; i + 1 < count; ++i) spectrum.levelDb.push_back(-10.0F * float(i));
        spectrum.levelDb.push_back(last);
        spectrum.startMHz = 1.0;
        spectrum.stepMHz = 0.5;
        plot().setData(spectrum);
        settle();
    }
    void hover(double frequencyMHz) {
        const QPointF at(canvas().xAxis->coordToPixel(frequencyMHz),
                         canvas().axisRect()->rect().center().y());
        QMouseEvent move(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&canvas(), &move);
    }
};

TEST_F(PlotTest, TheWheelZoomsAndNewDataLeaveTheZoomAlone) {
    show();
    showSpectrum();
    const QCPRange all = canvas().xAxis->range();
    turnWheel(canvas(), 2);
    const QCPRange zoomed = canvas().xAxis->range();
    EXPECT_LT(zoomed.size(), all.size());
    EXPECT_FALSE(plot().tools().isFitted());
    showSpectrum(9);
    EXPECT_EQ(canvas().xAxis->range(), zoomed);
    QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, canvas().axisRect()->rect().center());
    EXPECT_DOUBLE_EQ(canvas().xAxis->range().upper, 5.0) << "all of the newest data";
    EXPECT_TRUE(plot().tools().isFitted());
    showSpectrum(5);
    EXPECT_DOUBLE_EQ(canvas().xAxis->range().upper, 3.0);
}

TEST_F(PlotTest, ADragMovesTheCurve) {
    show();
    showSpectrum();
    const QCPRange all = canvas().xAxis->range();
    const QPoint from = canvas().axisRect()->rect().center();
    QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(from + QPoint(30, 0)),
                     canvas().mapToGlobal(QPointF(from + QPoint(30, 0))), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&canvas(), &move);
    QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from + QPoint(30, 0));
    EXPECT_LT(canvas().xAxis->range().lower, all.lower);
    EXPECT_NEAR(canvas().xAxis->range().size(), all.size(), 1e-9);
}

TEST_F(PlotTest, ValuesAtTheCursorAreThoseOfTheNearestSample) {
    show();
    showSpectrum();
    EXPECT_EQ(plot().tools().cursorText(), "");
    hover(2.1); // samples at 2.0 and 2.5
    const QString text = plot().tools().cursorText();
    EXPECT_TRUE(text.endsWith(QStringLiteral("level \u221220 dB re max"))) << text.toStdString();
    EXPECT_TRUE(text.contains(" MHz")) << text.toStdString();
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&canvas(), &leave);
    EXPECT_EQ(plot().tools().cursorText(), "");
}

TEST_F(PlotTest, TheValuesAreCopiedAsText) {
    show();
    showSpectrum(3, -7.25F);
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(),
              "frequency (MHz),level (dB re max)\n1,0\n1.5,-10\n2,-7.25\n");
}

TEST_F(PlotTest, CurvesOverOtherPlacesHaveTheirOwnColumn) {
    ALineData line;
    line.rf = {1.0F, -2.0F, 3.0F};
    line.rfStepUs = 1.0;
    line.envelope = {4.0F, 5.0F};
    line.depthStepMm = 0.5;
    line.soundSpeedMps = 2000.0; // 1 mm per microsecond
    m_panels.plots->aLine().setData(line);
    EXPECT_EQ(QString::fromUtf8(csvOf(m_panels.plots->aLine().plot())),
              "depth (mm),RF (codes),depth (mm),envelope\n0,1,0,4\n1,-2,0.5,5\n2,3,,\n");
}

TEST_F(PlotTest, IsSavedAsTextPictureAndDrawing) {
    show();
    showSpectrum();
    const TemporaryFolder folder;
    const auto path = [&](const char* name) {
        return QString::fromStdString((folder / name).string());
    };
    PlotTools& tools = plot().tools();
    EXPECT_EQ(tools.saveTo(path("a.csv")), "");
    EXPECT_EQ(tools.saveTo(path("a.png")), "");
    EXPECT_EQ(tools.saveTo(path("a.svg")), "");
    QFile csv(path("a.csv"));
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    EXPECT_EQ(csv.readAll(), csvOf(canvas()));
    EXPECT_EQ(QImage(path("a.png")).size(), canvas().size() * 2);
    EXPECT_TRUE(QSvgRenderer(path("a.svg")).isValid());
    EXPECT_TRUE(tools.saveTo(path("a.txt")).contains(".csv, .png or .svg"));
    EXPECT_TRUE(tools.saveTo(path("nowhere/a.csv")).contains("cannot be written"));
}

TEST_F(PlotTest, TheMenuOpensByKeyboardToo) {
    show();
    showSpectrum();
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, {1, 1},
                            canvas().mapToGlobal(QPoint(1, 1)));
    QApplication::sendEvent(&canvas(), &asked);
    EXPECT_TRUE(plot().tools().menu().isVisible());
    EXPECT_NE(canvas().focusPolicy() & Qt::TabFocus, 0);
    plot().tools().menu().close();
}

} // namespace
} // namespace echolux
