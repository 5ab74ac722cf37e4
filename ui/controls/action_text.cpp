// SPDX-License-Identifier: GPL-3.0-or-later
// Actions with icons, keys and tooltips.
#include "ui/controls/action_text.hpp"

#include "ui/theme/theme.hpp"

#include <QAction>
#include <QRegularExpression>

namespace echolux {

QAction* makeAction(QObject* parent, const QString& text, const QString& icon,
                    const QList<QKeySequence>& keys, const QString& help) {
    auto* action = new QAction(text, parent);
    action->setObjectName(commandWord(text));
    if (!icon.isEmpty()) action->setIcon(themeIcon(icon));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    action->setStatusTip({});
    action->setToolTip(toolTipWithKeys(help, *action));
    action->setWhatsThis(help);
    return action;
}

QString commandWord(const QString& text) {
    static const QRegularExpression others("[^a-z0-9]+");
    QString word = text.toLower().remove('&').replace(others, "_");
    if (word.startsWith('_')) word.remove(0, 1);
    if (word.endsWith('_')) word.chop(1);
    return word;
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
