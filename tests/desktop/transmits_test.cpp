// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Transmits": pictures of the shown frame while it is in sight, clicks that switch
// transmits as the parameter panel does, and sentences where there is nothing to show.
#include "app/desktop/batch_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/session/session.hpp"
#include "app/session/transmit_imager.hpp"
#include "app/tools/transmits/panel.hpp"
#include "app/tools/transmits/tool.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QDockWidget>
#include <QPushButton>
#include <QScrollBar>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

struct TransmitsDock : OpenWindow {
    explicit TransmitsDock(const char* file = "phantom_cine.echolux.h5")
        : OpenWindow(testing_support::bundled(file)) {}
    TransmitThumbnails& panel() { return *desktop.window().findChild<TransmitThumbnails*>(); }
    ThumbnailGrid& grid() { return panel().grid(); }
    int batches() { return desktop.tool<TransmitsTool>().batches(); }
    void toggle() {
        desktop.window().findChild<QDockWidget*>("transmits")->toggleViewAction()->trigger();
    }
    bool has(int transmit) {
        return transmit < grid().count() && !grid().picture(transmit).levels.isNull();
    }
    bool hasAllInSight() {
        const std::vector<int> seen = grid().inSight();
        return !seen.empty() && std::ranges::all_of(seen, [&](int i) { return has(i); });
    }
    std::vector<double> mask() {
        const auto snapshot = desktop.session().snapshot();
        return toMask(snapshot->stage("beamform").params.get("transmits")).entries;
    }
    QPoint centreOf(int transmit) { return grid().cellRect(transmit).center(); }
    void click(int transmit) {
        QTest::mouseClick(grid().viewport(), Qt::LeftButton, {}, centreOf(transmit));
    }
    void choose(const char* key, const ParamValue& value) {
        emit desktop.window().parameters().parameterEdited("beamform", key, value);
    }
};

TEST(TransmitsDockTest, CostsNothingUntilItIsInSight) {
    TransmitsDock window;
    ASSERT_TRUE(window.showsMoreFrames(5));
    EXPECT_EQ(window.batches(), 0);
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.hasAllInSight(); }));
    EXPECT_EQ(window.grid().count(), 3);
    const int before = window.batches();
    ASSERT_TRUE(comesTrue([&] { return window.batches() > before + 2; })) << "while playing";
    window.toggle();
    const int closed = window.batches();
    ASSERT_TRUE(window.showsMoreFrames(10));
    EXPECT_EQ(window.batches(), closed);
    window.choose("speed_of_sound", 1500.0);
    EXPECT_EQ(window.batches(), closed);
}

TEST(TransmitsDockTest, CostsNothingBehindAnotherDock) {
    TransmitsDock window;
    QDockWidget* plots = window.desktop.window().findChild<QDockWidget*>("plots");
    plots->toggleViewAction()->trigger();
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.hasAllInSight(); }));
    plots->raise();
    ASSERT_TRUE(comesTrue([&] { return !window.panel().isSeen(); }));
    const int behind = window.batches();
    ASSERT_TRUE(window.showsMoreFrames(10));
    EXPECT_EQ(window.batches(), behind);
    window.desktop.window().findChild<QDockWidget*>("transmits")->raise();
    ASSERT_TRUE(comesTrue([&] { return window.batches() > behind; }));
}

TEST(TransmitsDockTest, FrozenItShowsTheShownFrameOnce) {
    TransmitsDock window;
    ASSERT_TRUE(window.showsFrames(1));
    ASSERT_TRUE(window.freezes());
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.hasAllInSight(); }));
    ASSERT_TRUE(window.rests());
    const int before = window.batches();
    const QImage first = window.grid().picture(1).levels;
    window.click(0);
    ASSERT_TRUE(window.showsMoreFrames(1));
    ASSERT_TRUE(window.rests());
    EXPECT_EQ(window.batches(), before) << "what is summed does not change them";
    window.choose("speed_of_sound", 1600.0);
    ASSERT_TRUE(comesTrue([&] { return window.grid().picture(1).levels != first; }));
}

