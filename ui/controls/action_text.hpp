// SPDX-License-Identifier: GPL-3.0-or-later
// Makes actions whose tooltips carry their keys.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

class QAction;
class QObject;

namespace echolux {

/// `icon` names one of resources/icons or is empty; `help` is the tooltip, to which the keys are
/// added.
QAction* makeAction(QObject* parent, const QString& text, const QString& icon,
                    const QList<QKeySequence>& keys, const QString& help);
QString toolTipWithKeys(const QString& help, const QAction& action);
QString keysText(const QAction& action); ///< ", or Left"

} // namespace echolux
