// SPDX-License-Identifier: GPL-3.0-or-later
// Actions with icons, keys and tooltips.
#include "ui/controls/action_text.hpp"

#include "ui/theme/theme.hpp"

#include <QAction>

namespace echolux {

QAction* makeAction(QObject* parent, const QString& text, const QString& icon,
                    const QList<QKeySequence>& keys, const QString& help) {
    auto* action = new QAction(text, parent);
    if (!icon.isEmpty()) action->setIcon(themeIcon(icon));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    action->setStatusTip({});
    action->setToolTip(toolTipWithKeys(help, *action));
    action->setWhatsThis(help);
    return action;
}

QString keysText(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(" or ");
}

QString toolTipWithKeys(const QString& help, const QAction& action) {
    const QString keys = keysText(action);
    return keys.isEmpty() ? help : help + " (" + keys + ")";
}

} // namespace echolux
