// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of dialogs.
#include "ui/dialogs/dialog_parts.hpp"

#include "ui/controls/quantity_box.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>

#include <qcustomplot.h>

#include <utility>

namespace echolux {

QSpinBox* makeCountBox(int min, int max, int value, const QString& unit, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setFixedSize(kNumberWidth, 3 * kGrid);
    box->setLocale(QLocale::c());
    box->setGroupSeparatorShown(false);
    box->setCorrectionMode(QAbstractSpinBox::CorrectToNearestValue);
    if (!unit.isEmpty()) box->setSuffix(' ' + unit);
    box->setRange(min, max);
    box->setValue(value);
    return box;
}

QDoubleSpinBox* makeRealBox(double min, double max, double value, int decimals, const QString& unit,
                            QWidget* parent) {
    auto* box = new QuantityBox(unit, parent);
    box->setFixedSize(kNumberWidth, 3 * kGrid);
    box->setDecimals(decimals);
    box->setRange(min, max);
    box->setValue(value);
    return box;
}

QDoubleSpinBox* makeExactBox(double min, double max, double value, const QString& unit,
                             QWidget* parent) {
    constexpr int kDecimals = 6;
    auto* box = new QuantityBox(unit, parent);
    box->setFixedSize(kNumberWidth, 3 * kGrid);
    box->omitTrailingZeros();
    box->setDecimals(kDecimals);
    box->setRange(min, max);
    box->setValue(value);
    return box;
}

void fillArrays(QComboBox* box, const QStringList& names) {
    box->clear();
    for (const QString& name : names) box->addItem(name.isEmpty() ? "the only one" : name, name);
}

void addRow(QGridLayout* grid, const QString& label, QWidget* field) {
    const int row = grid->rowCount();
    grid->addWidget(makeLabel(label, LabelRole::Secondary, grid->parentWidget()), row, 0);
    grid->addWidget(field, row, 1, Qt::AlignLeft);
}

void setRowVisible(QWidget* field, bool visible) {
    auto* grid = qobject_cast<QGridLayout*>(field->parentWidget()->layout());
    int row = 0;
    int column = 0;
    int rows = 0;
    int columns = 0;
    grid->getItemPosition(grid->indexOf(field), &row, &column, &rows, &columns);
    for (int each = 0; each < grid->columnCount(); ++each)
        if (QLayoutItem* item = grid->itemAtPosition(row, each); item && item->widget())
            item->widget()->setVisible(visible);
}

QCustomPlot* makeDialogPlot(const QString& xLabel, const QString& yLabel, QWidget* parent) {
    auto* plot = new QCustomPlot(parent);
    plot->setMinimumSize(48 * kGrid, 24 * kGrid);
    plot->setInteractions(QCP::iNone);
    plot->xAxis->setLabel(xLabel);
    plot->yAxis->setLabel(yLabel);
    const auto restyle = [plot] {
        stylePlot(*plot);
        plot->replot(QCustomPlot::rpQueuedReplot);
    };
    QObject::connect(&Theme::instance(), &Theme::changed, plot, restyle);
    restyle();
    return plot;
}

void addCopyAndClose(QBoxLayout* layout, QDialog* dialog, std::function<QString()> text) {
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addStretch(1);
    auto* copy = new QPushButton("Copy", dialog);
    copy->setObjectName("copy");
    copy->setToolTip("Copies all lines");
    auto* close = new QPushButton("Close", dialog);
    close->setDefault(true);
    buttons->addWidget(copy);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [text = std::move(text)] { QGuiApplication::clipboard()->setText(text()); });
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::close);
}

QLabel* makeNote(QWidget* parent) {
    QLabel* note = makeLabel("", LabelRole::Secondary, parent);
    note->setWordWrap(true);
    note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    note->setMinimumHeight(8 * kGrid);
    return note;
}

} // namespace echolux
