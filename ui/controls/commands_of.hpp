// SPDX-License-Identifier: GPL-3.0-or-later
// All commands of a window: the entries of its menus, each with a name that stays.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QAction;
class QMainWindow;

namespace echolux {

struct Command {
    /// "view.theme.light": the menus and the text, or in its place the action's object name, where
    /// the text changes.
    QString id;
    QStringList menus; ///< "View", "Theme"
    QString title;     ///< "Light"
    QAction* action;
    bool isShown; ///< at present, in menus that are shown
};

/// In the order of the menus.
std::vector<Command> commandsOf(const QMainWindow& window);

/// Does what the command's entry does. Throws Error where there is no such command, or where it
/// cannot act at present.
void runCommand(const QMainWindow& window, const QString& id);

} // namespace echolux
