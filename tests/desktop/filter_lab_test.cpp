// SPDX-License-Identifier: GPL-3.0-or-later
// The filter lab in the window: closed at first, computed in the background when opened, and the
// interpolator of the pipeline among its curves.
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/lab/curve_key.hpp"
#include "ui/lab/filter_lab_panel.hpp"
#include "ui/lab/image_comparison.hpp"
#include "ui/lab/lab_picture_plot.hpp"
#include "ui/lab/read_response_plot.hpp"
#include "ui/lab/snr_plot.hpp"
#include "ui/lab/taps_plot.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

struct Lab : OpenWindow {
    using OpenWindow::OpenWindow;
    FilterLabPanel& panel() { return desktop.panel<FilterLabPanel>(); }
    QDockWidget& dock() { return *desktop.window().findChild<QDockWidget*>("filter_lab"); }
    bool opens() {
        dock().toggleViewAction()->trigger();
        return comesTrue([&] { return panel().plot().hasData(); });
    }
    QString inUse() {
        QString name;
        for (const CurveKey* key : panel().keys())
            if (key->text().endsWith("(in use)")) name += key->text();
        return name;
    }
    CurveKey* key(const QString& id) {
        const auto at = std::ranges::find(panel().keys(), id, &CurveKey::id);
        return at == panel().keys().end() ? nullptr : *at;
    }
    /// At 0.2 cycles per sample; nothing where it is not drawn.
    std::optional<double> level(const QString& name) {
        QCustomPlot& plot = panel().plot().plot();
        for (int i = 0; i < plot.graphCount(); ++i) {
            if (plot.graph(i)->name() == name)
                return plot.graph(i)->data()->findBegin(0.1999, false)->value;
        }
        return {};
    }
    void choose(const char* key, const ParamValue& value) {
        emit desktop.window().parameters().parameterEdited("beamform", key, value);
    }
};

TEST(FilterLab, IsClosedAtFirstAndTestsWhenItIsOpened) {
    Lab lab;
    EXPECT_TRUE(lab.dock().isHidden());
    EXPECT_FALSE(lab.panel().plot().hasData());
    ASSERT_TRUE(lab.opens());
    EXPECT_NEAR(lab.level("linear").value_or(0.0), 16.4, 0.7);
    EXPECT_NEAR(lab.level("Lagrange 5").value_or(0.0), 34.9, 0.7);
    EXPECT_EQ(lab.inUse(), "linear (in use)");
}

TEST(FilterLab, HasMegahertzBesideCyclesPerSample) {
    Lab lab;
    ASSERT_TRUE(lab.opens());
    const double samplingMHz =
        lab.desktop.session().engine().info().frame.samplingFrequencyHz() * 1e-6;
    ASSERT_GT(samplingMHz, 1.0);
    QCustomPlot& plot = lab.panel().plot().plot();
    EXPECT_TRUE(plot.xAxis2->visible());
    EXPECT_TRUE(plot.xAxis2->label().contains("beamformer")) << "the analytic signal is mixed down";
    EXPECT_NEAR(plot.xAxis2->range().upper, 0.5 * samplingMHz, 1e-9);
    EXPECT_GT(plot.yAxis->range().upper, 50.0) << "fitted to the curves beside that axis";
    const QCPRange delays = lab.panel().responsePlot().plot().yAxis2->range();
    EXPECT_LT(delays.lower, 0.0) << "all fractions from 0 to 1";
    EXPECT_GT(delays.upper, 1.0);
    plot.xAxis->setRange(0.1, 0.2);
    EXPECT_NEAR(plot.xAxis2->range().lower, 0.1 * samplingMHz, 1e-9);
    EXPECT_NEAR(plot.xAxis2->range().upper, 0.2 * samplingMHz, 1e-9);
}

TEST(FilterLab, TestsAnewForOtherDelaysAndHidesCurves) {
    Lab lab;
    ASSERT_TRUE(lab.opens());
    ASSERT_NE(lab.key("lagrange_4"), nullptr);
    EXPECT_FALSE(lab.level("Lagrange 4"));
    lab.key("lagrange_4")->click();
    EXPECT_NEAR(lab.level("Lagrange 4").value_or(0.0), 38.4, 0.7);
    lab.panel().findChild<QComboBox*>()->setCurrentIndex(1);
    EXPECT_TRUE(
        comesTrue([&] { return std::abs(lab.level("Lagrange 4").value_or(0.0) - 31.1) < 0.7; }));
    lab.key("linear")->click();
    EXPECT_FALSE(lab.level("linear"));
}

TEST(FilterLab, FollowsTheInterpolationOfThePipeline) {
    Lab lab;
    ASSERT_TRUE(lab.opens());
    lab.choose("interpolation", std::string("lagrange"));
    EXPECT_EQ(lab.inUse(), "Lagrange 3 (in use)");
    lab.choose("interpolation", std::string("sinc"));
    lab.choose("sinc_taps", std::int64_t{7});
    EXPECT_EQ(lab.inUse(), "sinc 7 (in use)");
    EXPECT_TRUE(comesTrue([&] { return lab.level("sinc 7").has_value(); }));
}

