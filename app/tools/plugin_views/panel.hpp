// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock of one plugin's view.
#pragma once

#include "ui/controls/seen_widget.hpp"

namespace echolux {

class ViewPlot;

class PluginViewPanel : public SeenWidget {
    Q_OBJECT
public:
    PluginViewPanel(const QString& title, const QString& help, QWidget* parent = nullptr);
    ViewPlot& plot() { return *m_plot; }

private:
    ViewPlot* m_plot;
};

} // namespace echolux
