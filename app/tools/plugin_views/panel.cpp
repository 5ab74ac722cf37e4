// SPDX-License-Identifier: GPL-3.0-or-later
// A plot, and whether it is seen.
#include "app/tools/plugin_views/panel.hpp"

#include "app/tools/plugin_views/plot.hpp"

#include <QVBoxLayout>

namespace echolux {

PluginViewPanel::PluginViewPanel(const QString& title, const QString& help, QWidget* parent)
    : SeenWidget(parent), m_plot(new ViewPlot(title, help, this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
}

} // namespace echolux
