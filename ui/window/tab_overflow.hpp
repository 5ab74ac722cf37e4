// SPDX-License-Identifier: GPL-3.0-or-later
// Handles tabs that do not fit into their bar: no title is cut, and a button lists all tabs.
#pragma once

#include <QObject>

class QTabBar;
class QToolButton;
class QWidget;

namespace echolux {

/// Lives as long as the bar. It covers titles that the ends of the bar would cut, and replaces the
/// bar's own scroll buttons.
class TabOverflow : public QObject {
    Q_OBJECT
public:
    explicit TabOverflow(QTabBar& tabs);
    QToolButton& list() { return *m_list; } ///< visible where tabs do not fit

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void offer();

    QTabBar& m_tabs;
    QWidget* m_left; ///< covers cut titles
    QWidget* m_right;
    QToolButton* m_list;
};

} // namespace echolux
