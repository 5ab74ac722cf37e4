// SPDX-License-Identifier: GPL-3.0-or-later
// Frames per second that came, and that were lost at each place, over the last minute.
#pragma once

#include "ui/plots/sticky_range.hpp"

#include <qcustomplot.h>

#include <array>

namespace echolux {

class PlotTools;

/// Frames so far.
struct LossTotals {
    static constexpr std::size_t kPlaces = 5;
    double timeS = 0.0;
    /// Came, lost at the source, lost in memory, left out by the pipeline, shown.
    std::array<double, kPlaces> frames{};
};

class LossesPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit LossesPlot(QWidget* parent = nullptr);
    void add(const LossTotals& totals);
    void clear();

private:
    void restyle();

    std::array<QCPGraph*, LossTotals::kPlaces> m_curves{};
    LossTotals m_last;
    StickyRange m_range;
    PlotTools* m_tools = nullptr;
};

} // namespace echolux