TEST(TransmitsDockTest, AClickSwitchesAndUndoBringsBack) {
    TransmitsDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.grid().count() == 3; }));
    window.click(1);
    EXPECT_EQ(window.mask(), (std::vector<double>{1, 0, 1}));
    EXPECT_EQ(window.desktop.edits().document().position(), 1);
    EXPECT_EQ(window.panel().summary().section(' ', 0, 2), "2 / 3");
    window.desktop.edits().undo();
    EXPECT_TRUE(window.mask().empty()) << "all, as a word";
    EXPECT_EQ(window.grid().states(), std::vector<bool>(3, true));
    window.desktop.edits().redo();
    EXPECT_EQ(window.grid().states(), (std::vector<bool>{true, false, true}));
}

TEST(TransmitsDockTest, ADoubleClickLeavesOneAloneInOneStep) {
    TransmitsDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.grid().count() == 3; }));
    const auto doubleClick = [&](int transmit) {
        window.click(transmit);
        QTest::mouseDClick(window.grid().viewport(), Qt::LeftButton, {}, window.centreOf(transmit));
    };
    doubleClick(2);
    EXPECT_EQ(window.mask(), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(window.desktop.edits().document().position(), 1);
    doubleClick(2);
    EXPECT_TRUE(window.mask().empty());
    window.desktop.edits().undo();
    EXPECT_EQ(window.mask(), (std::vector<double>{0, 0, 1}));
}

TEST(TransmitsDockTest, ItFollowsTheParameterPanel) {
    TransmitsDock window;
    ASSERT_TRUE(window.showsFrames(1));
    window.toggle();
    ASSERT_TRUE(comesTrue([&] { return window.grid().count() == 3; }));
    window.choose("transmits", std::string("middle"));
    EXPECT_EQ(window.grid().states(), (std::vector<bool>{false, true, false}));
}

TEST(TransmitsDockTest, SpectraAndOwnLinesAreToldOf) {
    TransmitsDock retina("retina_cine.echolux.h5");
    ASSERT_TRUE(retina.showsFrames(1));
    retina.toggle();
    ASSERT_TRUE(comesTrue([&] { return retina.panel().reason().contains("Spectra of light"); }));
    EXPECT_EQ(retina.batches(), 0);
    TransmitsDock sector("sector.h5");
    ASSERT_TRUE(sector.showsFrames(1));
    sector.toggle();
    ASSERT_TRUE(comesTrue([&] { return sector.panel().reason().contains("lines of its own"); }));
    auto* remedy = sector.panel().findChild<QPushButton*>();
    ASSERT_NE(remedy, nullptr);
    EXPECT_TRUE(remedy->isVisible());
    EXPECT_FALSE(retina.panel().findChild<QPushButton*>()->isVisible()) << "nothing helps there";
    remedy->click();
    ASSERT_TRUE(comesTrue([&] { return sector.hasAllInSight(); }));
    EXPECT_EQ(sector.panel().reason(), "");
    EXPECT_FALSE(remedy->isVisible());
    EXPECT_EQ(sector.desktop.edits().document().position(), 1) << "an edit that can be undone";
}

TEST(TransmitsDockTest, OnlyThoseInSightAreImaged) {
    TransmitsDock sector("sector.h5");
    sector.toggle();
    ASSERT_TRUE(sector.showsFrames(1));
    sector.choose("transmit_aperture", std::string("everywhere"));
    ASSERT_TRUE(comesTrue([&] { return sector.hasAllInSight(); }));
    const int last = sector.grid().count() - 1;
    ASSERT_LT(sector.grid().inSight().back(), last) << "a small dock is meant";
    EXPECT_FALSE(sector.has(last));
    sector.grid().verticalScrollBar()->setValue(sector.grid().verticalScrollBar()->maximum());
    ASSERT_TRUE(comesTrue([&] { return sector.has(last); }));
}

} // namespace
} // namespace echolux
