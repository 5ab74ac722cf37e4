// SPDX-License-Identifier: GPL-3.0-or-later
// The histogram as steps, with black and white of the view as two lines that are dragged.
#pragma once

#include "ui/plots/dragged_lines.hpp"
#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

class QCheckBox;

namespace echolux {

class ComboBox;

struct HistogramData {
    std::vector<std::uint32_t> bins; ///< at least one; they divide `from` to `to` evenly
    double from = 0.0;
    double to = 1.0;
    std::uint32_t below = 0;   ///< values below `from`
    std::uint32_t above = 0;   ///< values at `to` or above
    std::uint32_t nothing = 0; ///< pixels without a value
    QString unit;              ///< "dB", or empty
    QString reference;         ///< what 0 of that unit is; may be empty

    double binWidth() const { return (to - from) / static_cast<double>(bins.size()); }
    double valued() const; ///< pixels with a value
    /// Pixels below `level`. Within a bin they are taken to lie evenly.
    double countBelow(double level) const;
};

class HistogramPlot : public HintPlot {
    Q_OBJECT
public:
    explicit HistogramPlot(QWidget* parent = nullptr);

    void setData(const HistogramData& histogram);
    void clear();
    void setLimits(double min, double max); ///< drawn as lines; not while one is dragged
    double limitMin() const { return m_limits[0]; }
    double limitMax() const { return m_limits[1]; }
    bool isDragging() const { return m_lines->isHeld(); }
    /// "12.3 % below   87.4 % between   0.3 % above", or empty.
    QString readout() const;

    /// The views of the pipeline. One alone needs no choice.
    void setViews(const QStringList& names);
    int view() const; ///< number of the chosen one
    bool isLogarithmic() const;
    void setLogarithmic(bool on);

signals:
    void limitsDragged(double min, double max); ///< by the mouse, while it is held
    void viewChosen();

protected:
    void restyle() override;

private:
    void drag(std::size_t end, double place);
    void placeLimits();
    void followScale();
    void fitCounts();
    void tell();

    ComboBox* m_views;
    QCheckBox* m_logarithmic;
    QLabel* m_readout;
    QCPGraph* m_steps;
    DraggedLines* m_lines; ///< belongs to the plot
    std::array<double, 2> m_limits{0.0, 1.0};
    HistogramData m_data;
    StickyRange m_highest; ///< count at the top of the even axis
};

} // namespace echolux
