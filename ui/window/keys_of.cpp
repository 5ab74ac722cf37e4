// SPDX-License-Identifier: GPL-3.0-or-later
// Collects keys from menus, actions and shortcuts.
#include "ui/window/keys_of.hpp"

#include "ui/controls/commands_of.hpp"
#include "ui/dialogs/help_window.hpp"

#include <QAction>
#include <QMainWindow>
#include <QShortcut>

#include <algorithm>
#include <set>

namespace echolux {
namespace {

/// Keys that widgets handle themselves, and keys of windows that may not be open yet.
std::vector<ShortcutLine> keysOfWidgets() {
    return {{QKeySequence(QKeySequence::Find).toString(QKeySequence::NativeText),
             HelpWindow::kFindHelp},
            {"Tab, Shift+Tab", "Go to the next field, in the graph to the next box"},
            {"Return, Space", "Switch the chosen stage of the graph on or off"},
            {"Delete", "Remove the chosen box of the graph"},
            {"Ctrl+0, Ctrl++, Ctrl+-", "Show all of the graph; zoom"},
            {"Page Up, Page Down", "Ten steps of a slider; a row of transmits or elements"},
            {"Return, Shift+Return", "Switch a transmit on or off; all others off"}};
}

struct Collector {
    std::set<const QAction*> taken;
    std::set<ShortcutLine> lines;

    void add(ShortcutSection& section, const ShortcutLine& line) {
        if (lines.insert(line).second) section.lines.push_back(line);
    }
};

} // namespace

std::vector<ShortcutSection> keysOf(const QMainWindow& window) {
    std::vector<ShortcutSection> sections;
    Collector found;
    for (const Command& command : commandsOf(window)) {
        found.taken.insert(command.action);
        const QString& menu = command.menus.front();
        if (sections.empty() || sections.back().title != menu) sections.push_back({menu, {}});
        if (command.isShown && !command.action->shortcuts().isEmpty())
            found.add(sections.back(), shortcutLine(*command.action));
    }
    ShortcutSection further{"Further keys of the window", {}};
    ShortcutSection focused{"With the focus", {}};
    for (const ShortcutLine& line : keysOfWidgets()) found.add(focused, line);
    for (const QAction* action : window.findChildren<QAction*>()) {
        if (found.taken.contains(action) || !action->isVisible() || action->shortcuts().isEmpty())
            continue;
        const bool isWidgets = action->shortcutContext() == Qt::WidgetShortcut;
        found.add(isWidgets ? focused : further, shortcutLine(*action));
    }
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>())
        found.add(focused,
                  {shortcut->key().toString(QKeySequence::NativeText), shortcut->whatsThis()});
    sections.push_back(further);
    sections.push_back(focused);
    std::erase_if(sections, [](const ShortcutSection& each) { return each.lines.empty(); });
    return sections;
}

} // namespace echolux
