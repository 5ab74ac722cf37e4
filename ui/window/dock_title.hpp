// SPDX-License-Identifier: GPL-3.0-or-later
// Title bar of a dock in the theme's look: name, and buttons that float and close the dock.
#pragma once

#include <QWidget>

class QDockWidget;

namespace echolux {

class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Hides itself where the dock is one of several tabs, because the tabs then show the names.
    void followTabs();

signals:
    void floatClicked(); ///< floats the dock, or docks it again

private:
    QDockWidget* m_dock;
    bool m_tabbed = false;
};

} // namespace echolux
