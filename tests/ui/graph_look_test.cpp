// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as it is painted: what the switch of a stage looks like.
#include "tests/support/qt_application.hpp"
#include "tests/ui/graph_fixtures.hpp"
#include "ui/graph/graph_view.hpp"
#include "ui/theme/theme.hpp"

#include <QColor>
#include <QImage>
#include <QTest>

#include <gtest/gtest.h>

#include <cstdlib>

namespace echolux {
namespace {

/// Of the switch's track, beside its knob.
QColor trackColour(bool bypassed, bool canBypass) {
    testing_support::application();
    Theme::instance().ensureApplied();
    GraphModel model = testing_support::branchedGraph();
    const int index = nodeIndex(model, "das");
    model.nodes[index].bypassed = bypassed;
    model.nodes[index].canBypass = canBypass;
    GraphView view;
    view.resize(900, 700);
    view.setModel(model);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
    QPointF place = switchRect(view.scene().box(index)).center();
    place.rx() += bypassed ? 4.0 : -4.0; // the knob of a switch that is on stands at the right
    return view.grab().toImage().pixelColor(view.toWidget(place).toPoint());
}

int distance(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
           std::abs(a.blue() - b.blue());
}

TEST(GraphLook, AStageThatCannotBeSwitchedOffLooksOn) {
    const QColor on = trackColour(false, true);
    const QColor off = trackColour(true, true);
    const QColor fixed = trackColour(false, false);
    ASSERT_GT(distance(on, off), 100);
    EXPECT_LT(distance(fixed, on), distance(fixed, off));
    EXPECT_GT(distance(fixed, on), 20) << "and it can be told from one that can be switched";
}

} // namespace
} // namespace echolux
