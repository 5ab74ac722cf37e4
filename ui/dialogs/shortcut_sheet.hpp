// SPDX-License-Identifier: GPL-3.0-or-later
// All shortcut keys on one sheet.
#pragma once

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

class QAction;

namespace echolux {

using ShortcutLine = std::pair<QString, QString>; ///< keys, and their effect

struct ShortcutSection {
    QString title;
    std::vector<ShortcutLine> lines;
};

ShortcutLine shortcutLine(const QAction& action);

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutSheet(const std::vector<ShortcutSection>& sections, QWidget* parent = nullptr);
};

} // namespace echolux
