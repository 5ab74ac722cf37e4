// SPDX-License-Identifier: GPL-3.0-or-later
// The window: layouts, menus, full screen, files, themes.
#include "tests/ui/window_fixture.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QTabBar>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::settle;
using testing_support::WindowTest;

/// Counts what listens to an action.
struct Listeners : QObject {
    static int of(const QAction& action) {
        return (action.*&Listeners::receivers)(SIGNAL(triggered(bool)));
    }
    using QObject::receivers;
};

TEST_F(WindowTest, NarrowWindowsTabTheRightDocks) {
    show(1280, 800);
    EXPECT_TRUE(tabbed());
    m_window->resize(1900, 1000);
    settle();
    EXPECT_FALSE(tabbed());
    m_window->resize(1280, 800);
    settle();
    EXPECT_TRUE(tabbed());
}

TEST_F(WindowTest, NothingIsCutAt1280By800) {
    show(1280, 800);
    settle();
    EXPECT_EQ(m_window->size(), QSize(1280, 800)) << "the contents do not force it larger";
    for (const char* name : {"parameters", "plots"}) {
        const QWidget* content = dock(name)->widget();
        EXPECT_GE(content->width(), content->minimumSizeHint().width()) << name;
        EXPECT_TRUE(m_window->rect().contains(
            QRect(content->mapTo(m_window.get(), QPoint()), content->size())))
            << name;
    }
    EXPECT_GE(m_window->centralWidget()->width(), 500) << "the image gets most of the room";
}

TEST_F(WindowTest, SmallWindowsLeaveTheImageMostOfTheRoom) {
    show(960, 600);
    settle();
    EXPECT_EQ(m_window->size(), QSize(960, 600));
    EXPECT_GE(m_window->centralWidget()->width(), 560);
    EXPECT_EQ(openTabsBeside(dock("parameters")), 2);
    EXPECT_FALSE(dock("parameters")->visibleRegion().isEmpty()) << "in front";
    m_window->resize(1280, 800);
    settle();
    EXPECT_TRUE(m_window->tabifiedDockWidgets(dock("parameters")).isEmpty());
    EXPECT_TRUE(tabbed());
    dock("performance")->close();
    m_window->resize(960, 600);
    settle();
    EXPECT_TRUE(dock("performance")->isHidden()) << "closed ones stay closed";
    EXPECT_GE(m_window->centralWidget()->width(), 560);
}

TEST_F(WindowTest, WhatTheUserMovedStays) {
    show(1280, 800);
    dock("performance")->setFloating(true);
    settle();
    m_window->resize(960, 600);
    settle();
    EXPECT_TRUE(dock("performance")->isFloating());
    EXPECT_EQ(m_window->dockWidgetArea(dock("plots")), Qt::RightDockWidgetArea);
}

TEST_F(WindowTest, ResetLayoutLeavesNoEmptyTabs) {
    for (const QSize size : {QSize(1280, 800), QSize(1600, 900), QSize(960, 600)}) {
        show(size.width(), size.height());
        m_window->resetLayout();
        settle();
        const std::string standard = places();
        for (int deed = 0; deed < 24; ++deed) {
            disarrange(deed);
            m_window->resetLayout();
            settle();
            EXPECT_TRUE(comesTrue([&] { return emptyTabBars() == 0; }))
                << size.width() << " wide, deed " << deed;
            m_window->resize(size);
            settle();
            EXPECT_EQ(places(), standard) << size.width() << " wide, deed " << deed;
        }
    }
}

TEST_F(WindowTest, TabbedDocksCanFloatAndStandSideBySide) {
    show(1280, 800);
    int performance = 0;
    QTabBar* tabs = nullptr;
    ASSERT_TRUE(comesTrue([&] {
        tabs = tabsWith("Performance", performance);
        return tabs != nullptr && tabs->count() == 2;
    }));
    ASSERT_FALSE(dock("performance")->isFloating());
    QTest::mouseDClick(tabs, Qt::LeftButton, {}, tabs->tabRect(performance).center());
    EXPECT_TRUE(comesTrue([&] { return dock("performance")->isFloating(); }));
    settle();
    EXPECT_TRUE(dock("performance")->isFloating());
    EXPECT_FALSE(dock("plots")->visibleRegion().isEmpty());
    m_window->resetLayout();
    for (QAction* action : m_window->findChildren<QAction*>()) {
        if (action->text().remove('&') == "Docks side by side") action->trigger();
    }
    settle();
    EXPECT_FALSE(tabbed());
    EXPECT_FALSE(dock("plots")->visibleRegion().isEmpty());
    EXPECT_FALSE(dock("performance")->visibleRegion().isEmpty());
    m_window->resize(1290, 800);
    settle();
    EXPECT_FALSE(tabbed()) << "as it was asked for";
}

