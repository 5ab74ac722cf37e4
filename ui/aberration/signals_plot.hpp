// SPDX-License-Identifier: GPL-3.0-or-later
// Channels over time, focused on a point. Light and dark are the two signs of the signal.
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
    /// `levels`: `before` or `after` of `aligned`. `even`: each channel is scaled to its own peak.
    void setSignals(const AlignedSignals& aligned, std::span<const float> levels, bool even);
    void clear();
    const QImage& image() const { return m_image; } ///< one column per channel, one row per sample

private:
    void paint(QCPPainter& painter);

    QImage m_image;
    double m_startUs = 0.0;
    double m_stopUs = 0.0;
};

} // namespace echolux
