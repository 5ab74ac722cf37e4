// SPDX-License-Identifier: GPL-3.0-or-later
// Many docks at once: side by side on a small screen, as more tabs than fit, floating.
#include "tests/ui/window_fixture.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/tab_overflow.hpp"

#include <QAction>
#include <QMenu>
#include <QStatusBar>
#include <QToolButton>

#include <utility>
#include <vector>

namespace echolux {
namespace {

using testing_support::settle;

const char* const kAll[] = {"parameters",    "plots",       "performance", "graph",
                            "pipeline_text", "delay_curve", "beam_shape",  "transmits",
                            "filter_lab",    "aberration"};

class ManyDocksTest : public testing_support::WindowTest {
protected:
    void open(std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (dock(name)->isHidden()) dock(name)->toggleViewAction()->trigger();
        settle();
    }
    void openAll() {
        for (const char* name : kAll)
            if (dock(name)->isHidden()) dock(name)->toggleViewAction()->trigger();
        settle();
    }
    void standSideBySide() {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text().remove('&') == "Docks side by side") action->trigger();
        settle();
    }
    QRect inWindow(const QWidget* widget) const {
        return {widget->mapTo(m_window.get(), QPoint()), widget->size()};
    }
    std::vector<QDockWidget*> front() {
        std::vector<QDockWidget*> shown;
        for (const char* name : kAll)
            if (!dock(name)->isHidden() && !dock(name)->visibleRegion().isEmpty())
                shown.push_back(dock(name));
        return shown;
    }
    /// All docks that are open are in the window, none lies over another, all bars are seen.
    void expectOrder() {
        const QRect window = m_window->rect();
        const std::vector<QDockWidget*> shown = front();
        for (const QDockWidget* each : shown) {
            const std::string name = each->objectName().toStdString();
            const QRect place = inWindow(each);
            EXPECT_TRUE(window.contains(place)) << name;
            EXPECT_GE(place.width(), each->minimumSizeHint().width()) << name;
            EXPECT_GE(place.height(), each->minimumSizeHint().height()) << name;
            EXPECT_FALSE(place.intersects(inWindow(m_window->centralWidget()))) << name;
            for (const QDockWidget* other : shown)
                EXPECT_TRUE(other == each || !place.intersects(inWindow(other))) << name;
        }
        const auto* bar = m_window->findChild<QStatusBar*>();
        EXPECT_TRUE(window.contains(inWindow(bar)));
    }
    std::vector<QTabBar*> tabBars() {
        std::vector<QTabBar*> bars;
        for (QTabBar* tabs :
             m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            if (tabs->isVisible() && tabs->count() > 1) bars.push_back(tabs);
        return bars;
    }
};

TEST_F(ManyDocksTest, AllDocksSideBySideStayOnTheScreen) {
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 800), QSize(960, 600)}) {
        show(size.width(), size.height());
        m_window->resetLayout();
        openAll();
        standSideBySide();
        EXPECT_EQ(m_window->size(), size) << "the docks do not force it larger";
        expectOrder();
        EXPECT_GE(m_window->centralWidget()->width(), size.width() * 3 / 10 - 1) << size.width();
        for (const char* name : kAll) EXPECT_FALSE(dock(name)->isHidden()) << name;
    }
}

TEST_F(ManyDocksTest, ALargeScreenHasASecondColumn) {
    show(1600, 1000);
    open({"graph", "pipeline_text"});
    standSideBySide();
    EXPECT_EQ(front().size(), 5U) << "none behind another";
    expectOrder();
    EXPECT_EQ(dock("graph")->y(), dock("plots")->y());
    EXPECT_GT(dock("graph")->x(), dock("plots")->x());
    dock("aberration")->toggleViewAction()->trigger();
    settle();
    EXPECT_EQ(openTabsBeside(dock("aberration")), 1) << "opened later: a tab of the last place";
    EXPECT_EQ(m_window->size(), QSize(1600, 1000));
}

TEST_F(ManyDocksTest, ManySideBySideStandInPairsWhereTheyWouldBeTooSmall) {
    show(1280, 800);
    const QSize before = m_window->size();
    open({"graph", "pipeline_text"});
    standSideBySide();
    EXPECT_EQ(m_window->size(), before);
    EXPECT_TRUE(m_window->tabifiedDockWidgets(dock("plots")).contains(dock("performance")));
    EXPECT_TRUE(m_window->tabifiedDockWidgets(dock("graph")).contains(dock("pipeline_text")));
    EXPECT_FALSE(m_window->tabifiedDockWidgets(dock("plots")).contains(dock("graph")));
    for (const char* name : {"plots", "graph"}) EXPECT_GE(dock(name)->height(), 240) << name;
    for (const char* name : {"parameters", "plots", "graph"})
        EXPECT_GE(dock(name)->width(), 240) << name;
}

