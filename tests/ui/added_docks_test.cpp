// SPDX-License-Identifier: GPL-3.0-or-later
// Docks that come while the window is open: where they stand, their entries in the menu, and their
// places in saved layouts.
#include "tests/ui/window_fixture.hpp"
#include "ui/window/docks.hpp"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::settle;

class AddedDocksTest : public testing_support::WindowTest {
protected:
    static DockEntry entry(QWidget* content) {
        return {"Levels", "added", content, Qt::RightDockWidgetArea, DockEntry::Kind::Further};
    }
    QWidget* add() {
        auto* content = new QWidget;
        m_window->addDock(entry(content));
        settle();
        return content;
    }
    QMenu* menu() {
        for (QMenu* each : m_window->findChildren<QMenu*>())
            if (each->title().remove('&') == "Plugin views") return each;
        return nullptr;
    }
    void renew() {
        m_window.reset();
        SetUp();
        show();
    }
};

TEST_F(AddedDocksTest, OpenInFrontWithAnEntryInTheMenu) {
    show();
    ASSERT_NE(menu(), nullptr);
    EXPECT_FALSE(menu()->menuAction()->isVisible());
    QWidget* content = add();
    EXPECT_TRUE(menu()->menuAction()->isVisible());
    ASSERT_EQ(menu()->actions().size(), 1);
    EXPECT_EQ(menu()->actions().front()->text(), "Levels");
    EXPECT_TRUE(comesTrue([&] { return !content->visibleRegion().isEmpty(); }));
    EXPECT_TRUE(m_window->rect().contains(
        QRect(content->mapTo(m_window.get(), QPoint()), content->size())));
    menu()->actions().front()->trigger();
    EXPECT_TRUE(dock("added")->isHidden());
    menu()->actions().front()->trigger();
    EXPECT_TRUE(comesTrue([&] { return !content->visibleRegion().isEmpty(); }));

    m_window->removeDock(*content);
    EXPECT_FALSE(menu()->menuAction()->isVisible());
    EXPECT_TRUE(comesTrue([&] { return dock("added") == nullptr; }));
    m_window->resetLayout();
    settle();
    EXPECT_FALSE(dock("plots")->isHidden());
}

TEST_F(AddedDocksTest, AreAmongTheOthersAtAllWidths) {
    show();
    QWidget* content = add();
    for (const int width : {960, 1280, 1900}) {
        m_window->resize(width, 800);
        settle();
        EXPECT_EQ(m_window->width(), width);
        EXPECT_FALSE(dock("added")->isHidden()) << width;
    }
    m_window->resetLayout();
    EXPECT_TRUE(dock("added")->isHidden()) << "in the standard layout";
    EXPECT_FALSE(content->isVisible());
}

TEST_F(AddedDocksTest, StandWhereTheLayoutHasThem) {
    show();
    add();
    m_window->addDockWidget(Qt::BottomDockWidgetArea, dock("added"));
    settle();
    const QByteArray open = m_window->saveLayout();
    dock("added")->close();
    const QByteArray closed = m_window->saveLayout();

    renew();
    EXPECT_TRUE(m_window->restoreLayout(open));
    add();
    EXPECT_FALSE(dock("added")->isHidden());
    EXPECT_EQ(m_window->dockWidgetArea(dock("added")), Qt::BottomDockWidgetArea);

    renew();
    EXPECT_TRUE(m_window->restoreLayout(closed));
    add();
    EXPECT_TRUE(dock("added")->isHidden()) << "as the user left it";

    renew(); // a session without the plugin, between two with it
    EXPECT_TRUE(m_window->restoreLayout(open));
    const QByteArray without = m_window->saveLayout();
    renew();
    EXPECT_TRUE(m_window->restoreLayout(without));
    add();
    EXPECT_EQ(m_window->dockWidgetArea(dock("added")), Qt::BottomDockWidgetArea);
}

TEST_F(AddedDocksTest, WaitForTheEndOfFullScreen) {
    show();
    for (QAction* action : m_window->findChildren<QAction*>())
        if (action->text().remove('&') == "Full screen") action->trigger();
    settle();
    add();
    EXPECT_TRUE(dock("added")->isHidden());
    EXPECT_TRUE(dock("plots")->isHidden());
    press(Qt::Key_Escape);
    settle();
    EXPECT_FALSE(dock("plots")->isHidden());
    EXPECT_EQ(menu()->actions().size(), 1);
}

/// A window whose docks on the right open when they are needed.
class DocksAtNeed : public testing::Test {
protected:
    void SetUp() override {
        testing_support::application();
        m_window = std::make_unique<MainWindow>([this] {
            std::vector<DockEntry> entries = m_panels.make();
            for (std::size_t i = 0; i < 2; ++i) entries[i].kind = DockEntry::Kind::AtNeed;
            return entries;
        });
        m_window->setCentralView(new QWidget);
        m_window->resize(1280, 800);
        m_window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
        testing_support::settle();
    }
    bool isOpen(const char* name) {
        testing_support::settle();
        return !m_window->findChild<QDockWidget*>(name)->isHidden();
    }
    void need(bool needed) { m_window->setDockNeeded(*m_panels.plots, needed); }

    testing_support::ToolPanels m_panels;
    std::unique_ptr<MainWindow> m_window;
};

TEST_F(DocksAtNeed, TheImageHasTheRoomUntilThenAndAfterwards) {
    const int alone = m_window->centralWidget()->width();
    EXPECT_FALSE(isOpen("plots"));
    EXPECT_FALSE(isOpen("performance"));
    EXPECT_GT(alone, 1280 - 400) << "all but the parameters";
    need(true);
    EXPECT_TRUE(isOpen("plots"));
    EXPECT_NEAR(m_window->findChild<QDockWidget*>("plots")->width(), 328, 8);
    need(false);
    EXPECT_FALSE(isOpen("plots"));
    EXPECT_EQ(m_window->centralWidget()->width(), alone);
}

TEST_F(DocksAtNeed, WhatTheUserOpensOrClosesStaysSo) {
    QDockWidget* plots = m_window->findChild<QDockWidget*>("plots");
    need(true);
    plots->close();
    need(true);
    EXPECT_FALSE(isOpen("plots")) << "closed by hand";
    need(false);
    plots->toggleViewAction()->trigger();
    need(true);
    need(false);
    EXPECT_TRUE(isOpen("plots")) << "opened by hand";
    m_window->resetLayout();
    EXPECT_FALSE(isOpen("plots"));
}

} // namespace
} // namespace echolux
