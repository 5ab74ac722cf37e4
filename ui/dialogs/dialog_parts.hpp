// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of dialogs: number boxes without buttons, labelled rows, themed plots.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QBoxLayout;
class QComboBox;
class QCustomPlot;
class QDialog;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSpinBox;
class QWidget;

namespace echolux {

constexpr int kNumberWidth = 104;

/// A whole number that reports each digit as it is typed.
QSpinBox* makeCountBox(int min, int max, int value, const QString& unit, QWidget* parent);
QDoubleSpinBox* makeRealBox(double min, double max, double value, int decimals, const QString& unit,
                            QWidget* parent);
/// The same with up to 6 decimals; zeros at the end are not shown.
QDoubleSpinBox* makeExactBox(double min, double max, double value, const QString& unit,
                             QWidget* parent);
/// Lists the arrays of a container. One of them may have no name.
void fillArrays(QComboBox* box, const QStringList& names);
/// Appends a row: a secondary label, then `field`.
void addRow(QGridLayout* grid, const QString& label, QWidget* field);
/// Shows or hides the row of `field` in its QGridLayout.
void setRowVisible(QWidget* field, bool visible);
/// A plot that follows the theme. Colour its graphs with plotColour().
QCustomPlot* makeDialogPlot(const QString& xLabel, const QString& yLabel, QWidget* parent);
/// Last row of a dialog that shows lines: a button that copies `text`, and Close.
void addCopyAndClose(QBoxLayout* layout, QDialog* dialog, std::function<QString()> text);
/// A sentence that may be several lines long. Space for four lines is reserved.
QLabel* makeNote(QWidget* parent);

} // namespace echolux
