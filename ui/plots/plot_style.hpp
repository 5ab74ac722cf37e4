// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot in the theme's colours and small font.
#pragma once

class QCustomPlot;
class QCPAxis;

namespace echolux {

/// Styles background, axes, grid and fonts. Call it again when the theme changes.
void stylePlot(QCustomPlot& plot);

/// Puts the plot's legend in a row above the plot.
void putLegendAbove(QCustomPlot& plot);

/// Lowest level in dB on plots.
inline constexpr double kFloorDb = -80.0;

} // namespace echolux