TEST_F(WindowTest, TabsShowTheirWholeNames) {
    for (const int width : {960, 1280}) {
        show(width, 700);
        settle();
        for (const QTabBar* tabs :
             m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!tabs->isVisible()) continue;
            int all = 0;
            for (int i = 0; i < tabs->count(); ++i) {
                EXPECT_GE(tabs->tabRect(i).width(),
                          tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) + 2 * kGrid);
                all += tabs->tabRect(i).width();
            }
            EXPECT_LE(all, tabs->width()) << width;
        }
    }
}

TEST_F(WindowTest, FurtherDocksOpenAsTabsAndCloseWithoutATrace) {
    for (const QSize size : {QSize(1280, 800), QSize(1600, 900), QSize(960, 600)}) {
        show(size.width(), size.height());
        m_window->resetLayout();
        settle();
        const std::string standard = places();
        for (const char* name : {"graph", "pipeline_text"}) {
            EXPECT_TRUE(dock(name)->isHidden()) << name << ": closed until it is asked for";
            dock(name)->toggleViewAction()->trigger();
            EXPECT_TRUE(comesTrue([&] { return !dock(name)->visibleRegion().isEmpty(); }))
                << name << " is in front, " << size.width() << " wide";
            EXPECT_GE(openTabsBeside(dock(name)), 1);
            EXPECT_EQ(m_window->size(), size);
        }
        EXPECT_EQ(m_window->dockWidgetArea(dock("graph")), m_window->dockWidgetArea(dock("plots")));
        EXPECT_GE(dock("pipeline_text")->height(), 400) << "all of the window's height";
        for (const char* name : {"graph", "pipeline_text"}) dock(name)->close();
        settle();
        EXPECT_EQ(tabbed(), size.width() < 1500) << "as before";
        EXPECT_EQ(emptyTabBars(), 0) << size.width();
        m_window->resetLayout();
        settle();
        EXPECT_EQ(places(), standard) << size.width();
        EXPECT_EQ(emptyTabBars(), 0) << size.width();
    }
}

TEST_F(WindowTest, WhatIsInFrontStaysThereInAnotherWidth) {
    show(1600, 900);
    dock("graph")->toggleViewAction()->trigger();
    ASSERT_TRUE(comesTrue([&] { return !dock("graph")->visibleRegion().isEmpty(); }));
    m_window->resize(1280, 800);
    EXPECT_TRUE(comesTrue([&] { return !dock("graph")->visibleRegion().isEmpty(); }));
    settle();
    EXPECT_FALSE(dock("graph")->visibleRegion().isEmpty());
    EXPECT_EQ(openTabsBeside(dock("graph")), 2);
}

TEST_F(WindowTest, LayoutsOfFormerDocksAreRestored) {
    for (const bool moved : {false, true}) {
        show(1280, 800);
        m_window->resetLayout();
        settle();
        const QByteArray saved = formerLayout(moved);
        settle();
        dock("graph")->toggleViewAction()->trigger();
        settle();
        EXPECT_TRUE(m_window->restoreLayout(saved));
        settle();
        EXPECT_EQ(emptyTabBars(), 0);
        EXPECT_TRUE(dock("graph")->isHidden()) << moved;
        EXPECT_EQ(m_window->dockWidgetArea(dock("plots")),
                  moved ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea);
        dock("graph")->toggleViewAction()->trigger();
        EXPECT_TRUE(comesTrue([&] { return !dock("graph")->visibleRegion().isEmpty(); }));
        EXPECT_EQ(m_window->dockWidgetArea(dock("graph")), Qt::RightDockWidgetArea);
        EXPECT_FALSE(dock("graph")->isFloating());
        EXPECT_GE(dock("graph")->height(), 300) << moved;
        EXPECT_EQ(emptyTabBars(), 0);
    }
}

TEST_F(WindowTest, LayoutIsRestored) {
    show(1600, 900);
    dock("performance")->hide();
    m_window->addDockWidget(Qt::LeftDockWidgetArea, dock("plots"));
    const QByteArray saved = m_window->saveLayout();
    m_window->resetLayout();
    EXPECT_FALSE(dock("performance")->isHidden());
    EXPECT_EQ(m_window->dockWidgetArea(dock("plots")), Qt::RightDockWidgetArea);
    EXPECT_TRUE(m_window->restoreLayout(saved));
    EXPECT_TRUE(dock("performance")->isHidden());
    EXPECT_EQ(m_window->dockWidgetArea(dock("plots")), Qt::LeftDockWidgetArea);
}

