// SPDX-License-Identifier: GPL-3.0-or-later
// Slider and number field of a Real or Integer parameter.
#pragma once

#include "ui/controls/number_scale.hpp"
#include "ui/parameters/param_editor.hpp"

namespace echolux {

class NumberField;
class Slider;

class NumberEditor : public ParamEditor {
    Q_OBJECT
public:
    explicit NumberEditor(const ParamRow& row, QWidget* parent = nullptr);
    void setValue(const ParamValue& value) override;
    ParamValue value() const override;
    void setDefault(const ParamValue& value) override;
    void setInvalid(bool invalid) override;
    void setSliderRange(double from, double to) override;
    NumberField* field() const { return m_field; }
    Slider* slider() const { return m_slider; }

private:
    void place(double value);
    void report(double value);
    void placeMarks();

    NumberField* m_field;
    Slider* m_slider;
    std::optional<double> m_default;
};

} // namespace echolux
