// SPDX-License-Identifier: GPL-3.0-or-later
// Creates actions whose tooltips include their keys.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

class QAction;
class QObject;

namespace echolux {

/// `icon`: name in resources/icons, or empty. `help`: the tooltip; the keys are appended. The
/// object's name is commandWord(text), and stays when the text changes.
QAction* makeAction(QObject* parent, const QString& text, const QString& icon,
                    const QList<QKeySequence>& keys, const QString& help);
QString toolTipWithKeys(const QString& help, const QAction& action);
/// "draw_region" of "Draw re&gion"; part of the ids of commands.
QString commandWord(const QString& text);
QString keysText(const QAction& action); ///< ", or Left"

} // namespace echolux
