// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the entries of all menus, with their ids.
#include "ui/controls/commands_of.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"
#include "ui/controls/action_text.hpp"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <string>

namespace echolux {
namespace {

/// The text of an entry without its underlined letter and its dots.
QString titleOf(const QAction& entry) {
    QString title = entry.text();
    title.replace(QLatin1String("&&"), QLatin1String("\n"));
    title.remove('&').replace('\n', '&').remove(QChar(0x2026));
    return title;
}

void add(std::vector<Command>& commands, const QMenu& menu, const QStringList& menus,
         const QString& before, bool isShown) {
    for (QAction* entry : menu.actions()) {
        if (entry->isSeparator()) continue;
        const QString title = titleOf(*entry);
        const QString name = entry->objectName();
        const QString id = before + (name.isEmpty() ? commandWord(title) : name);
        const bool shown = isShown && entry->isVisible();
        if (entry->menu() != nullptr)
            add(commands, *entry->menu(), menus + QStringList(title), id + '.', shown);
        else
            commands.push_back({id, menus, title, entry, shown});
    }
}

} // namespace

std::vector<Command> commandsOf(const QMainWindow& window) {
    std::vector<Command> commands;
    for (const QAction* top : window.menuWidget()->actions()) {
        const QString title = titleOf(*top);
        add(commands, *top->menu(), {title}, commandWord(title) + '.', top->isVisible());
    }
    return commands;
}

void runCommand(const QMainWindow& window, const QString& id) {
    const std::vector<Command> commands = commandsOf(window);
    const auto found = std::ranges::find(commands, id, &Command::id);
    if (found == commands.end()) {
        std::vector<std::string> ids;
        for (const Command& each : commands) ids.push_back(each.id.toStdString());
        const std::string typed = id.toStdString();
        throw Error("No command is called '" + typed + "'" + didYouMean(typed, ids) +
                    "; Help > Commands lists them, each with its name.");
    }
    if (!found->action->isEnabled())
        throw Error("The command '" + id.toStdString() + "' cannot act at present.");
    found->action->trigger();
}

} // namespace echolux
