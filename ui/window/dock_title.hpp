// SPDX-License-Identifier: GPL-3.0-or-later
// Title bar of a dock in the look of the theme: name, buttons that float and close it.
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
    /// Takes itself away where the dock is one of several tabs, which carry the names then.
    void followTabs();

signals:
    void floatClicked(); ///< to float it, or to dock it again

private:
    QDockWidget* m_dock;
    bool m_tabbed = false;
};

} // namespace echolux
