// SPDX-License-Identifier: GPL-3.0-or-later
// A number field with its unit: digits right-aligned, units left-aligned, so that both form
// columns. Any text may be typed; a value out of range is clamped, and a message says so.
#pragma once

#include "ui/controls/number_scale.hpp"

#include <QAbstractSpinBox>

class QLabel;

namespace echolux {

class NumberField : public QAbstractSpinBox {
    Q_OBJECT
public:
    static constexpr int kWidth = 96;

    explicit NumberField(const ParamRow& row, QWidget* parent = nullptr);
    double value() const { return m_value; }
    void setValue(double value); ///< without a signal
    const NumberScale& scale() const { return m_scale; }
    void setSliderRange(double from, double to) { m_scale.setSliderRange(from, to); }
    /// Steps as the wheel or a key does; emits edited().
    void stepBy(double steps, bool fine);
    void stepBy(int steps) override { stepBy(static_cast<double>(steps), false); }

signals:
    void edited(double value);
    /// The typed text was not accepted as it is; `sentence` says why.
    void noted(const QString& sentence);

protected:
    StepEnabled stepEnabled() const override;
    QValidator::State validate(QString& input, int& position) const override;
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commit();
    void adopt(double value);
    void flash();
    int unitWidth() const;
    void placeUnit();

    NumberScale m_scale;
    double m_value = 0.0;
    QLabel* m_unit;
};

/// Sets the dynamic property `state` ("", "warning", "error"), from which the style sheet colours
/// the border.
void setFieldState(QWidget* field, const char* state);

} // namespace echolux
