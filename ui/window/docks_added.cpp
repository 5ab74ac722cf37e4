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
    m_arranging = true;
    m_window.removeDockWidget(dock);
    m_arranging = false;
    dock->deleteLater();
    followWidth();
    QMetaObject::invokeMethod(this, &Docks::followTabs, Qt::QueuedConnection);
    return dock->toggleViewAction();
}

} // namespace echolux
