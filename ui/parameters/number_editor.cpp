// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps slider and field at the same value.
#include "ui/parameters/number_editor.hpp"

#include "ui/controls/number_field.hpp"
#include "ui/controls/slider.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>

#include <cmath>

namespace echolux {
namespace {

constexpr int kSliderSteps = 10000;

} // namespace

NumberEditor::NumberEditor(const ParamRow& row, QWidget* parent)
    : ParamEditor(parent), m_field(new NumberField(row, this)), m_slider(new Slider(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_field);
    setFocusProxy(m_field);
    const QString name = QString::fromStdString(row.label);
    m_slider->setAccessibleName(name);
    m_field->setAccessibleName(name);
    m_slider->setRange(0, kSliderSteps);
    placeMarks();

    // NOTE: sliderMoved is emitted only when the user moves the slider. valueChanged is emitted for
    // the program's moves as well.
    connect(m_slider, &Slider::sliderMoved, this, [this](int position) {
        const double moved = m_field->scale().valueAt(position / static_cast<double>(kSliderSteps));
        if (moved == m_field->value()) return;
        m_field->setValue(moved);
        report(moved);
    });
    // When released, the handle moves to the value to which it was rounded.
    connect(m_slider, &Slider::sliderReleased, this, [this] { place(m_field->value()); });
    connect(m_slider, &Slider::stepRequested, m_field,
            qOverload<double, bool>(&NumberField::stepBy));
    connect(m_slider, &Slider::defaultRequested, this, &ParamEditor::defaultRequested);
    connect(m_field, &NumberField::edited, this, [this](double number) {
        place(number);
        report(number);
    });
    connect(m_field, &NumberField::noted, this, &ParamEditor::noted);
}

void NumberEditor::place(double value) {
    m_slider->setValue(
        static_cast<int>(std::lround(m_field->scale().position(value) * kSliderSteps)));
}

void NumberEditor::report(double value) { emit edited(m_field->scale().toParam(value)); }

void NumberEditor::setValue(const ParamValue& value) {
    const double number = numberOf(value);
    if (number == m_field->value() && !m_slider->isSliderDown()) {
        place(number);
        return;
    }
    m_field->setValue(number);
    if (!m_slider->isSliderDown()) place(number);
}

ParamValue NumberEditor::value() const { return m_field->scale().toParam(m_field->value()); }

void NumberEditor::setDefault(const ParamValue& value) {
    m_default = numberOf(value);
    placeMarks();
}

void NumberEditor::setSliderRange(double from, double to) {
    m_field->setSliderRange(from, to);
    placeMarks();
    place(m_field->value());
}

void NumberEditor::placeMarks() {
    const NumberScale& scale = m_field->scale();
    if (m_default) m_slider->setDefaultTick(scale.position(*m_default));
    if (!scale.logarithmic() && scale.min() < 0.0) m_slider->setFillOrigin(scale.position(0.0));
}

void NumberEditor::setInvalid(bool invalid) { setFieldState(m_field, invalid ? "error" : ""); }

} // namespace echolux
