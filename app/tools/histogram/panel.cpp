// SPDX-License-Identifier: GPL-3.0-or-later
// A plot, and whether it is seen.
#include "app/tools/histogram/panel.hpp"

#include "app/tools/histogram/plot.hpp"

#include <QVBoxLayout>

namespace echolux {

HistogramPanel::HistogramPanel(QWidget* parent)
    : SeenWidget(parent), m_plot(new HistogramPlot(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
}

} // namespace echolux
