// SPDX-License-Identifier: GPL-3.0-or-later
// A row below a stage's parameters: a button that averages the next lines, and how many.
#pragma once

#include "ui/parameters/param_editor.hpp"

#include <QWidget>

class QPushButton;

namespace echolux {

class NumberField;

class CaptureRow : public QWidget {
    Q_OBJECT
public:
    static constexpr int kUsualLines = 4096;
    static constexpr int kMostLines = 65536;

    explicit CaptureRow(const RowColumns& columns, QWidget* parent = nullptr);
    int lines() const;
    void setLines(int lines);  ///< emits no signal
    void setBusy(bool isBusy); ///< while lines are averaged, the button cannot be pressed
    QPushButton* button() const { return m_button; }
    NumberField* field() const { return m_field; }

signals:
    void captureRequested(int lines);
    void linesEdited(int lines);

private:
    QPushButton* m_button;
    NumberField* m_field;
};

} // namespace echolux
