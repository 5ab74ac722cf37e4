// SPDX-License-Identifier: GPL-3.0-or-later
// The singular values in the window: found while their dock is in sight, and
// the thresholds of the stage dragged at the lines as one step of the list of
// edits.
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/session/session.hpp"
#include "app/tools/singular_values/look.hpp"
#include "app/tools/singular_values/plot.hpp"
#include "gpu/stages/clutter_filter.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QDockWidget>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::comesTrue;
using testing_support::OpenWindow;

OpenRequest vessel(const std::string& pipeline) {
    OpenRequest request = bundled("vessel_flow.echolux.h5");
    request.choosePipeline = [pipeline](const FrameSpec& raw) {
        return fittedPipeline(pipeline, raw);
    };
    return request;
}

struct SingularWindow : OpenWindow {
    explicit SingularWindow(const std::string& pipeline = "colour_flow_svd")
        : OpenWindow(vessel(pipeline)) {}
    SingularPlot& plot() { return desktop.panel<SingularPlot>(); }
    QDockWidget& dock() { return *desktop.window().findChild<QDockWidget*>("singular_values"); }
    const ClutterFilterParams& params() {
        m_snapshot = desktop.session().snapshot();
        return m_snapshot->findWith<ClutterFilterParams>()->params.as<ClutterFilterParams>();
    }
    bool opens() {
        dock().toggleViewAction()->trigger();
        return measuresUntil([&] { return plot().hasData(); });
    }
    template <class Condition> bool measuresUntil(const Condition& holds) {
        return comesTrue([&] {
            desktop.statistics().measure();
            return holds();
        });
    }
    void drags(double from, double to) {
        QCustomPlot& area = plot().plot();
        const auto at = [&](double value) {
            return QPoint{static_cast<int>(std::lround(area.xAxis->coordToPixel(value))),
                          area.axisRect()->center().y()};
        };
        QTest::mousePress(&area, Qt::LeftButton, {}, at(from));
        for (const double part : {0.3, 0.7, 1.0})
            QTest::mouseMove(&area, at(from + part * (to - from)));
        QTest::mouseRelease(&area, Qt::LeftButton, {}, at(to));
    }

private:
    SnapshotPtr m_snapshot;
};

TEST(SingularValues, AreFoundOnlyWhileTheDockIsInSight) {
    SingularWindow window;
    EXPECT_TRUE(window.dock().isHidden());
    ASSERT_TRUE(window.freezes());
    window.desktop.statistics().measure();
    EXPECT_EQ(window.desktop.session().engine().look<SingularLook>().latest(), nullptr);
    ASSERT_TRUE(window.opens());
    EXPECT_EQ(window.desktop.session().engine().look<SingularLook>().latest()->values.size(), 32U);
    EXPECT_EQ(window.plot().first(), 3);
    EXPECT_EQ(window.plot().last(), 32);
    EXPECT_TRUE(window.plot().readout().startsWith("3 to 32 of 32 are kept"))
        << window.plot().readout().toStdString();
}

TEST(SingularValues, ALineIsDraggedAsOneStep) {
    SingularWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    const auto steps = window.desktop.edits().details().size();
    window.drags(2.5, 6.5);
    EXPECT_EQ(window.params().first, 7);
    EXPECT_EQ(window.plot().first(), 7);
    EXPECT_GE(window.params().last, 32) << "the other line stays at the end";
    EXPECT_EQ(window.desktop.edits().details().size(), steps + 1);
    window.drags(32.5, 20.5);
    EXPECT_EQ(window.params().last, 20);
    EXPECT_EQ(window.params().first, 7);
    window.drags(6.5, 25.0);
    EXPECT_EQ(window.params().first, 20) << "one value stays";
    for (int i = 0; i < 3; ++i) window.desktop.edits().undo();
    EXPECT_EQ(window.params().first, 3);
    EXPECT_EQ(window.plot().first(), 3);
}

TEST(SingularValues, ADragEndsTheAutomaticChoice) {
    SingularWindow window;
    ASSERT_TRUE(window.freezes());
    ASSERT_TRUE(window.opens());
    emit window.desktop.window().parameters().parameterEdited("clutter_filter", "thresholds",
                                                              std::string("automatic"));
    ASSERT_TRUE(window.measuresUntil([&] {
        const auto found = window.desktop.session().engine().look<SingularLook>().latest();
        return found->kept.first + 1 == window.plot().first() &&
               found->kept.end == window.plot().last();
    }));
    const int first = window.plot().first();
    EXPECT_GT(first, 1);
    window.drags(first - 0.5, first + 1.5);
    EXPECT_EQ(window.params().thresholds, flow::ChosenBy::Number);
    EXPECT_EQ(window.params().first, first + 2);
}

TEST(SingularValues, OtherPipelinesSayWhatOpensThem) {
    SingularWindow window("colour_flow");
    ASSERT_TRUE(window.freezes());
    window.dock().toggleViewAction()->trigger();
    window.desktop.statistics().measure();
    EXPECT_FALSE(window.plot().hasData());
}

} // namespace
} // namespace echolux
