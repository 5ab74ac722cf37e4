// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/value_slider.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/controls/slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace echolux {

ValueSlider::ValueSlider(const QString& name, const QString& help, const Scale& scale, double value,
                         QWidget* parent)
    : QWidget(parent), m_scale(scale), m_default(value),
      m_title(makeLabel(name, LabelRole::Normal, this)), m_slider(new Slider(this)),
      m_figure(makeLabel({}, LabelRole::Normal, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    m_title->setToolTip(help);
    row->addWidget(m_title);
    row->addWidget(m_slider, 1);
    row->addWidget(m_figure);
    m_figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_slider->setAccessibleName(name);
    m_slider->setToolTip(help);
    connect(m_slider, &Slider::stepRequested, this, [this](double steps, bool fine) {
        m_slider->setValue(m_slider->value() +
                           static_cast<int>(std::lround(steps * (fine ? 1 : 5))));
    });
    connect(m_slider, &Slider::defaultRequested, this,
            [this] { m_slider->setValue(stepsOf(m_default)); });
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showValue();
        emit valueChanged();
    });
    setDefault(value, scale.from, scale.to);
}

int ValueSlider::titleWidth() const { return m_title->sizeHint().width(); }

void ValueSlider::setTitleWidth(int width) { m_title->setFixedWidth(width); }

int ValueSlider::stepsOf(double value) const {
    return static_cast<int>(std::lround((value - m_scale.from) / m_scale.step));
}

double ValueSlider::value() const { return m_scale.from + m_slider->value() * m_scale.step; }

void ValueSlider::setDefault(double value) { setDefault(value, m_scale.from, m_scale.to); }

void ValueSlider::setDefault(double value, double from, double to) {
    const QSignalBlocker quiet(m_slider);
    m_scale.from = from;
    m_scale.to = std::max(to, from + m_scale.step);
    const int steps = std::max(stepsOf(m_scale.to), 1);
    m_slider->setRange(0, steps);
    m_slider->setValue(std::clamp(stepsOf(value), 0, steps));
    m_default = this->value();
    m_slider->setDefaultTick(static_cast<double>(m_slider->value()) / steps);
    const auto widthOf = [this](double number) {
        return m_figure->fontMetrics().horizontalAdvance(numberText(number, m_scale.decimals) +
                                                         ' ' + m_scale.unit);
    };
    m_figure->setMinimumWidth(std::max(widthOf(m_scale.from), widthOf(m_scale.to)));
    showValue();
}

void ValueSlider::showValue() {
    const QString number = numberText(value(), m_scale.decimals);
    m_figure->setText(m_scale.unit.isEmpty() ? number : number + ' ' + m_scale.unit);
}

} // namespace echolux
