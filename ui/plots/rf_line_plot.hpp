// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column: the raw line of the channel above it, and the envelope down the column, over
// depth and over time.
#pragma once

#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QVector>

#include <vector>

class QToolButton;

namespace echolux {

struct ALineData {
    QString title;           ///< "3.2 mm, channel 71"
    QString quantity = "RF"; ///< what the raw line holds: "RF", "I"
    QString unit = "codes";
    std::vector<float> rf; ///< raw line over time; empty for recordings of images
    double rfStartUs = 0.0;
    double rfStepUs = 0.0;
    /// Indices into rf of samples at the converter's lowest or highest code.
    std::vector<std::size_t> clipped;
    std::vector<float> envelope; ///< over depth, linear; may be empty
    /// Label of the axis where `envelope` holds shown values such as "level (dB)", drawn from
    /// `shownFrom` to `shownTo`. Empty: amplitudes.
    QString shownLabel;
    double shownFrom = 0.0;
    double shownTo = 1.0;
    double depthStartMm = 0.0;
    double depthStepMm = 0.0;
    double soundSpeedMps = 1540.0;     ///< relates time to depth: depth = c t / 2; 0: unknown
    QString depthLabel = "depth (mm)"; ///< "sample" for an image without a scale
    bool still = false;                ///< from a frozen frame: the axes fit it at once
};

class RfLinePlot : public HintPlot {
    Q_OBJECT
public:
    explicit RfLinePlot(QWidget* parent = nullptr);
    void setData(const ALineData& line);
    void clear();
    void setDecibels(bool on);
    bool decibels() const;
    /// "3 clipped" (samples), or empty.
    QString clippingText() const;

protected:
    void restyle() override;

private:
    void draw();
    void drawRf(bool inDb);
    void drawEnvelope(bool inDb);

    ALineData m_data;
    QToolButton* m_dbButton;
    QLabel* m_clippingLabel;
    QCPGraph* m_rf;
    QCPGraph* m_envelope;
    QCPGraph* m_clipped;
    StickyRange m_rfRange;
    StickyRange m_envelopeRange;
};

} // namespace echolux
