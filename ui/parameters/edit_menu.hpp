// SPDX-License-Identifier: GPL-3.0-or-later
// The menu that undoes and redoes edits, one at a time or up to an entry of the undo list.
#pragma once

#include <QMenu>
#include <QStringList>

namespace echolux {

class EditMenu : public QMenu {
    Q_OBJECT
public:
    explicit EditMenu(QWidget* parent = nullptr);
    /// Name of the edit that undo takes back, "speed of sound"; empty: none.
    void setUndo(const QString& what);
    void setRedo(const QString& what);
    /// Oldest first; the first `position` edits are in force.
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
