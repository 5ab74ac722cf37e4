// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a plot as text, bitmap and vector graphics.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

class QCustomPlot;
class QCPAxis;
class QCPGraph;

namespace echolux {

/// Comma-separated values with a decimal point. One column per curve, with name and unit. Curves
/// with the same places share one column of places before them.
QByteArray csvOf(const QCustomPlot& plot);
/// As on screen, at `scale` times the resolution.
QImage imageOf(QCustomPlot& plot, double scale);
QByteArray svgOf(QCustomPlot& plot);

/// "depth (mm)" as name and unit.
struct AxisWords {
    QString name, unit;
};
AxisWords wordsOf(const QCPAxis& axis);
/// Name of the curve, or of its value axis.
QString nameOf(const QCPGraph& curve);
/// True for curves that are drawn and are not only marks.
bool isCurve(const QCPGraph& curve);

} // namespace echolux
