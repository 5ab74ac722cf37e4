// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Speed of sound": its curve of the shown frame, and the speed taken over as one edit.
#include "app/desktop/edit_desk.hpp"
#include "app/tools/sound_speed/panel.hpp"
#include "tests/desktop/open_window.hpp"

#include <QDockWidget>
#include <QPushButton>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::comesTrue;
using testing_support::OpenWindow;

struct SpeedWindow : OpenWindow {
    using OpenWindow::OpenWindow;
    SpeedPanel& panel() { return desktop.panel<SpeedPanel>(); }
    void opens() {
        desktop.window().findChild<QDockWidget*>("sound_speed")->toggleViewAction()->trigger();
    }
};

TEST(SoundSpeedDock, FindsTheSpeedOfThePhantomAndTakesItOver) {
    SpeedWindow window;
    ASSERT_TRUE(window.showsFrames(1) && window.freezes());
    window.opens();
    ASSERT_TRUE(comesTrue([&] { return window.panel().hasData(); }));
    const double found = window.panel().readout().section(' ', 0, 0).toDouble();
    EXPECT_NEAR(found, 1540.0, 6.0) << window.panel().readout().toStdString();
    ASSERT_TRUE(window.panel().useButton().isEnabled());
    window.panel().useButton().click();
    EXPECT_NEAR(window.speedOfSound(), found, 0.11);
    window.desktop.edits().undo();
    EXPECT_EQ(window.speedOfSound(), 1540.0);
}

TEST(SoundSpeedDock, SaysWhyThereIsNone) {
    SpeedWindow window(bundled("retina_cine.echolux.h5"));
    ASSERT_TRUE(window.showsFrames(1));
    window.opens();
    ASSERT_TRUE(comesTrue([&] {
        for (const QLabel* label : window.panel().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains("ultrasound channel data"))
                return true;
        return false;
    }));
    EXPECT_FALSE(window.panel().hasData());
}

} // namespace
} // namespace echolux
