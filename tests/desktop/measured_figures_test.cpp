// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the dock "Measurements": the histogram of a region, levels below the displayed range,
// and figures beside kept ones.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/session/pixels_look.hpp"
#include "app/tools/measurements/distribution_plot.hpp"
#include "tests/desktop/measurements_window.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QComboBox>
#include <QTabBar>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::MeasurementsWindow;

TEST(MeasuredFigures, HaveAHistogramOfTheSelectedRegion) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.panel().pages().setCurrentIndex(2);
    DistributionPlot& plot = window.panel().histogram();
    ASSERT_TRUE(comesTrue([&] { return plot.isVisible(); }));
    EXPECT_FALSE(plot.hasData());
    for (const double depth : {19.5, 22.0}) { // of different heights
        window.draws({-6.0, depth}, {-4.0, 23.0});
        window.press("Region");
    }
    ASSERT_TRUE(window.measures([&] { return plot.hasData(); }));
    const auto shows = [&](const char* name) {
        const QString number = window.figure(name, "Pixels");
        return !number.isEmpty() && QString(plot.readout()).remove(',').startsWith(number + ' ');
    };
    EXPECT_TRUE(shows("rectangle 2")) << plot.readout().toStdString();
    window.panel().list().clearSelection();
    EXPECT_TRUE(shows("rectangle 1")) << plot.readout().toStdString();
    window.panel().list().topLevelItem(1)->setSelected(true);
    EXPECT_TRUE(shows("rectangle 2")) << plot.readout().toStdString();
    auto* counted = plot.findChild<QComboBox*>();
    counted->setCurrentIndex(1);
    emit counted->activated(1);
    EXPECT_EQ(plot.plot().xAxis->label(), "power / mean power");
    window.panel().list().clearSelection();
    window.desktop.edits().undo();
    window.desktop.edits().undo();
    EXPECT_FALSE(plot.hasData());
}

TEST(MeasuredFigures, AreComparedWithKeptOnes) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    QTreeWidget& list = window.panel().list();
    window.press("Compare"); // nothing is measured
    EXPECT_TRUE(list.isColumnHidden(2));
    window.draw("Point", {{-7.0, 18.0}});
    ASSERT_TRUE(window.hasFigure("point 1", "Depth"));
    window.press("Compare");
    EXPECT_FALSE(list.isColumnHidden(2));
    EXPECT_FALSE(list.isColumnHidden(3));
    const auto depth = [&](int column) {
        for (int line = 0; line < list.topLevelItem(0)->childCount(); ++line)
            if (const auto* item = list.topLevelItem(0)->child(line); item->text(0) == "Depth")
                return item->text(column).section(' ', 0, 0).toDouble();
        return 0.0;
    };
    EXPECT_EQ(depth(2), depth(1));
    EXPECT_EQ(depth(3), 0.0);
    const double kept = depth(2);
    emit window.desktop.window().parameters().parameterEdited("beamform", "speed_of_sound", 1600.0);
    ASSERT_TRUE(window.measures([&] { return depth(3) > 0.1; }));
    EXPECT_EQ(depth(2), kept);
    EXPECT_NEAR(depth(1) - depth(2), depth(3), 6e-3) << "of three digits";
    emit window.panel().renamed("point 1", "wire");
    EXPECT_EQ(depth(2), kept) << "the reference is renamed, too";
    window.press("Compare");
    EXPECT_TRUE(list.isColumnHidden(2));
    EXPECT_FALSE(window.panel().text().contains('+'));
}

TEST(MeasuredFigures, CountLevelsBelowTheDisplayedRange) {
    MeasurementsWindow window;
    ASSERT_TRUE(window.opens());
    window.draws({-2.8, 19.6}, {-1.1, 21.2}); // a cyst
    window.press("Region");
    const auto lowest = [&] {
        return window.figure("rectangle 1", "Lowest").section(' ', 0, 0).toDouble();
    };
    ASSERT_TRUE(window.hasFigure("rectangle 1", "Lowest"));
    const double before = lowest();
    ASSERT_LT(before, -25.0);
    emit window.desktop.window().parameters().parameterEdited("log_compression", "range_db", 20.0);
    ASSERT_TRUE(window.showsMoreFrames(1));
    ASSERT_TRUE(window.measures([&] {
        const auto pixels = window.desktop.session().engine().look<PixelsLook>().latest(0);
        return pixels && std::ranges::min(pixels->values) == -20.0F;
    }));
    window.desktop.statistics().measure();
    EXPECT_NEAR(lowest(), before, 0.1);
}

} // namespace
} // namespace echolux
