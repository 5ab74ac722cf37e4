// SPDX-License-Identifier: GPL-3.0-or-later
// Button and number of the row.
#include "ui/parameters/capture_row.hpp"

#include "ui/controls/number_field.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QPushButton>

namespace echolux {
namespace {

ParamRow linesRow() {
    ParamRow row;
    row.key = "lines";
    row.label = "Lines to average";
    row.min = 1.0;
    row.max = CaptureRow::kMostLines;
    row.step = 512.0;
    row.type = ParamType::Integer;
    row.displayUnit = "lines";
    return row;
}

} // namespace

CaptureRow::CaptureRow(const RowColumns& columns, QWidget* parent)
    : QWidget(parent), m_button(new QPushButton("Average next", this)),
      m_field(new NumberField(linesRow(), this)) {
    setObjectName("captureRow");
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    auto* label = new ElidedLabel("Capture", this);
    label->setFixedSize(columns.labelWidth, 3 * kGrid);
    line->addWidget(label);
    line->addSpacing(kGrid);
    line->addWidget(m_button, 1);
    line->addSpacing(kGrid);
    line->addWidget(m_field);
    line->addSpacing(2 * kGrid); // as wide as the dots of other rows
    setToolTip("<p><b>Capture</b><br>Averages the A-scans that are imaged from now on. Then their "
               "mean is subtracted as the background.</p><p>Block the sample's arm first, so that "
               "only the light of the reference is averaged. Undo takes the capture back. "
               "<i>Calibration &gt; Save calibration</i> keeps it in a file.</p>");
    m_field->setValue(kUsualLines);
    connect(m_button, &QPushButton::clicked, this, [this] { emit captureRequested(lines()); });
    connect(m_field, &NumberField::edited, this, [this] { emit linesEdited(lines()); });
}

int CaptureRow::lines() const { return static_cast<int>(m_field->value()); }

void CaptureRow::setLines(int lines) { m_field->setValue(lines); }

void CaptureRow::setBusy(bool isBusy) {
    m_button->setEnabled(!isBusy);
    m_button->setText(isBusy ? "Averaging\u2026" : "Average next");
}

} // namespace echolux
