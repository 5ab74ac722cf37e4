// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Aberration": figures, curves and maps, iterations and their strip, what is asked for.
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/aberration/aberration_panel.hpp"
#include "ui/aberration/bins_plot.hpp"
#include "ui/aberration/convergence_plot.hpp"
#include "ui/aberration/element_plot.hpp"
#include "ui/aberration/iteration_view.hpp"
#include "ui/aberration/running_plot.hpp"
#include "ui/aberration/screen_strip.hpp"
#include "ui/aberration/signals_plot.hpp"
#include "ui/controls/slider.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux {
namespace {

using Figure = AberrationPanel::Figure;
using Page = AberrationPanel::Page;

ElementValues wave(int rows, int columns, double size, double turns = 2.0) {
    ElementValues made{rows, columns, {}};
    for (int i = 0; i < rows * columns; ++i)
        made.values.push_back(size * std::sin(turns * 6.283 * i / columns + 0.5 * (i / columns)));
    return made;
}

ScreenValues screenOf(int rows, int columns, double ns) {
    const ElementValues delays = wave(rows, columns, ns);
    ElementValues tilted = delays;
    for (std::size_t i = 0; i < tilted.values.size(); ++i)
        tilted.values[i] += 20.0 + static_cast<double>(i % static_cast<std::size_t>(columns));
    return {tilted, delays, wave(rows, columns, 3.0, 3.0)};
}

AberrationValues valuesOf(int rows, int columns, int iterations = 24) {
    AberrationValues values;
    values.found = screenOf(rows, columns, 40.0);
    values.coherence = {rows, columns,
                        std::vector<double>(values.found.delayNs.values.size(), 0.8)};
    values.coherence.values[3] = 0.2;
    const int channels = rows * columns;
    values.aligned = {channels, 60, -1.0, 2.0 / 60.0, {}, {}};
    for (int channel = 0; channel < channels; ++channel) {
        for (int row = 0; row < 60; ++row) {
            const double us = -1.0 + row * 2.0 / 60.0;
            const double late =
                values.found.levelDelayNs.values[static_cast<std::size_t>(channel)] * 1e-3;
            const auto at = [](double t) {
                return static_cast<float>(std::exp(-8.0 * t * t) * std::cos(6.283 * 5.0 * t));
            };
            values.aligned.before.push_back(at(us - late));
            values.aligned.after.push_back(at(us));
        }
    }
    for (int i = 0; i < 100; ++i) {
        values.spectrum.frequencyMhz << 0.1 * i;
        values.spectrum.levelDb << -3.0 * std::pow(0.1 * i - 5.0, 2.0);
    }
    values.spectrum.binsMhz = {4.0, 4.5, 5.0, 5.5, 6.0};
    auto steps = std::make_shared<std::vector<IterationStep>>();
    for (int i = 1; i <= iterations; ++i)
        steps->push_back({i, screenOf(rows, columns, 40.0 * (1.0 - std::exp(-0.2 * i))),
                          std::exp(-0.2 * i), 0.3 * std::exp(-0.3 * i)});
    values.steps = steps;
    values.valid = values.coherent = true;
    values.meanCoherence = 0.78;
    values.rmsDelayNs = 28.3;
    values.focusBefore = 0.21;
    values.focusAfter = 0.48;
    values.sharpnessBefore = 0.0123;
    values.sharpnessAfter = 0.0231;
    values.widthBeforeMm = 0.84;
    values.widthAfterMm = 0.51;
    return values;
}

struct ShownPanel {
    explicit ShownPanel(int rows = 1, int columns = 64) {
        panel.setReason({});
        panel.setCorrectable(true, true);
        panel.resize(360, 720);
        panel.show();
        if (!QTest::qWaitForWindowExposed(&panel)) qFatal("no window");
        panel.setValues(valuesOf(rows, columns), 0.0);
    }
    static QWidget* noParent() {
        testing_support::application();
        Theme::instance().apply(ThemeKind::Dark);
        return nullptr;
    }
    void look(Page page, const char* name) {
        panel.setPage(page);
        testing_support::settle();
        const QByteArray folder = qgetenv("ECHOLUX_LOOK");
        if (!folder.isEmpty()) panel.grab().save(QString(folder) + '/' + name + ".png");
    }
    AberrationPanel panel{noParent()};
};

TEST(AberrationPanelTest, SaysWhatIsMissingAndOffersIt) {
    ShownPanel shown;
    QSignalSpy asked(&shown.panel, &AberrationPanel::pipelineRequested);
    shown.panel.setReason("This pipeline estimates no aberration.", true);
    EXPECT_EQ(shown.panel.reason(), "This pipeline estimates no aberration.");
    EXPECT_TRUE(shown.panel.openButton().isVisible());
    shown.panel.openButton().click();
    EXPECT_EQ(asked.count(), 1);
    shown.look(Page::Screen, "empty");
    shown.panel.setReason("Spectra of light have no channels.");
    EXPECT_FALSE(shown.panel.openButton().isVisible());
    shown.panel.setReason({});
    EXPECT_EQ(shown.panel.reason(), "");
    EXPECT_FALSE(shown.panel.delays().hasData()) << "values of before are gone";
}

TEST(AberrationPanelTest, FiguresWithTheirUnits) {
    ShownPanel shown;
    AberrationPanel& panel = shown.panel;
    EXPECT_EQ(panel.stateText(), "Coherent: the screen can be corrected");
    EXPECT_EQ(panel.figure(Figure::Coherence), "0.78");
    EXPECT_EQ(panel.figure(Figure::Delay), "28.3 ns");
    EXPECT_EQ(panel.figure(Figure::Focus), QString("0.210 \u2192 0.480 \u2713"));
    EXPECT_EQ(panel.figure(Figure::Width), QString("0.84 \u2192 0.51 mm \u2713"));
    EXPECT_TRUE(panel.isShown(Figure::Width));
    EXPECT_EQ(panel.figure(Figure::Residual), QString(QChar(0x2013))) << "no truth is known";
    EXPECT_EQ(panel.figure(Figure::Age), "0 frames");
    panel.setAge(1);
    EXPECT_EQ(panel.figure(Figure::Age), "1 frame");
    AberrationValues noise = valuesOf(1, 64);
    noise.valid = noise.coherent = false;
    noise.widthBeforeMm.reset();
    noise.widthAfterMm.reset();
    noise.residualNs = 3.04;
    noise.residualDb = 0.5;
    panel.setValues(noise, 1.0);
    EXPECT_EQ(panel.stateText(), "No coherent signal: nothing is corrected");
    for (const Figure figure : {Figure::Focus, Figure::Sharpness, Figure::Width})
        EXPECT_FALSE(panel.isShown(figure)) << "of a correction that is not made";
    EXPECT_EQ(panel.figure(Figure::Residual), "3.0 ns, 0.5 dB");
    EXPECT_EQ(panel.focus().count(), 2);
}

/// Speckle that is corrected has no point whose width or sharpness would tell of it.
TEST(AberrationPanelTest, FiguresThatDoNotApplyAreHiddenAndOthersSayWhatTheyMean) {
    ShownPanel shown;
    AberrationPanel& panel = shown.panel;
    AberrationValues speckle = valuesOf(1, 64);
    speckle.focusBefore = 0.058;
    speckle.focusAfter = 0.193;
    speckle.sharpnessBefore = 0.0188;
    speckle.sharpnessAfter = 0.0141;
    speckle.widthBeforeMm = 3.08;
    speckle.widthAfterMm.reset();
    panel.setValues(speckle, 1.0);
    EXPECT_EQ(panel.figure(Figure::Focus), QString("0.058 \u2192 0.193 \u2713"));
    EXPECT_FALSE(panel.isShown(Figure::Width));
    EXPECT_FALSE(panel.isShown(Figure::Sharpness));
    speckle.widthBeforeMm.reset();
    speckle.widthAfterMm = 0.5;
    panel.setValues(speckle, 2.0);
    EXPECT_EQ(panel.figure(Figure::Width), QString("no point \u2192 0.50 mm \u2713"));
    EXPECT_EQ(panel.figure(Figure::Sharpness), QString("0.0188 \u2192 0.0141 \u2717"));
    speckle.widthBeforeMm = 0.496;
    panel.setValues(speckle, 3.0);
    EXPECT_EQ(panel.figure(Figure::Width), QString("0.50 \u2192 0.50 mm ="));
    speckle.valid = false;
    panel.setValues(speckle, 4.0);
    EXPECT_EQ(panel.stateText(), "In focus as it is: nothing is corrected");
    EXPECT_FALSE(panel.isShown(Figure::Focus));
}

TEST(AberrationPanelTest, ALineHasCurvesAndAMatrixMaps) {
    ShownPanel shown;
    AberrationPanel& panel = shown.panel;
    EXPECT_FALSE(panel.delays().isMap());
    EXPECT_EQ(panel.delays().values(), valuesOf(1, 64).found.levelDelayNs);
    panel.setLevel(false);
    EXPECT_EQ(panel.delays().values(), valuesOf(1, 64).found.delayNs);
    panel.setLevel(true);
    AberrationValues known = valuesOf(1, 64);
    known.truth = screenOf(1, 64, 36.0);
    panel.setValues(known, 1.0);
    EXPECT_TRUE(panel.delays().hasTruth());
    EXPECT_TRUE(panel.delays().hasLegend()) << "which of the two curves is which";
    EXPECT_FALSE(panel.delays().chooser().isVisible()) << "both curves are drawn";
    shown.look(Page::Screen, "line_screen");
    AberrationValues matrix = valuesOf(12, 16);
    matrix.truth = screenOf(12, 16, 36.0);
    matrix.found.levelDelayNs.values[5] = std::numeric_limits<double>::quiet_NaN();
    panel.setValues(matrix, 2.0);
    EXPECT_FALSE(panel.delays().hasLegend()) << "a map has a scale";
    EXPECT_TRUE(panel.delays().isMap());
    EXPECT_TRUE(panel.delays().chooser().isVisible());
    EXPECT_NEAR(panel.delays().limit(), 50.0, 1e-9) << "a round one";
    shown.look(Page::Screen, "matrix_screen");
    shown.look(Page::Spectrum, "matrix_spectrum");
    panel.setValues(known, 3.0);
    EXPECT_FALSE(panel.delays().isMap());
    shown.look(Page::Screen, "line_again");
}

TEST(AberrationPanelTest, SignalsBeforeAndAfter) {
    ShownPanel shown;
    AberrationPanel& panel = shown.panel;
    const QImage& after = panel.signalsAfter().image();
    ASSERT_EQ(after.size(), QSize(64, 60));
    const auto differs = [](const QImage& image) {
        for (int row = 0; row < image.height(); ++row)
            for (int column = 1; column < image.width(); ++column)
                if (image.pixel(column, row) != image.pixel(0, row)) return true;
        return false;
    };
    EXPECT_FALSE(differs(after)) << "a flat wave";
    EXPECT_TRUE(differs(panel.signalsBefore().image()));
    shown.look(Page::Signals, "signals");
    EXPECT_EQ(panel.spectrum().bins().size(), 5);
    shown.look(Page::Spectrum, "line_spectrum");
    for (int i = 1; i < 40; ++i) {
        panel.focus().add(i, 0.2 + 0.01 * std::sin(i), 0.45 + 0.02 * std::cos(i));
    }
    shown.look(Page::Focusing, "focusing");
}

TEST(AberrationPanelTest, TheBandAndItsEdgesAreDragged) {
    ShownPanel shown;
    shown.panel.setPage(Page::Spectrum);
    shown.look(Page::Spectrum, "band");
    BinsPlot& spectrum = shown.panel.spectrum();
    QCustomPlot& plot = spectrum.plot();
    QSignalSpy dragged(&shown.panel, &AberrationPanel::bandDragged);
    const auto& bins = spectrum.bins();
    const double half = 0.5 * (bins.back() - bins.front()) / static_cast<double>(bins.size() - 1);
    const double low = bins.front() - half;
    const double high = bins.back() + half;
    const auto drag = [&](double fromMhz, double byMhz) {
        dragged.clear();
        const int y = plot.axisRect()->rect().center().y();
        const auto at = [&](double mhz) {
            return QPoint(static_cast<int>(std::lround(plot.xAxis->coordToPixel(mhz))), y);
        };
        QTest::mousePress(&plot, Qt::LeftButton, {}, at(fromMhz));
        QTest::mouseMove(&plot, at(fromMhz + byMhz));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, at(fromMhz + byMhz));
        return dragged.isEmpty() ? QList<QVariant>{0.0, 0.0} : dragged.last();
    };
    const double pixel = plot.xAxis->pixelToCoord(1) - plot.xAxis->pixelToCoord(0);
    QList<QVariant> edge = drag(high, 0.5);
    EXPECT_NEAR(edge[1].toDouble(), high - low + 0.5, 2.0 * pixel);
    EXPECT_NEAR(edge[0].toDouble(), 0.5 * (low + high) + 0.25, 2.0 * pixel);
    const QList<QVariant> whole = drag(0.5 * (low + high), 0.3);
    EXPECT_NEAR(whole[1].toDouble(), high - low + 0.5, 2.0 * pixel) << "as it was left";
    EXPECT_NEAR(whole[0].toDouble(), 0.5 * (low + high) + 0.55, 3.0 * pixel);
    const double range = plot.xAxis->range().lower;
    drag(high + 2.0, 0.3);
    EXPECT_TRUE(dragged.isEmpty()) << "beside it the plot is moved";
    EXPECT_NE(plot.xAxis->range().lower, range);
}

