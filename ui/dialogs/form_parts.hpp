// SPDX-License-Identifier: GPL-3.0-or-later
// What the forms of descriptions are made of: choices, facts that may be unknown, lists, headings.
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

using FormItem = std::pair<const char*, const char*>; ///< id, text

QComboBox* makeChoice(const std::vector<FormItem>& items, QWidget* parent);
/// The item with these data, where there is one.
void choose(QComboBox* box, const QVariant& id);
/// 0 reads "unknown".
QDoubleSpinBox* makeFact(double most, double value, const QString& unit, QWidget* parent);
/// A number with up to 6 decimals, from -`most` to `most`.
QDoubleSpinBox* makePlace(double most, const QString& unit, QWidget* parent);
QLineEdit* makeList(const QString& toolTip, QWidget* parent);
/// The layout of a column of a form.
QGridLayout* makeFormGrid(QWidget* column);
void addHeading(QGridLayout* grid, const QString& text);

} // namespace echolux
