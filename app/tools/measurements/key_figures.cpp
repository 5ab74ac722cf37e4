// SPDX-License-Identifier: GPL-3.0-or-later
// Words and digits of key figures.
#include "app/tools/measurements/key_figures.hpp"

#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>

namespace echolux {
namespace {

using measure::Kind;
using measure::Measured;
using measure::Measurement;

/// Null: it has no such figure.
const measure::Figure* keyFigure(const Measured& of, std::string_view id) {
    const auto found = std::ranges::find(of.figures, id, &measure::Figure::id);
    return found != of.figures.end() ? &*found : nullptr;
}

QString keyText(double value, int decimals, const std::string& unit = {}) {
    if (!std::isfinite(value)) return QChar(0x2013);
    return QString(numberText(value, decimals) + ' ' + QString::fromStdString(unit)).trimmed();
}

QString keyText(const measure::Figure* figure, int decimals) {
    return figure != nullptr ? keyText(figure->value, decimals, figure->unit)
                             : keyText(measure::kNothing, decimals);
}

/// Of a name that nobody chose, "point 1", the letter and the number.
QString shortName(const Measurement& of, QChar letter) {
    const QString name = QString::fromStdString(of.name);
    const QString before = QString::fromStdString(std::string(nameOf(of.kind)) + ' ');
    const QString number = name.mid(before.size());
    return (name.startsWith(before) && number.toInt() > 0 ? letter + number : name) + ' ';
}

QString widthText(const Measured& point) {
    const measure::Figure* width = keyFigure(point, "lateral_width");
    constexpr double kFineMm = 0.1;
    const bool fine = width != nullptr && width->unit == "mm" && width->value < kFineMm;
    return fine ? keyText(1e3 * width->value, 1, "\u00b5m") : keyText(width, 2);
}

/// NaN where the region cannot be measured.
double meanIn(const measure::MeasuredImage& image, const std::vector<Measurement>& all,
              const std::string& region) {
    const auto found = std::ranges::find(all, region, &Measurement::name);
    if (found == all.end()) return measure::kNothing;
    try {
        const std::vector<double> values = amplitudesIn(image.samples(), *found);
        return std::accumulate(values.begin(), values.end(), 0.0) /
               static_cast<double>(values.size());
    } catch (const Error&) {
        return measure::kNothing;
    }
}

} // namespace

std::optional<ValuesOf> valuesOf(const FrameSpec& image) {
    if (image.find(AxisName::Channel) != nullptr) return std::nullopt;
    if (!image.valueRange) return ValuesOf::Amplitude;
    const auto& [min, max, unit, reference] = *image.valueRange;
    const bool isDifference = min == -max;
    if (unit == "dB" && !isDifference) return ValuesOf::Amplitude;
    if (!unit.empty() || min < 0.0) return std::nullopt;
    return min == 0.0 && max == 1.0 ? ValuesOf::Share : ValuesOf::Amplitude;
}

bool hasKeyFigures(Kind kind, ValuesOf values) {
    return kind == Kind::Contrast || (kind == Kind::Point && values == ValuesOf::Amplitude);
}

QString keyFigures(const measure::MeasuredImage& image, const Measurement& one,
                   const std::vector<Measurement>& all, ValuesOf values) {
    const Measured measured = measureOne(image, one, all);
    if (one.kind == Kind::Point) return shortName(one, 'W') + widthText(measured);
    const QString contrast = values == ValuesOf::Share
                                 ? keyText(meanIn(image, all, one.inside), 2) + " : " +
                                       keyText(meanIn(image, all, one.outside), 2)
                                 : keyText(keyFigure(measured, "contrast"), 1);
    return shortName(one, 'C') + contrast + ", gCNR " + keyText(keyFigure(measured, "gcnr"), 2);
}

} // namespace echolux