TEST(FilterLab, DrawsTheTapsAndTheResponsesOfNineFractions) {
    Lab lab;
    ASSERT_TRUE(lab.opens());
    const auto graph = [](HintPlot& of, const QString& name) -> QCPGraph* {
        for (int i = 0; i < of.plot().graphCount(); ++i)
            if (of.plot().graph(i)->name() == name) return of.plot().graph(i);
        return nullptr;
    };
    EXPECT_EQ(graph(lab.panel().tapsPlot(), "taps")->dataCount(), 2); // linear
    lab.choose("interpolation", std::string("lagrange"));
    EXPECT_EQ(graph(lab.panel().tapsPlot(), "taps")->dataCount(), 4);
    HintPlot& response = lab.panel().responsePlot();
    const auto at = [&](const QString& name, double f) {
        QCPGraph* curve = graph(response, name);
        return curve == nullptr ? -1e3 : curve->data()->findBegin(f - 1e-6, false)->value;
    };
    const QStringList fractions{"0.000", "0.125", "0.250", "0.375", "0.500",
                                "0.625", "0.750", "0.875", "1.000"};
    for (const QString& fraction : fractions) {
        EXPECT_NEAR(at("delay at " + fraction, 0.1), fraction.toDouble(), 0.02)
            << fraction.toStdString();
        EXPECT_NEAR(at("magnitude at " + fraction, 0.1), 0.0, 0.2) << fraction.toStdString();
    }
    EXPECT_NEAR(at("magnitude at 0.500", 0.4), at("magnitude", 0.4), 1e-9)
        << "the chosen fraction is a half";
    EXPECT_LT(at("magnitude at 0.500", 0.4), at("magnitude at 0.125", 0.4) - 1.0);
}

struct ImageLab : Lab {
    using Lab::Lab;
    ImageComparison& page() { return panel().imagePage(); }
    /// On a coarse grid, because 16 interpolators take their time.
    bool compares() {
        choose("pixel_lateral", 0.5e-3);
        choose("pixel_depth", 0.2e-3);
        if (!rests()) return false;
        page().button().click();
        return comesTrue([&] { return page().button().isEnabled() && page().rows() > 0; });
    }
    int rowOf(const QString& name) {
        for (int row = 0; row < page().rows(); ++row)
            if (page().row(row).name == name) return row;
        ADD_FAILURE() << "no row " << name.toStdString();
        return 0;
    }
    const ComparedImage& row(const QString& name) { return page().row(rowOf(name)); }
};

TEST(FilterLab, ComparesTheInterpolatorsOnTheFrozenImage) {
    ImageLab lab;
    ASSERT_TRUE(lab.showsFrames(1));
    ASSERT_TRUE(lab.freezes());
    lab.dock().toggleViewAction()->trigger();
    lab.panel().showImagePage();
    ASSERT_TRUE(lab.compares());
    EXPECT_EQ(lab.page().rows(), 16);
    int best = 0;
    for (int row = 0; row < lab.page().rows(); ++row) {
        const ComparedImage& image = lab.page().row(row);
        best += image.best ? 1 : 0;
        EXPECT_GT(image.ms, 0.0) << image.name.toStdString();
        EXPECT_LT(image.differenceDb, -10.0) << image.name.toStdString();
    }
    EXPECT_EQ(best, 1);
    EXPECT_TRUE(lab.row("linear").inUse);
    EXPECT_GT(lab.row("nearest").differenceDb, lab.row("linear").differenceDb + 3.0);
    EXPECT_GT(lab.row("linear").differenceDb, lab.row("Lagrange 5").differenceDb + 3.0);
    EXPECT_NEAR(lab.row("texture").differenceDb, lab.row("linear").differenceDb, 1.0);
    EXPECT_FALSE(lab.page().plot().hasData());
    lab.page().choose(lab.rowOf("nearest"));
    ASSERT_TRUE(lab.page().plot().hasData());
    const LabPicture& shown = lab.page().plot().picture();
    EXPECT_EQ(static_cast<int>(shown.values.size()), shown.columns * shown.rows);
    EXPECT_LT(*std::ranges::max_element(shown.values), 0.0F);
}

TEST(FilterLab, SaysThatTheComparedImageIsAnotherOneNow) {
    ImageLab lab;
    ASSERT_TRUE(lab.showsFrames(1));
    ASSERT_TRUE(lab.freezes());
    lab.dock().toggleViewAction()->trigger();
    lab.panel().showImagePage();
    ASSERT_TRUE(lab.compares());
    const auto isStale = [&] { return lab.page().text().contains("another one now"); };
    EXPECT_FALSE(isStale());
    lab.choose("interpolation", std::string("sinc"));
    EXPECT_FALSE(isStale()) << "the table has all interpolations";
    lab.choose("f_number", 3.0);
    EXPECT_TRUE(comesTrue(isStale));
}

TEST(FilterLab, SaysWhyNothingCanBeCompared) {
    ImageLab lab{OpenRequest{ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5"}};
    ASSERT_TRUE(lab.showsFrames(1));
    lab.dock().toggleViewAction()->trigger();
    lab.panel().showImagePage();
    lab.page().button().click();
    EXPECT_TRUE(comesTrue([&] { return lab.page().text().contains("are not beamformed"); }))
        << lab.page().text().toStdString();
}

} // namespace
} // namespace echolux
