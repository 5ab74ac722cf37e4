// SPDX-License-Identifier: GPL-3.0-or-later
// A slider with its name before it and its value with the unit behind it.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace echolux {

class Slider;

class ValueSlider : public QWidget {
    Q_OBJECT
public:
    struct Scale {
        double from = 0.0;
        double to = 1.0;
        double step = 0.01;
        int decimals = 2;
        QString unit = {};
    };

    ValueSlider(const QString& name, const QString& help, const Scale& scale, double value,
                QWidget* parent = nullptr);
    double value() const;
    /// Sets value, default and, if given, the span, without a signal.
    void setDefault(double value);
    void setDefault(double value, double from, double to);
    Slider& slider() { return *m_slider; }
    /// Width of the name, so that the sliders of a column begin at the same place.
    int titleWidth() const;
    void setTitleWidth(int width);

signals:
    void valueChanged();

private:
    int stepsOf(double value) const;
    void showValue();

    Scale m_scale;
    double m_default;
    QLabel* m_title;
    Slider* m_slider;
    QLabel* m_figure;
};

} // namespace echolux
