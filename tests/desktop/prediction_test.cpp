// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Prediction" in the window: the pipeline in force on every device, files of devices, and
// marks.
#include "app/desktop/statistics_desk.hpp"
#include "app/prediction/device_file.hpp"
#include "app/prediction/pipeline_prediction.hpp"
#include "app/session/session.hpp"
#include "app/tools/prediction/panel.hpp"
#include "app/tools/prediction/roofline_plot.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/window/message_bar.hpp"

#include <QCheckBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabBar>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace echolux {
namespace {

using test::TemporaryFolder;
using testing_support::comesTrue;
using testing_support::OpenWindow;

struct PredictionWindow : OpenWindow {
    using OpenWindow::OpenWindow;
    PredictionPanel& panel() { return desktop.panel<PredictionPanel>(); }
    QDockWidget& dock() { return *desktop.window().findChild<QDockWidget*>("prediction"); }
    bool opens() {
        dock().toggleViewAction()->trigger();
        return comesTrue([&] {
            desktop.statistics().measure();
            return !panel().stages().bands().isEmpty();
        });
    }
    void measure() { desktop.statistics().measure(); }
    QString message() { return desktop.window().messages().text(); }
};

TEST(Prediction, ThePipelineIsPredictedOnEveryDeviceOnceTheDockIsInSight) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1));
    window.measure();
    EXPECT_TRUE(window.panel().stages().bands().isEmpty()) << "hidden";
    ASSERT_TRUE(window.opens());
    const SnapshotPtr snapshot = window.desktop.session().snapshot();
    const PipelinePrediction expected = predictPipeline(snapshot, deviceBy("h200"), {});
    const QList<Band>& stages = window.panel().stages().bands();
    ASSERT_EQ(stages.size(), static_cast<qsizetype>(expected.steps.size()));
    for (std::size_t i = 0; i < expected.steps.size(); ++i) {
        const Band& band = stages[static_cast<qsizetype>(i)];
        EXPECT_EQ(band.name.toStdString(), expected.steps[i].label);
        EXPECT_DOUBLE_EQ(band.low, 1e3 * expected.steps[i].likely.low);
        EXPECT_FALSE(band.bar) << "an H200 is not here";
    }
    EXPECT_THAT(window.panel().summary().toStdString(),
                testing::AllOf(testing::HasSubstr("frames/s"), testing::HasSubstr("MiB")));
    window.panel().tabs().setCurrentIndex(1);
    EXPECT_GT(window.panel().roofline().points(), 0);
    EXPECT_TRUE(window.panel().roofline().hasUtilisationRoof());
    const QList<Band>& rates = window.panel().rates().bands();
    ASSERT_EQ(rates.size(), static_cast<qsizetype>(shippedDevices().size()));
    EXPECT_TRUE(std::ranges::is_sorted(rates, std::ranges::greater(), &Band::high));
}

TEST(Prediction, ShowsThePartsOfEachStageBelowIt) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.freezes() && window.opens());
    const SnapshotPtr snapshot = window.desktop.session().snapshot();
    const PipelinePrediction expected = predictPipeline(snapshot, deviceBy("h200"), {});
    const auto& parts = expected.steps.front().longest()->predicted.parts;
    window.panel().parts().setChecked(true);
    const QList<Band>& bands = window.panel().stages().bands();
    ASSERT_GT(bands.size(), static_cast<qsizetype>(expected.steps.size() + parts.size() - 1));
    EXPECT_THAT(bands.first().help.toStdString(), testing::HasSubstr("active on a multiprocessor"));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Band& band = bands[static_cast<qsizetype>(i + 1)];
        EXPECT_EQ(band.name.trimmed().toStdString(), parts[i].name);
        EXPECT_DOUBLE_EQ(band.high, 1e3 * parts[i].total.high);
    }
    window.panel().parts().setChecked(false);
    EXPECT_EQ(window.panel().stages().bands().size(),
              static_cast<qsizetype>(expected.steps.size()));
}

