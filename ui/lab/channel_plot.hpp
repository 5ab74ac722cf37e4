// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve": a transmit's channels over time, and the samples that make one pixel.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QImage>
#include <QStringList>

#include <vector>

class QComboBox;

namespace echolux {

/// Magnitudes, [channel][row]; row 0 begins at startUs.
struct ChannelLevels {
    int channels = 0;
    int rows = 0;
    double startUs = 0.0;
    double stepUs = 0.0;
    std::vector<float> level;

    bool empty() const { return channels == 0 || rows == 0; }
};

/// What a pixel takes: one entry per channel that is heard.
struct DelayMarks {
    struct Mark {
        int channel = 0; ///< from 0
        double timeUs = 0.0;
        double weight = 0.0; ///< 0 to 1
    };
    QString text;       ///< of pixel and transmit, for the title line
    bool images = true; ///< else drawn dashed: the transmit does not image the pixel
    std::vector<Mark> marks{};
};

class ChannelPlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr double kRangeDb = 60.0; ///< below the largest magnitude, black

    explicit ChannelPlot(QWidget* parent = nullptr);
    /// Names of the frame's transmits; empty: there is nothing to choose.
    void setTransmits(const QStringList& names);
    void setLevels(const ChannelLevels& levels); ///< empty: as clear()
    void setMarks(const DelayMarks& marks);
    void clear();

    int transmit() const; ///< that was chosen; -1: the nearest to the pixel
    const DelayMarks& marks() const { return m_marks; }
    const QImage& image() const { return m_image; } ///< a column per channel, a row per sample
    QComboBox& chooser() { return *m_transmit; }

signals:
    void transmitChosen();
    void sightChanged(bool seen); ///< levels and marks are wanted only while it is seen

protected:
    void restyle() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void paintLevels(QCPPainter& painter);
    void paintMarks(QCPPainter& painter);

    QComboBox* m_transmit;
    QStringList m_names;
    QCPGraph* m_curve;
    QImage m_image;
    double m_startUs = 0.0;
    double m_stopUs = 0.0;
    DelayMarks m_marks;
};

} // namespace echolux
