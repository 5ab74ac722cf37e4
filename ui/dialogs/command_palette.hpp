// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a command by some letters of its name, and shows its keys.
#pragma once

#include "ui/controls/commands_of.hpp"

#include <QDialog>

#include <vector>

class QLineEdit;
class QTreeWidget;

namespace echolux {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    /// Commands that are not shown are left out. The actions must outlive the dialog.
    CommandPalette(std::vector<Command> commands, QWidget* parent);

    /// The one that was accepted; null: none.
    QAction* chosen() const { return m_chosen; }
    /// Ids of those that are listed, the best first.
    QStringList listed() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< keys of the list, in the field

private:
    void list();
    void take();

    std::vector<Command> m_commands;
    QLineEdit* m_field;
    QTreeWidget* m_list;
    QAction* m_chosen = nullptr;
};

} // namespace echolux