TEST(AberrationPanelTest, IterationsUnderASlider) {
    ShownPanel shown;
    IterationView& view = shown.panel.iterations();
    EXPECT_EQ(view.step(), 23) << "the last one";
    shown.panel.setValues(valuesOf(1, 64, 30), 1.0);
    EXPECT_EQ(view.step(), 29) << "whoever looks at the last one sees the last one";
    view.slider().setValue(6);
    EXPECT_EQ(view.step(), 6);
    shown.panel.setValues(valuesOf(1, 64, 24), 2.0);
    EXPECT_EQ(view.step(), 6);
    EXPECT_EQ(view.delays().values(), (*valuesOf(1, 64).steps)[6].screen.levelDelayNs);
    EXPECT_EQ(view.amplitudes().values(), (*valuesOf(1, 64).steps)[6].screen.amplitudeDb);
    shown.look(Page::Iterations, "iterations");
    shown.panel.setValues(valuesOf(1, 64, 3), 3.0);
    EXPECT_EQ(view.step(), 2);
    shown.panel.setValues(valuesOf(1, 64, 0), 4.0);
    EXPECT_EQ(view.step(), -1);
    EXPECT_TRUE(view.strip().isNull());
    EXPECT_FALSE(view.convergence().hasData());
    EXPECT_FALSE(view.amplitudes().hasData());
    AberrationValues delaysAlone = valuesOf(1, 64, 5);
    auto steps = std::make_shared<std::vector<IterationStep>>(*delaysAlone.steps);
    for (IterationStep& step : *steps) step.screen.amplitudeDb.values.assign(64, 0.0);
    delaysAlone.steps = steps;
    shown.panel.setValues(delaysAlone, 5.0);
    EXPECT_TRUE(view.amplitudes().isHidden()) << "the method leaves amplitudes as they are";
    shown.panel.setValues(valuesOf(1, 64, 5), 6.0);
    EXPECT_FALSE(view.amplitudes().isHidden());
    shown.panel.setValues(valuesOf(1, 64, 0), 7.0);
    EXPECT_FALSE(view.cineButton().isEnabled()) << "there is nothing to save";
}

