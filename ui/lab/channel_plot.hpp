// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Delay curve": the channels of a transmit over time, and the samples that a pixel sums.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QImage>
#include <QStringList>

#include <vector>

class QComboBox;
class QToolButton;

namespace echolux {

class ValueSlider;

/// Magnitudes, [channel][row]; row 0 is at startUs.
struct ChannelLevels {
    int channels = 0;
    int rows = 0;
    double startUs = 0.0;
    double stepUs = 0.0;
    std::vector<float> level;

    bool empty() const { return channels == 0 || rows == 0; }
};

/// The samples that a pixel sums: one entry per channel in its aperture.
struct DelayMarks {
    struct Mark {
        int channel = 0; ///< from 0
        double timeUs = 0.0;
        double weight = 0.0; ///< 0 to 1
    };
    QString text;       ///< pixel and transmit, for the title line
    bool images = true; ///< false: the transmit does not image the pixel, and the curve is dashed
    std::vector<Mark> marks{};
};

/// Curves of pixels above and below one another. A weight of 0 is drawn dotted.
struct DelayCurves {
    std::vector<std::vector<DelayMarks::Mark>> curves;
    double skipped = 0.0; ///< share of the samples with weight 0 over the whole depth
};

/// The two parts of a delay curve.
struct DelayLegs {
    double outUs = 0.0;                 ///< when the wave is at the pixel
    std::vector<DelayMarks::Mark> back; ///< time from the pixel to each channel's element
};

/// Lines of equal delay over the image: of which part of the delay.
enum class DelayMapLeg { None, Transmit, Receive, Both };

class ChannelPlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr double kRangeDb = 60.0; ///< dB below the largest magnitude that are black

    explicit ChannelPlot(QWidget* parent = nullptr);
    /// Names of the frame's transmits. Empty: nothing to choose.
    void setTransmits(const QStringList& names);
    void setLevels(const ChannelLevels& levels); ///< empty levels act as clear()
    void setMarks(const DelayMarks& marks);
    void setFamily(const DelayCurves& family);
    bool wantsFamily() const;            ///< the user switched the other depths on
    void setLegs(const DelayLegs& legs); ///< legs without channels are not drawn
    bool wantsLegs() const;              ///< the user switched the legs on
    void clear();
    void setElements(int count); ///< of the array, of which one is chosen for the map
    DelayMapLeg mapLeg() const;  ///< what the user wants drawn over the image
    int mapElement() const;      ///< from 0

    int transmit() const; ///< the chosen one; -1: the one nearest to the pixel
    const DelayMarks& marks() const { return m_marks; }
    const DelayCurves& family() const { return m_family; }
    const QImage& image() const { return m_image; } ///< one column per channel, one row per sample
    QComboBox& chooser() { return *m_transmit; }
    const DelayLegs& legs() const { return m_shownLegs; }
    QToolButton& familyButton() { return *m_depths; }
    QToolButton& legsButton() { return *m_legs; }
    QComboBox& mapChooser() { return *m_map; }
    ValueSlider& elementSlider() { return *m_element; }

signals:
    void transmitChosen();
    void familyWanted();
    void legsWanted();
    void mapWanted();             ///< mapLeg() or mapElement() has changed
    void sightChanged(bool seen); ///< levels and marks are needed only while the plot is visible

protected:
    void restyle() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void paintLevels(QCPPainter& painter);
    void paintFamily(QCPPainter& painter);
    void paintMarks(QCPPainter& painter);
    void showXLabel();
    void makeMapRow();

    QComboBox* m_transmit;
    QComboBox* m_map;
    ValueSlider* m_element;
    QToolButton* m_depths;
    QToolButton* m_legs;
    QStringList m_names;
    int m_elements = 0;
    QCPGraph* m_curve;
    QCPGraph* m_out;
    QCPGraph* m_back;
    DelayCurves m_family;
    DelayLegs m_shownLegs;
    QImage m_image;
    double m_startUs = 0.0;
    double m_stopUs = 0.0;
    DelayMarks m_marks;
};

} // namespace echolux
