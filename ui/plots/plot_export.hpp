// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a plot as text, as a picture and as a drawing.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

class QCustomPlot;
class QCPAxis;
class QCPGraph;

namespace echolux {

/// One column per curve, named and with its unit, after the column of places it shares with those
/// before it. Numbers with a point; comma separated.
QByteArray csvOf(const QCustomPlot& plot);
/// As on screen, `scale` times its resolution.
QImage imageOf(QCustomPlot& plot, double scale);
QByteArray svgOf(QCustomPlot& plot);

/// "depth (mm)" in two parts.
struct AxisWords {
    QString name, unit;
};
AxisWords wordsOf(const QCPAxis& axis);
/// Its own name, or that of its value axis.
QString nameOf(const QCPGraph& curve);
/// Curves that are drawn and hold more than marks.
bool isCurve(const QCPGraph& curve);

} // namespace echolux
