// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the description forms: choices, facts that may be unknown, lists, headings.
#pragma once

#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/theme.hpp"

#include <QString>

#include <utility>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLineEdit;
class QVariant;
class QWidget;

namespace echolux {

constexpr int kFormField = kNumberWidth + 5 * kGrid; ///< width

/// `items`: id and text of each.
QComboBox* makeChoice(const std::vector<std::pair<QString, QString>>& items, QWidget* parent);
/// Selects the item whose data are `id`, if there is one.
void choose(QComboBox* box, const QVariant& id);
/// A number from 0; 0 is shown as "unknown".
QDoubleSpinBox* makeFact(double most, double value, const QString& unit, QWidget* parent);
/// A number with up to 6 decimals, from -`most` to `most`.
QDoubleSpinBox* makePlace(double most, const QString& unit, QWidget* parent);
QLineEdit* makeList(const QString& toolTip, QWidget* parent);
/// The layout of a form's column.
QGridLayout* makeFormGrid(QWidget* column);
void addHeading(QGridLayout* grid, const QString& text);

} // namespace echolux
