// SPDX-License-Identifier: GPL-3.0-or-later
// A choice and a number for each axis.
#include "ui/dialogs/axis_fields.hpp"

#include "ui/dialogs/form_parts.hpp"
#include "ui/theme/labels.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QSpinBox>
#include <QStringList>

#include <algorithm>
#include <limits>

namespace echolux {

AxisFields::AxisFields(const std::vector<std::pair<QString, QString>>& roles, QWidget* parent)
    : QWidget(parent) {
    QGridLayout* grid = makeFormGrid(this);
    addHeading(grid, "Axes, slowest first");
    for (int i = 0; i < kMostAxes; ++i) {
        AxisRow& axis = m_axes[static_cast<std::size_t>(i)];
        axis.role = makeChoice(roles, this);
        choose(axis.role, "none");
        axis.role->setFixedSize(kNumberWidth, 3 * kGrid);
        axis.size = makeCountBox(0, std::numeric_limits<int>::max(), 1, "", this);
        axis.size->setSpecialValueText("all");
        axis.size->setFixedSize(8 * kGrid, 3 * kGrid);
        axis.size->setToolTip("0: as many as the file holds");
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(QString("Axis %1").arg(i + 1), LabelRole::Secondary, this), row,
                        0);
        grid->addWidget(axis.role, row, 1, Qt::AlignRight);
        grid->addWidget(axis.size, row, 2, Qt::AlignRight);
        connect(axis.role, &QComboBox::currentIndexChanged, this, &AxisFields::follow);
        connect(axis.size, &QSpinBox::valueChanged, this, &AxisFields::follow);
    }
    grid->setColumnStretch(1, 1);
    showWhatApplies();
}

void AxisFields::setHeaderless(bool headerless) {
    m_headerless = headerless;
    showWhatApplies();
}

QString AxisFields::listed(bool roles) const {
    QStringList parts;
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const QString role = m_axes[i].role->currentData().toString();
        const int size = m_axes[i].size->value();
        if (m_headerless ? role != "none" : i < m_shownAxes)
            parts << (roles ? role : QString::number(size == 0 ? -1 : size));
    }
    return parts.join(',');
}

void AxisFields::setAxes(const QString& axes, const QString& shape) {
    const QStringList roles = axes.split(',', Qt::SkipEmptyParts);
    const QStringList sizes = shape.split(',', Qt::SkipEmptyParts);
    m_filling = true;
    m_shownAxes = std::min<std::size_t>(static_cast<std::size_t>(roles.size()), kMostAxes);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        choose(m_axes[i].role, roles.value(at, "none"));
        m_axes[i].size->setValue(std::max(0, sizes.value(at, "1").toInt()));
    }
    m_filling = false;
    showWhatApplies();
}

void AxisFields::follow() {
    if (m_filling) return;
    showWhatApplies();
    emit changed();
}

void AxisFields::showWhatApplies() {
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const bool none = m_axes[i].role->currentData().toString() == "none";
        setRowVisible(m_axes[i].role, m_headerless || i < m_shownAxes);
        m_axes[i].size->setEnabled(m_headerless && !none);
    }
}

} // namespace echolux