/// Three points are published: the iteration after which the program ended, for three limits.
TEST(AberrationPanelTest, PublishedMethodsStandBesideWhatWasPublished) {
    ShownPanel shown(12, 16);
    ConvergencePlot& plot = shown.panel.iterations().convergence();
    EXPECT_FALSE(plot.showsPublished());
    AberrationValues published = valuesOf(12, 16, 6);
    published.published = true;
    shown.panel.setValues(published, 1.0);
    EXPECT_TRUE(plot.showsPublished());
    EXPECT_GE(plot.plot().xAxis->range().upper, 21.0) << "the last published one is in sight";
    EXPECT_LE(plot.plot().yAxis->range().lower, 0.01);
    shown.look(Page::Iterations, "published");
    shown.panel.setValues(valuesOf(12, 16, 6), 2.0);
    EXPECT_FALSE(plot.showsPublished());
    QSignalSpy wanted(&shown.panel.iterations(), &IterationView::cineWanted);
    shown.panel.iterations().cineButton().click();
    EXPECT_EQ(wanted.count(), 1);
}

TEST(AberrationPanelTest, TimesStandBesideTheBoundOfABeam) {
    ShownPanel shown;
    EXPECT_FALSE(shown.panel.isShown(Figure::Time)) << "nothing was timed";
    shown.panel.setTimes({.estimateMs = 0.1, .correctionMs = 0.05});
    EXPECT_EQ(shown.panel.figure(Figure::Time), "0.1 + 0.05 ms, within 0.167 ms");
    shown.panel.setTimes({.estimateMs = 1234.2, .correctionMs = 110.0});
    EXPECT_EQ(shown.panel.figure(Figure::Time), "1234 + 110 ms, beyond 0.167 ms");
    shown.panel.setTimes({.estimateMs = 0.42, .correctionMs = 0.06});
    shown.panel.setParts(AberrationParts{0.05, 0.031, 1.24, 120.4});
    EXPECT_EQ(shown.panel.figure(Figure::Parts),
              "focus 0.05, sums 0.031, solution 1.2, end 120 ms");
    shown.look(Page::Screen, "times");
    shown.panel.clear();
    EXPECT_FALSE(shown.panel.isShown(Figure::Parts));
    EXPECT_NEAR(AberrationTimes::kBeamMs, 0.167, 5e-4);
    shown.panel.setTimes({});
    EXPECT_FALSE(shown.panel.isShown(Figure::Time));
}