TEST_F(WindowTest, ForeignLayoutGivesTheStandardOne) {
    show(1600, 900);
    dock("plots")->hide();
    EXPECT_FALSE(m_window->restoreLayout("not a layout"));
    EXPECT_FALSE(dock("plots")->isHidden());
}

TEST_F(WindowTest, FullScreenAndBack) {
    show(1600, 900);
    press(Qt::Key_F11);
    settle();
    EXPECT_TRUE(dock("parameters")->isHidden());
    EXPECT_FALSE(m_window->menuBar()->isVisible());
    QSignalSpy play(&m_window->transport(), &TransportBar::playToggled);
    press(Qt::Key_Space);
    EXPECT_EQ(play.count(), 1) << "keys work without menus";
    press(Qt::Key_Escape);
    settle();
    EXPECT_FALSE(dock("parameters")->isHidden());
    EXPECT_TRUE(m_window->menuBar()->isVisible());
}

TEST_F(WindowTest, EveryMenuEntryDoesSomething) {
    m_window->setRecentFiles({"/somewhere/a.h5", "", "/somewhere/b.mat"});
    QMenu menu;
    QAction dead("dead");
    menu.addAction(&dead);
    const int byTheMenuAlone = Listeners::of(dead);
    int entries = 0;
    for (QAction* top : m_window->menuBar()->actions()) {
        ASSERT_FALSE(top->menu()->isEmpty()) << top->text().toStdString();
        for (QAction* entry : top->menu()->actions()) {
            if (entry->isSeparator() || entry->menu() != nullptr) continue;
            ++entries;
            EXPECT_GT(Listeners::of(*entry), byTheMenuAlone) << entry->text().toStdString();
        }
    }
    EXPECT_GT(entries, 15);
}

TEST_F(WindowTest, RecentFilesAreOffered) {
    QSignalSpy spy(m_window.get(), &MainWindow::recentFileChosen);
    m_window->setRecentFiles({"/somewhere/a.h5", "/somewhere/b.mat"});
    for (QMenu* menu : m_window->findChildren<QMenu*>()) {
        for (QAction* action : menu->actions()) {
            if (action->text() == "b.mat") action->trigger();
        }
    }
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.first().first().toString(), "/somewhere/b.mat");
}

TEST_F(WindowTest, DroppedFilesAreReported) {
    QSignalSpy spy(m_window.get(), &MainWindow::filesDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/somewhere/a.h5"), QUrl("http://somewhere/page"),
                  QUrl::fromLocalFile("/somewhere/b.h5")});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.first().first().toStringList(),
              QStringList({"/somewhere/a.h5", "/somewhere/b.h5"}));
}

TEST_F(WindowTest, ClosingIsAnnounced) {
    show();
    QSignalSpy spy(m_window.get(), &MainWindow::aboutToClose);
    m_window->close();
    EXPECT_EQ(spy.count(), 1);
}

TEST_F(WindowTest, ThemesChangeLive) {
    show();
    QSignalSpy spy(m_window.get(), &MainWindow::themeChosen);
    m_window->setTheme(ThemeKind::Light);
    EXPECT_EQ(spy.count(), 1);
    EXPECT_GT(QApplication::palette().color(QPalette::Window).lightness(), 200);
    m_window->setTheme(ThemeKind::Dark);
    EXPECT_LT(QApplication::palette().color(QPalette::Window).lightness(), 60);
}

TEST_F(WindowTest, ARememberedPlaceIsBroughtOntoTheScreen) {
    const QRect screen(0, 0, 1280, 720);
    const QRect inside(100, 100, 1000, 600);
    EXPECT_EQ(MainWindow::clamped(inside, screen), inside);
    for (const QRect& wanted : {QRect(0, 0, 1600, 1000), QRect(900, 500, 1000, 600),
                                QRect(-3000, -200, 1000, 600), QRect(2000, 50, 4000, 100)}) {
        const QRect fitting = MainWindow::clamped(wanted, screen);
        EXPECT_TRUE(screen.contains(fitting)) << fitting.x() << ", " << fitting.y();
        EXPECT_EQ(fitting.width(), std::min(wanted.width(), 1280));
        EXPECT_GT(fitting.top(), 0) << "below the title bar";
    }
    show(4000, 3000);
    m_window->fitScreen();
    EXPECT_TRUE(m_window->screen()->availableGeometry().contains(m_window->geometry()));
}

TEST_F(WindowTest, FitsTheScreenAtFirst) {
    EXPECT_EQ(MainWindow::initialSize({2560, 1440}), QSize(1600, 1000));
    const QSize small = MainWindow::initialSize({1280, 800});
    EXPECT_EQ(small.width(), 1280);
    EXPECT_LT(small.height(), 800);
}

} // namespace
} // namespace echolux
