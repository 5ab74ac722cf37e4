// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the sheet of shortcuts.
#include "ui/shortcut_sheet.hpp"

#include "ui/action_text.hpp"
#include "ui/labels.hpp"
#include "ui/theme.hpp"

#include <QAction>
#include <QGridLayout>

#include <utility>

namespace echolux {
namespace {

using Line = std::pair<QString, QString>;

QWidget* column(const QString& title, const std::vector<Line>& lines, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(3 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    QLabel* head = makeLabel(title, LabelRole::Normal, box);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    head->setContentsMargins(0, 0, 0, kGrid / 2);
    grid->addWidget(head, 0, 0, 1, 2);
    for (const auto& [keys, what] : lines) {
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(keys, LabelRole::Normal, box), row, 0);
        grid->addWidget(makeLabel(what, LabelRole::Secondary, box), row, 1);
    }
    grid->setRowStretch(grid->rowCount(), 1);
    grid->setColumnStretch(1, 1);
    return box;
}

} // namespace

ShortcutSheet::ShortcutSheet(const std::vector<ShortcutSection>& sections, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle("Shortcuts");
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    layout->setHorizontalSpacing(5 * kGrid);
    layout->setVerticalSpacing(3 * kGrid);
    auto add = [layout, place = 0](QWidget* box) mutable {
        layout->addWidget(box, place / 2, place % 2);
        ++place;
    };
    for (const ShortcutSection& section : sections) {
        std::vector<Line> lines;
        for (const QAction* action : section.actions) {
            lines.emplace_back(keysText(*action), action->whatsThis());
        }
        add(column(section.title, lines, this));
    }
    add(column("Sliders and numbers",
               {{"Wheel, Up, Down", "One step, once clicked"},
                {"Ctrl + these", "A tenth of a step"},
                {"Ctrl + drag", "Move ten times finer"},
                {"Double click", "Default value"},
                {"Return", "Take the typed number; press a button"},
                {"Esc", "Forget what was typed"}},
               this));
}

} // namespace echolux