TEST_F(ManyDocksTest, NoTitleOfATabIsCut) {
    for (const QSize size : {QSize(960, 600), QSize(1280, 800), QSize(1600, 1000)}) {
        show(size.width(), size.height());
        m_window->resetLayout();
        openAll();
        for (const QTabBar* tabs : tabBars()) {
            QToolButton& list = tabs->findChild<TabOverflow*>()->list();
            int whole = 0;
            for (int i = 0; i < tabs->count(); ++i) {
                const QRect tab = tabs->tabRect(i);
                EXPECT_GE(tab.width(),
                          tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) + 2 * kGrid);
                const int room = list.isVisible() ? list.x() : tabs->width();
                if (tab.left() >= 0 && tab.right() < room) ++whole;
                const QRect seen = tab.intersected({0, 0, room, tabs->height()});
                if (seen.isEmpty() || seen == tab) continue;
                const QImage part =
                    m_window->grab({tabs->mapTo(m_window.get(), seen.topLeft()), seen.size()})
                        .toImage();
                for (int x = 0; x < part.width(); ++x)
                    ASSERT_EQ(part.pixelColor(x, part.height() / 2), tokens().window)
                        << tabs->tabText(i).toStdString() << " is cut, " << size.width();
            }
            EXPECT_EQ(list.isVisible(), whole < tabs->count());
            EXPECT_GE(whole, 2);
        }
    }
}

TEST_F(ManyDocksTest, TheListOfTabsLeadsToEachOfThem) {
    show(1280, 800);
    openAll();
    ASSERT_EQ(tabBars().size(), 1U);
    QTabBar* tabs = tabBars().front();
    QToolButton& list = tabs->findChild<TabOverflow*>()->list();
    ASSERT_TRUE(list.isVisible());
    EXPECT_EQ(list.text().section(' ', 0, 0), "9");
    const auto choose = [&](const QString& title) {
        list.click();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (QAction* action : menu->actions())
            if (action->text() == title) action->trigger();
        menu->close();
        settle();
    };
    for (const auto& [title, name] :
         {std::pair("Plots", "plots"), {"Transmits", "transmits"}, {"Aberration", "aberration"}}) {
        choose(title);
        EXPECT_FALSE(dock(name)->visibleRegion().isEmpty()) << title;
        EXPECT_EQ(tabs->tabText(tabs->currentIndex()), title);
        const QRect tab = tabs->tabRect(tabs->currentIndex());
        EXPECT_TRUE(tab.left() >= 0 && tab.right() < list.x()) << title;
    }
    for (const char* name : {"transmits", "filter_lab", "beam_shape", "delay_curve", "graph",
                             "pipeline_text", "aberration"})
        dock(name)->close();
    settle();
    EXPECT_FALSE(list.isVisible()) << "two tabs fit";
}

TEST_F(ManyDocksTest, AFloatedDockHasAFrameAndCoversNoOther) {
    show(1600, 1000);
    const auto floatBy = [&](const char* name) {
        for (auto* button : dock(name)->titleBarWidget()->findChildren<QToolButton*>())
            if (button->toolTip().contains("window of its own")) button->click();
        settle();
    };
    const QRect image(m_window->centralWidget()->mapToGlobal(QPoint()),
                      m_window->centralWidget()->size());
    floatBy("plots");
    floatBy("performance");
    ASSERT_TRUE(dock("plots")->isFloating());
    ASSERT_TRUE(dock("performance")->isFloating());
    for (const char* name : {"plots", "performance"})
        EXPECT_TRUE(image.contains(dock(name)->geometry())) << name << " lies over the image";
    EXPECT_NE(dock("plots")->pos(), dock("performance")->pos());
    const QImage seen = dock("plots")->grab().toImage();
    const QRect edge = seen.rect();
    for (const QPoint at :
         {QPoint(edge.left(), edge.center().y()), QPoint(edge.right(), edge.center().y()),
          QPoint(edge.center().x(), edge.top()), QPoint(edge.center().x(), edge.bottom())})
        EXPECT_EQ(seen.pixelColor(at), tokens().edge) << at.x() << ", " << at.y();
    const QPoint moved = dock("plots")->pos() + QPoint(40, 30);
    dock("plots")->move(moved);
    settle();
    floatBy("plots");
    ASSERT_FALSE(dock("plots")->isFloating());
    floatBy("plots");
    EXPECT_EQ(dock("plots")->pos(), moved) << "where it floated before";
}

} // namespace
} // namespace echolux
