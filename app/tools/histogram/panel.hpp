// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Histogram".
#pragma once

#include "ui/controls/seen_widget.hpp"

namespace echolux {

class HistogramPlot;

class HistogramPanel : public SeenWidget {
    Q_OBJECT
public:
    explicit HistogramPanel(QWidget* parent = nullptr);
    HistogramPlot& plot() { return *m_plot; }

private:
    HistogramPlot* m_plot;
};

} // namespace echolux