TEST(Prediction, DrawsNothingWhereNothingWasMeasuredAnew) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.freezes() && window.opens());
    ASSERT_TRUE(window.rests());
    struct : QObject {
        bool eventFilter(QObject*, QEvent* event) override {
            paints += event->type() == QEvent::Paint ? 1 : 0;
            return false;
        }
        int paints = 0;
    } counter;
    window.panel().stages().installEventFilter(&counter);
    EXPECT_TRUE(comesTrue([&] { // the rates of the last second come to rest first
        counter.paints = 0;
        for (int i = 0; i < 3; ++i) window.measure();
        testing_support::settle();
        return counter.paints == 0;
    }));
    window.panel().choose("gtx_470");
    emit window.panel().deviceChosen("gtx_470");
    testing_support::settle();
    EXPECT_GT(counter.paints, 0);
}

TEST(Prediction, FollowsTheDeviceAndThePipeline) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.opens());
    const QString fast = window.panel().summary();
    window.panel().choose("gtx_470");
    emit window.panel().deviceChosen("gtx_470");
    EXPECT_NE(window.panel().summary(), fast);
    const double before = window.panel().stages().bands().first().high;
    EXPECT_GT(before, 0.0);
    const qsizetype stages = window.panel().stages().bands().size();
    const auto& last = window.desktop.session().snapshot()->stages.back();
    ASSERT_TRUE(last.type->bypassable);
    window.desktop.session().setBypass(last.id, true);
    EXPECT_TRUE(comesTrue([&] {
        window.measure();
        return window.panel().stages().bands().size() == stages - 1;
    })) << "a bypassed stage takes no time";
}

TEST(Prediction, DeviceFilesAreOpenedAndDamagedOnesAreRefused) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.opens());
    const TemporaryFolder folder;
    const std::string damaged = (folder / "damaged.toml").string();
    std::ofstream(damaged) << "[chip]\nclock = \"fast\"\n";
    const QString before = window.panel().summary();
    emit window.panel().fileChosen(QString::fromStdString(damaged));
    EXPECT_THAT(window.message().toStdString(), testing::HasSubstr("damaged"));
    EXPECT_EQ(window.panel().summary(), before) << "nothing is lost";

    model::Device mine = deviceBy("h200");
    mine.name = "A slower card";
    mine.measured.cache /= 8.0; // frames of the cine lie in the cache
    mine.measured.ffma /= 8.0;
    const std::string file = (folder / "mine.toml").string();
    std::ofstream(file) << toToml(mine);
    emit window.panel().fileChosen(QString::fromStdString(file));
    EXPECT_EQ(window.panel().device(), "mine");
    EXPECT_TRUE(comesTrue([&] {
        window.measure();
        return window.panel().summary() != before;
    }));
    EXPECT_EQ(window.panel().rates().bands().size(),
              static_cast<qsizetype>(shippedDevices().size()) + 1);
}

TEST(Prediction, MarksAreSetByTheUser) {
    PredictionWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.opens());
    PredictionPanel& panel = window.panel();
    EXPECT_EQ(panel.marks(), (QList<double>{2000.0, 6800.0}));
    ASSERT_EQ(panel.rates().marks().size(), 2);
    panel.markField().setText("50, quick");
    emit panel.markField().editingFinished();
    EXPECT_EQ(panel.marks(), (QList<double>{2000.0, 6800.0})) << "no number";
    panel.markField().setText("50, 1000");
    emit panel.markField().editingFinished();
    EXPECT_EQ(panel.marks(), (QList<double>{50.0, 1000.0}));
    EXPECT_LT(panel.rates().placeOf(50.0), panel.rates().placeOf(1000.0));
    panel.markField().setText("");
    emit panel.markField().editingFinished();
    EXPECT_TRUE(panel.rates().marks().isEmpty());
}

} // namespace
} // namespace echolux
