// SPDX-License-Identifier: GPL-3.0-or-later
// The plots of the picked column, one below the other.
#pragma once

#include <QSplitter>

namespace echolux {

class DepthProfilePlot;
class FringePlot;
class RfLinePlot;
class SpectrumPlot;
class ViewLinesPlot;

class ColumnPlots : public QSplitter {
    Q_OBJECT
public:
    explicit ColumnPlots(QWidget* parent = nullptr);
    ViewLinesPlot& viewLines() { return *m_viewLines; }
    RfLinePlot& aLine() { return *m_aLine; }
    SpectrumPlot& spectrum() { return *m_spectrum; }
    FringePlot& fringe() { return *m_fringe; }
    DepthProfilePlot& ascan() { return *m_ascan; }
    /// True: fringe and A-scan. False: A-line and spectrum.
    void showOctPlots(bool oct);
    /// Shows the lines of the views above them, for pipelines whose views can be compared.
    void showViewLines(bool shown);
    void clear();

private:
    ViewLinesPlot* m_viewLines;
    RfLinePlot* m_aLine;
    SpectrumPlot* m_spectrum;
    FringePlot* m_fringe;
    DepthProfilePlot* m_ascan;
};

} // namespace echolux
