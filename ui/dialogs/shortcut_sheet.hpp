// SPDX-License-Identifier: GPL-3.0-or-later
// All keys on one sheet, read from the actions that carry them.
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QAction;

namespace echolux {

struct ShortcutSection {
    QString title;
    std::vector<QAction*> actions;
};

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutSheet(const std::vector<ShortcutSection>& sections, QWidget* parent = nullptr);
};

} // namespace echolux
