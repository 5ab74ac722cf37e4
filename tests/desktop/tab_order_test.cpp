// SPDX-License-Identifier: GPL-3.0-or-later
// Tab goes through the window as the eye does.
#include "app/desktop/file_desk.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/plots/column_plots.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/seek_bar.hpp"

#include <QDockWidget>
#include <QScrollArea>
#include <QStatusBar>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

struct Stop {
    QString part;
    QRect place; ///< in what scrolls, or else in the window
    const QWidget* widget;
    bool isSeen; ///< has been scrolled to
};

const QWidget* scrolledAround(const QWidget& window, const QWidget* widget) {
    for (; widget != &window; widget = widget->parentWidget()) {
        const QWidget* port = widget->parentWidget();
        if (qobject_cast<const QScrollArea*>(port->parentWidget()) != nullptr) return widget;
    }
    return widget;
}

/// Name of the bar or dock, else "centre".
QString partOf(const QWidget& window, const QWidget* widget) {
    for (; widget->parentWidget() != &window; widget = widget->parentWidget()) {
    }
    if (qobject_cast<const QTabBar*>(widget) != nullptr) return "tabs";
    if (qobject_cast<const QStatusBar*>(widget) != nullptr) return "status";
    return widget->objectName();
}

/// Where Tab, or Shift+Tab, goes from the bar of frames until it is there again.
std::vector<Stop> journey(MainWindow& window, Qt::KeyboardModifiers modifiers) {
    QWidget* start = window.transport().seekSlider();
    start->setFocus(Qt::TabFocusReason);
    std::vector<Stop> stops;
    constexpr int kMost = 1000;
    QWidget* at = start;
    do {
        const QPoint place = at->mapTo(scrolledAround(window, at), QPoint());
        stops.push_back(
            {partOf(window, at), {place, at->size()}, at, !at->visibleRegion().isEmpty()});
        QTest::keyClick(at, Qt::Key_Tab, modifiers);
        at = window.focusWidget();
    } while (at != start && at != nullptr && stops.size() < kMost);
    return stops;
}

QStringList partsOf(const std::vector<Stop>& stops) {
    QStringList parts;
    for (const Stop& stop : stops)
        if (stop.part != "tabs" && (parts.isEmpty() || parts.back() != stop.part))
            parts << stop.part;
    return parts;
}

struct TabOrder : testing::Test {
    void open(const char* file, int width) {
        m_window.desktop.files().open(QString(ECHOLUX_SOURCE_DIR "/testdata/") + file);
        ASSERT_TRUE(m_window.openingEnds());
        main().resize(width, 900);
        main().activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&main()));
        ASSERT_TRUE(m_window.freezes());
        for (const char* name : {"plots", "performance"})
            main().findChild<QDockWidget*>(name)->toggleViewAction()->trigger();
        emit m_window.desktop.view().columnPicked(1e-3); // plots that are empty take no keys
        ColumnPlots& plots = m_window.desktop.panel<ColumnPlots>();
        ASSERT_TRUE(comesTrue([&] { return plots.aLine().hasData() || plots.ascan().hasData(); }));
    }
    MainWindow& main() { return m_window.desktop.window(); }
    OpenWindow m_window;
};

TEST_F(TabOrder, IsToolbarParametersViewDocksStatus) {
    open("phantom_cine.echolux.h5", 1600);
    const std::vector<Stop> stops = journey(main(), {});
    EXPECT_EQ(partsOf(stops).join(' ').toStdString(),
              "transport parameters centre plots performance status transport")
        << "the speed stands before the bar of frames";
    std::vector<const QWidget*> seen;
    for (const Stop& stop : stops) {
        EXPECT_EQ(std::ranges::find(seen, stop.widget), seen.end()) << "twice";
        seen.push_back(stop.widget);
        EXPECT_TRUE(stop.isSeen) << stop.part.toStdString();
    }
    EXPECT_GT(stops.size(), 30U);
}

TEST_F(TabOrder, GoesDownThePartsAndAlongTheirRows) {
    open("phantom_cine.echolux.h5", 1600);
    const std::vector<Stop> stops = journey(main(), {});
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const Stop& before = stops[i - 1];
        const Stop& now = stops[i];
        if (now.part != before.part ||
            scrolledAround(main(), now.widget) != scrolledAround(main(), before.widget))
            continue;
        const bool below = now.place.top() > before.place.bottom();
        const bool right = now.place.left() >= before.place.left();
        EXPECT_TRUE(below || right) << now.part.toStdString() << ", stop " << i;
    }
}

TEST_F(TabOrder, GoesBackTheSameWay) {
    open("phantom_cine.echolux.h5", 1280);
    const std::vector<Stop> there = journey(main(), {});
    std::vector<Stop> back = journey(main(), Qt::ShiftModifier);
    std::reverse(back.begin() + 1, back.end());
    ASSERT_EQ(there.size(), back.size());
    for (std::size_t i = 0; i < there.size(); ++i) EXPECT_EQ(there[i].widget, back[i].widget) << i;
}

TEST_F(TabOrder, FollowsTheViewsOfAVolume) {
    open("retina_volume.echolux.h5", 1600);
    ViewArea& views = m_window.desktop.views();
    ASSERT_TRUE(comesTrue([&] { return views.volume().isVisible(); }));
    const std::vector<Stop> stops = journey(main(), {});
    const auto at = [&](const QWidget& view) {
        return std::ranges::find(stops, &view, &Stop::widget) - stops.begin();
    };
    ASSERT_LT(at(views.volume()), static_cast<std::ptrdiff_t>(stops.size()));
    EXPECT_LT(at(views.volume()), at(views.bscan())) << "the largest comes first";
    EXPECT_LT(at(views.bscan()), at(views.enFace()));
    for (std::size_t i = 1; i < stops.size(); ++i) {
        if (stops[i].part != "centre" || stops[i - 1].part != "centre") continue;
        const QRect now = stops[i].place;
        const QRect before = stops[i - 1].place;
        EXPECT_TRUE(now.left() >= before.left() || now.top() > before.bottom()) << i;
    }
}

} // namespace
} // namespace echolux
