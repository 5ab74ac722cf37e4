// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of forms.
#include "ui/dialogs/form_parts.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/theme/labels.hpp"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>

namespace echolux {

QComboBox* makeChoice(const std::vector<std::pair<QString, QString>>& items, QWidget* parent) {
    auto* box = new ComboBox(parent);
    for (const auto& [id, text] : items) box->addItem(text, id);
    box->setFixedSize(kFormField, 3 * kGrid);
    return box;
}

void choose(QComboBox* box, const QVariant& id) {
    if (const int at = box->findData(id); at >= 0) box->setCurrentIndex(at);
}

QDoubleSpinBox* makeFact(double most, double value, const QString& unit, QWidget* parent) {
    QDoubleSpinBox* box = makeExactBox(0.0, most, value, unit, parent);
    box->setFixedSize(kFormField, 3 * kGrid);
    box->setSpecialValueText("unknown");
    return box;
}

QDoubleSpinBox* makePlace(double most, const QString& unit, QWidget* parent) {
    QDoubleSpinBox* box = makeExactBox(-most, most, 0.0, unit, parent);
    box->setFixedSize(kFormField, 3 * kGrid);
    return box;
}

QLineEdit* makeList(const QString& toolTip, QWidget* parent) {
    auto* edit = new QLineEdit(parent);
    edit->setFixedSize(kFormField, 3 * kGrid);
    edit->setAlignment(Qt::AlignRight);
    edit->setToolTip(toolTip);
    return edit;
}

QGridLayout* makeFormGrid(QWidget* column) {
    auto* grid = new QGridLayout(column);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    return grid;
}

void addHeading(QGridLayout* grid, const QString& text) {
    QLabel* label = makeLabel(text, LabelRole::Normal, grid->parentWidget());
    const int row = grid->rowCount();
    if (row > 1) grid->setRowMinimumHeight(row, 4 * kGrid);
    grid->addWidget(label, row, 0, 1, 3, Qt::AlignBottom);
}

} // namespace echolux
