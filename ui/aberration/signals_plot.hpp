// SPDX-License-Identifier: GPL-3.0-or-later
// Channels over time, focused on a place: light and dark are the two signs of the signal.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QImage>

#include <span>

namespace echolux {

struct AlignedSignals;

class SignalsPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SignalsPlot(const QString& title, QWidget* parent = nullptr);
    /// `levels`: one of the two sets in `aligned`. Each channel by its own peak where `even`.
    void setSignals(const AlignedSignals& aligned, std::span<const float> levels, bool even);
    void clear();
    const QImage& image() const { return m_image; } ///< a column per channel, a row per sample

private:
    void paint(QCPPainter& painter);

    QImage m_image;
    double m_startUs = 0.0;
    double m_stopUs = 0.0;
};

} // namespace echolux
