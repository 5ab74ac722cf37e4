// SPDX-License-Identifier: GPL-3.0-or-later
// Writes columns of values, and pictures of plots.
#include "ui/plots/plot_export.hpp"

#include <QBuffer>
#include <QSvgGenerator>

#include <algorithm>
#include <vector>

#include <qcustomplot.h>

namespace echolux {
namespace {

struct Column {
    QString title;
    std::vector<double> values;
};

std::vector<double> valuesOf(const QCPGraph& curve, bool keys) {
    std::vector<double> values;
    for (auto at = curve.data()->constBegin(); at != curve.data()->constEnd(); ++at)
        values.push_back(keys ? at->key : at->value);
    return values;
}

QString titleOf(const QString& name, const QString& unit) {
    QString title = unit.isEmpty() ? name : name + " (" + unit + ")";
    if (!title.contains(',') && !title.contains('"')) return title;
    return '"' + title.replace('"', "\"\"") + '"';
}

} // namespace

AxisWords wordsOf(const QCPAxis& axis) {
    const QString label = axis.label();
    const qsizetype open = label.lastIndexOf('(');
    if (open < 0 || !label.endsWith(')')) return {label.trimmed(), {}};
    return {label.left(open).trimmed(), label.mid(open + 1, label.size() - open - 2)};
}

QString nameOf(const QCPGraph& curve) {
    // QCustomPlot gives curves names by itself.
    static const QString kMade = QStringLiteral("Graph ");
    return curve.name().isEmpty() || curve.name().startsWith(kMade)
               ? wordsOf(*curve.valueAxis()).name
               : curve.name();
}

bool isCurve(const QCPGraph& curve) {
    return curve.visible() && curve.lineStyle() != QCPGraph::lsNone && curve.dataCount() > 0;
}

QByteArray csvOf(const QCustomPlot& plot) {
    std::vector<Column> columns;
    std::vector<double> places;
    for (int i = 0; i < plot.graphCount(); ++i) {
        const QCPGraph& curve = *plot.graph(i);
        if (!isCurve(curve)) continue;
        std::vector<double> keys = valuesOf(curve, true);
        if (columns.empty() || keys != places) {
            const AxisWords across = wordsOf(*curve.keyAxis());
            columns.push_back({titleOf(across.name, across.unit), keys});
            places = std::move(keys);
        }
        columns.push_back(
            {titleOf(nameOf(curve), wordsOf(*curve.valueAxis()).unit), valuesOf(curve, false)});
    }
    std::size_t rows = 0;
    QStringList titles;
    for (const Column& column : columns) {
        rows = std::max(rows, column.values.size());
        titles << column.title;
    }
    QByteArray text = titles.join(',').toUtf8() + '\n';
    for (std::size_t row = 0; row < rows; ++row) {
        QByteArrayList cells;
        for (const Column& column : columns) {
            cells << (row < column.values.size() ? QByteArray::number(column.values[row], 'g', 9)
                                                 : QByteArray());
        }
        text += cells.join(',') + '\n';
    }
    return text;
}

QImage imageOf(QCustomPlot& plot, double scale) {
    return plot.toPixmap(plot.width(), plot.height(), scale).toImage();
}

QByteArray svgOf(QCustomPlot& plot) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(plot.size());
        generator.setViewBox(plot.rect());
        QCPPainter painter(&generator);
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        plot.toPainter(&painter, plot.width(), plot.height());
    }
    return buffer.data();
}

} // namespace echolux
