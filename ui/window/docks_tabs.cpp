// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of docks, and docks that float.
#include "ui/theme/theme.hpp"
#include "ui/window/dock_title.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/tab_overflow.hpp"

#include <QAction>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTabBar>

#include <algorithm>

namespace echolux {
namespace {

/// NOTE: if docks move again before the window has laid out an earlier move, it shows tab bars that
/// have lost their tabs, and keeps them visible. Tab bars that it does not use lie outside its
/// area. If these were hidden, the window would lay out and show them again, without end.
bool isLeftOver(const QTabBar& tabs) {
    return tabs.count() < 2 && tabs.geometry().intersects(tabs.parentWidget()->rect());
}

} // namespace

/// Updates titles, which tabs replace, and the tab bars, which the window makes when it needs them.
void Docks::followTabs() {
    for (QDockWidget* dock : m_docks) {
        if (auto* title = qobject_cast<DockTitle*>(dock->titleBarWidget())) title->followTabs();
    }
    for (QTabBar* tabs : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (isLeftOver(*tabs)) tabs->hide(); // the window shows it again when it has tabs
        tabs->setDrawBase(false);
        tabs->setElideMode(Qt::ElideNone);
        tabs->setUsesScrollButtons(true);
        tabs->setToolTip("Drag away or double click: a window of its own. Right click: more.");
        tabs->installEventFilter(this);
        if (tabs->findChild<TabOverflow*>(QString(), Qt::FindDirectChildrenOnly) == nullptr)
            new TabOverflow(*tabs);
    }
}

/// Qt floats a dock where it was docked, over the docks that take its place. This moves it over the
/// image, or to where it floated before.
void Docks::floatOrDock(QDockWidget* dock) {
    if (dock->isFloating()) {
        m_floated[dock] = dock->geometry();
        dock->setFloating(false);
        return;
    }
    const auto floating = std::ranges::count_if(m_docks, &QDockWidget::isFloating);
    dock->setFloating(true);
    if (const auto before = m_floated.find(dock); before != m_floated.end())
        return dock->setGeometry(before->second);
    const QWidget* centre = m_window.centralWidget();
    const QRect image(centre->mapToGlobal(QPoint()), centre->size());
    const int step = 2 * kGrid * (1 + static_cast<int>(floating));
    const QSize size = dock->size()
                           .boundedTo(image.size() - QSize(2 * step, 2 * step))
                           .expandedTo(dock->minimumSizeHint());
    dock->setGeometry(QRect({image.right() - size.width() - step, image.top() + step}, size));
}

/// NOTE: a dock with its own title widget draws no frame.
void Docks::paintFrame(QDockWidget& dock) const {
    QPainter painter(&dock);
    painter.setPen(tokens().edge);
    painter.drawRect(dock.rect().adjusted(0, 0, -1, -1));
}

QDockWidget* Docks::dockAt(const QTabBar& tabs, QPoint position) const {
    const int tab = tabs.tabAt(position);
    const auto at = std::ranges::find_if(m_docks, [&](const QDockWidget* dock) {
        return tab >= 0 && dock->windowTitle() == tabs.tabText(tab);
    });
    return at == m_docks.end() ? nullptr : *at;
}

bool Docks::eventFilter(QObject* watched, QEvent* event) {
    if (auto* dock = qobject_cast<QDockWidget*>(watched)) {
        if (event->type() == QEvent::Paint && dock->isFloating()) paintFrame(*dock);
        return false;
    }
    auto* tabs = qobject_cast<QTabBar*>(watched);
    const bool seen = event->type() == QEvent::Show || event->type() == QEvent::Paint;
    if (tabs != nullptr && seen && isLeftOver(*tabs)) {
        QMetaObject::invokeMethod(
            tabs, [tabs] { tabs->setVisible(!isLeftOver(*tabs)); }, Qt::QueuedConnection);
    }
    // After a tab is dragged away, the remaining dock needs its title.
    const bool left = event->type() == QEvent::Hide || event->type() == QEvent::MouseButtonRelease;
    if (tabs != nullptr && left)
        QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
    if (tabs != nullptr && event->type() == QEvent::MouseButtonDblClick) {
        QDockWidget* dock = dockAt(*tabs, static_cast<QMouseEvent*>(event)->pos());
        if (dock != nullptr) { // the tab bar may be deleted when one tab remains
            QMetaObject::invokeMethod(
                dock, [this, dock] { floatOrDock(dock); }, Qt::QueuedConnection);
            return true;
        }
    }
    if (tabs != nullptr && event->type() == QEvent::ContextMenu) {
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        if (QDockWidget* dock = dockAt(*tabs, menu->pos())) offer(dock, menu->globalPos());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void Docks::offer(QDockWidget* dock, QPoint globalPosition) {
    auto* menu = new QMenu(&m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString name = dock->windowTitle();
    connect(menu->addAction("&Float " + name), &QAction::triggered, dock,
            [this, dock] { floatOrDock(dock); });
    menu->addAction(m_sideBySide);
    connect(menu->addAction("&Close " + name), &QAction::triggered, dock, &QDockWidget::close);
    menu->popup(globalPosition);
}

} // namespace echolux
