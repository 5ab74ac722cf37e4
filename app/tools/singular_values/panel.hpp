// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Singular values".
#pragma once

#include "ui/controls/seen_widget.hpp"

namespace echolux {

class SingularPlot;

class SingularPanel : public SeenWidget {
    Q_OBJECT
public:
    explicit SingularPanel(QWidget* parent = nullptr);
    SingularPlot& plot() { return *m_plot; }

private:
    SingularPlot* m_plot;
};

} // namespace echolux
