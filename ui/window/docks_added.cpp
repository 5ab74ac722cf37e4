// SPDX-License-Identifier: GPL-3.0-or-later
// Docks that come and go while the window is open.
#include "ui/window/docks.hpp"

#include <QAction>
#include <QDockWidget>

#include <algorithm>

namespace echolux {

QAction* Docks::add(const DockEntry& entry) {
    m_entries.push_back(entry);
    m_docks.push_back(make(entry));
    QDockWidget* dock = m_docks.back();
    m_arranging = true;
    const bool known = m_window.restoreDockWidget(dock);
    if (!known) placeBesideFormer(m_docks.size() - 1);
    m_arranging = false;
    if (known) {
        followTabs();
    } else {
        dock->show();
        opened(dock);
    }
    return dock->toggleViewAction();
}

QAction* Docks::remove(const QWidget& content) {
    const auto entry = std::ranges::find(m_entries, &content, &DockEntry::content);
    if (entry == m_entries.end()) return nullptr;
    const auto at = m_docks.begin() + (entry - m_entries.begin());
    QDockWidget* dock = *at;
    m_entries.erase(entry);
    m_docks.erase(at);
    m_floated.erase(dock);
    m_needed.erase(dock);
    m_arranging = true;
    m_window.removeDockWidget(dock);
    m_arranging = false;
    dock->deleteLater();
    followWidth();
    QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
    return dock->toggleViewAction();
}

void Docks::setNeeded(const QWidget& content, bool needed) {
    QDockWidget* dock = dockOf(content);
    if (needed == m_needed.contains(dock)) return;
    if (needed) {
        m_needed[dock] = dock->isHidden();
        if (!dock->isHidden()) return;
        QDockWidget* front = frontOnTheRight();
        dock->show();
        opened(dock);
        if (front != nullptr) bringForward(front); // nobody asked for another dock
    } else {
        const bool opened = m_needed[dock];
        m_needed.erase(dock);
        if (opened) dock->hide();
    }
}

void Docks::endNeeds() {
    for (std::size_t i = 0; i < m_docks.size(); ++i) setNeeded(*m_entries[i].content, false);
}

/// A dock that is alone on its side has the width of the standard layout.
void Docks::widenAlone(QDockWidget* dock) {
    const bool isFirst = m_standing && std::ranges::none_of(m_docks, [&](QDockWidget* each) {
                             return each != dock && !each->isHidden() && !each->isFloating() &&
                                    m_window.dockWidgetArea(each) == m_window.dockWidgetArea(dock);
                         });
    if (isFirst && *m_standing != Arrangement::Stacked)
        m_window.resizeDocks({dock}, {rightWidth()}, Qt::Horizontal);
}

} // namespace echolux
