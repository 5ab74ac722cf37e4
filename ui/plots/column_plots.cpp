// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/column_plots.hpp"

#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/plots/rf_line_plot.hpp"
#include "ui/plots/spectrum_plot.hpp"
#include "ui/plots/view_lines_plot.hpp"

#include <initializer_list>

namespace echolux {

ColumnPlots::ColumnPlots(QWidget* parent)
    : QSplitter(Qt::Vertical, parent), m_viewLines(new ViewLinesPlot), m_aLine(new RfLinePlot),
      m_spectrum(new SpectrumPlot), m_fringe(new FringePlot), m_ascan(new DepthProfilePlot) {
    setChildrenCollapsible(false);
    for (QWidget* plot :
         std::initializer_list<QWidget*>{m_viewLines, m_aLine, m_spectrum, m_fringe, m_ascan})
        addWidget(plot);
    setStretchFactor(indexOf(m_viewLines), 3);
    setStretchFactor(indexOf(m_fringe), 2);
    setStretchFactor(indexOf(m_ascan), 3);
    showOctPlots(false);
    showViewLines(false);
}

void ColumnPlots::showOctPlots(bool oct) {
    m_aLine->setHidden(oct);
    m_spectrum->setHidden(oct);
    m_fringe->setHidden(!oct);
    m_ascan->setHidden(!oct);
}

void ColumnPlots::showViewLines(bool shown) { m_viewLines->setHidden(!shown); }

void ColumnPlots::clear() {
    m_viewLines->clear();
    m_aLine->clear();
    m_spectrum->setData({});
    m_fringe->clear();
    m_ascan->clear();
}

} // namespace echolux