TEST(AberrationPanelTest, StripsArePictures) {
    ShownPanel shown(12, 16);
    IterationView& view = shown.panel.iterations();
    QTemporaryDir folder;
    const QString path = folder.filePath("strip.png");
    ASSERT_EQ(view.saveStrip(path), "");
    const QImage strip(path);
    EXPECT_EQ(strip.size(), view.strip().size());
    EXPECT_GT(strip.width(), 9 * 180) << "eight marked ones, and the last";
    EXPECT_NE(view.saveStrip(folder.filePath("none/strip.png")), "");
    const QByteArray look = qgetenv("ECHOLUX_LOOK");
    if (!look.isEmpty()) {
        strip.save(QString(look) + "/strip.png");
        ShownPanel line;
        line.panel.iterations().strip().save(QString(look) + "/strip_line.png");
    }
    EXPECT_GT(signedColour(1.0).red(), signedColour(1.0).blue());
    EXPECT_GT(signedColour(-1.0).blue(), signedColour(-1.0).red());
}

TEST(AberrationPanelTest, CorrectionIsChosenByButtonAndKey) {
    ShownPanel shown;
    AberrationPanel& panel = shown.panel;
    QSignalSpy chosen(&panel, &AberrationPanel::correctionChosen);
    panel.setCorrection(Correction::Off);
    EXPECT_EQ(chosen.count(), 0);
    QAction* flip = panel.actions().front();
    flip->trigger();
    EXPECT_EQ(panel.correction(), Correction::On);
    flip->trigger();
    EXPECT_EQ(panel.correction(), Correction::Off);
    QAction* blink = panel.actions().back();
    blink->trigger();
    EXPECT_EQ(panel.correction(), Correction::Blink);
    EXPECT_TRUE(panel.correctionButton(Correction::Blink).isChecked());
    panel.correctionButton(Correction::Split).click();
    EXPECT_FALSE(blink->isChecked());
    EXPECT_EQ(chosen.count(), 4);
    panel.setCorrectable(true, false);
    EXPECT_FALSE(panel.correctionButton(Correction::Split).isEnabled());
    panel.setCorrectable(false, false);
    EXPECT_FALSE(flip->isVisible());
    EXPECT_FALSE(panel.correctionButton(Correction::On).isEnabled());
}

TEST(AberrationPanelTest, TheRegionIsAskedFor) {
    ShownPanel shown;
    QSignalSpy toggled(&shown.panel, &AberrationPanel::regionToggled);
    shown.panel.setRegionShown(true);
    EXPECT_EQ(toggled.count(), 0);
    shown.panel.regionButton().click();
    ASSERT_EQ(toggled.count(), 1);
    EXPECT_FALSE(toggled.front().front().toBool());
}

} // namespace
} // namespace echolux
