// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Histogram" at work: counts of the shown image, and the display range dragged there.
#pragma once

#include "app/tools/histogram/look.hpp"

#include <QObject>

#include <memory>

namespace echolux {

class HistogramPlot;
class Workbench;

/// Asks for a count at the pace of measuring, only while the dock is in sight.
class HistogramTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<HistogramLook>;

    HistogramTool(HistogramPlot& plot, Workbench& bench);

private:
    void forget(); ///< what was counted
    void syncFromPipeline();
    void follow();
    void showLimits();

    HistogramPlot& m_plot;
    Workbench& m_bench;
    HistogramRequest m_asked;
    std::shared_ptr<const ImageHistogram> m_shown;
};

} // namespace echolux
