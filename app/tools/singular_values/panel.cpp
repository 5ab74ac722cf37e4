// SPDX-License-Identifier: GPL-3.0-or-later
// A plot, and whether it is seen.
#include "app/tools/singular_values/panel.hpp"

#include "app/tools/singular_values/plot.hpp"

#include <QVBoxLayout>

namespace echolux {

SingularPanel::SingularPanel(QWidget* parent) : SeenWidget(parent), m_plot(new SingularPlot(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
}

} // namespace echolux
