// SPDX-License-Identifier: GPL-3.0-or-later
// A window in which nothing changes draws nothing.
#include "app/desktop/statistics_desk.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"

#include <QDockWidget>
#include <QEvent>
#include <gtest/gtest.h>

#include <utility>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;

/// Counts what asks for anything to be drawn.
class DrawingSpy : public QObject {
public:
    DrawingSpy() { qApp->installEventFilter(this); }
    int taken() { return std::exchange(m_count, 0); }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint) ++m_count;
        return false;
    }

private:
    int m_count = 0;
};

/// What the window's timer does four times a second.
bool isQuietWhileMeasured(Desktop& desktop, DrawingSpy& spy) {
    desktop.statistics().measure();
    QCoreApplication::processEvents();
    return spy.taken() == 0;
}

/// With every dock in sight.
void expectRestsOnceFrozen(const char* recording) {
    SCOPED_TRACE(recording);
    OpenWindow window(testing_support::bundled(recording));
    Desktop& desktop = window.desktop;
    for (QDockWidget* dock : desktop.window().findChildren<QDockWidget*>()) dock->show();
    ASSERT_TRUE(window.showsFrames(3));
    ASSERT_TRUE(window.freezes());
    DrawingSpy spy;
    ASSERT_TRUE(comesTrue([&] { // rates go down to 0
        const Statistics now = desktop.session().engine().statistics();
        return now.readPerS + now.processedPerS + now.shownPerS == 0.0 &&
               isQuietWhileMeasured(desktop, spy);
    }));
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(isQuietWhileMeasured(desktop, spy)) << i;
}

TEST(IdleWindow, DrawsNothingOnceItIsFrozen) {
    expectRestsOnceFrozen("phantom_cine.echolux.h5");
    expectRestsOnceFrozen("retina_volume.echolux.h5");
}

/// The narrow and the wide one have docks in other places.
TEST(IdleWindow, DrawsNothingWithNothingOpenHoweverWide) {
    for (const int width : {800, 1280, 1800}) {
        SCOPED_TRACE(width);
        OpenWindow window(OpenRequest{});
        window.desktop.window().resize(width, 800);
        DrawingSpy spy;
        ASSERT_TRUE(comesTrue([&] { return isQuietWhileMeasured(window.desktop, spy); }));
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(isQuietWhileMeasured(window.desktop, spy)) << i;
    }
}

} // namespace
} // namespace echolux
