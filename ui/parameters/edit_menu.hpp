// SPDX-License-Identifier: GPL-3.0-or-later
// The menu that takes edits back and does them again, one by one or as far as one of the list.
#pragma once

#include <QMenu>
#include <QStringList>

namespace echolux {

class EditMenu : public QMenu {
    Q_OBJECT
public:
    explicit EditMenu(QWidget* parent = nullptr);
    /// What undoing takes back, "speed of sound"; empty: nothing.
    void setUndo(const QString& what);
    void setRedo(const QString& what);
    /// Oldest first; the first `position` of them are in force.
    void setHistory(const QStringList& edits, int position);
    QMenu& history() { return *m_history; }

signals:
    void undoRequested();
    void redoRequested();
    void positionChosen(int position);

private:
    void fillHistory();

    QAction* m_undo;
    QAction* m_redo;
    QMenu* m_history;
    QStringList m_edits;
    int m_position = 0;
};

} // namespace echolux
