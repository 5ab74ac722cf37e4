// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/measurements/shown_figures.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kValueDigits = 4;
constexpr int kDifferenceDigits = 3;

QString digitsOf(double value, int digits) {
    return std::isfinite(value) ? QString::number(value, 'g', digits) : QString(QChar(0x2013));
}

QString unitOf(const measure::Figure& figure) {
    QString unit = QString::fromStdString(figure.unit);
    if (unit.endsWith('2')) unit.replace(unit.size() - 1, 1, QChar(0x00b2)); // mm2, cm/s2
    return unit.isEmpty() || !std::isfinite(figure.value) ? QString() : ' ' + unit;
}

QString differenceText(double difference) {
    const QString text = digitsOf(difference, kDifferenceDigits);
    return difference > 0.0 ? '+' + text : text;
}

/// Null: nothing was kept of it.
const measure::Figure* figureOf(const std::vector<measure::Measured>& reference,
                                const std::string& name, const measure::Figure& figure) {
    const auto shape = std::ranges::find(reference, name, &measure::Measured::name);
    if (shape == reference.end()) return nullptr;
    const auto kept = std::ranges::find(shape->figures, figure.id, &measure::Figure::id);
    return kept != shape->figures.end() && kept->unit == figure.unit ? &*kept : nullptr;
}

ShownFigure shownFigure(const measure::Figure& figure, const measure::Figure* kept) {
    ShownFigure shown{QString::fromStdString(figure.label),
                      digitsOf(figure.value, kValueDigits) + unitOf(figure)};
    if (kept == nullptr) return shown;
    shown.reference = digitsOf(kept->value, kValueDigits);
    shown.difference = differenceText(figure.value - kept->value);
    return shown;
}

} // namespace

QList<ShownMeasurement> shownFigures(const std::vector<measure::Measured>& measured,
                                     const std::vector<measure::Measured>& reference) {
    QList<ShownMeasurement> all;
    for (const measure::Measured& each : measured) {
        const std::string kind(nameOf(each.kind));
        ShownMeasurement shown{QString::fromStdString(each.name),
                               QString::fromStdString(kind),
                               {},
                               QString::fromStdString(each.problem)};
        for (const measure::Figure& figure : each.figures)
            shown.figures += shownFigure(figure, figureOf(reference, each.name, figure));
        if (!each.note.empty()) shown.figures += ShownFigure{QString::fromStdString(each.note), {}};
        all += shown;
    }
    return all;
}

} // namespace echolux
