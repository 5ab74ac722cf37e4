// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot in the colours and the small font of the theme.
#pragma once

class QCustomPlot;
class QCPAxis;

namespace echolux {

/// Background, axes, grid and fonts of the whole plot; call again when the theme changes.
void stylePlot(QCustomPlot& plot);

/// The plot's legend in a row of its own above it.
void putLegendAbove(QCustomPlot& plot);

/// Levels (dB) are plotted from here up.
inline constexpr double kFloorDb = -80.0;

} // namespace echolux
