// SPDX-License-Identifier: GPL-3.0-or-later
// Words for values of each type.
#include "ui/parameters/param_text.hpp"

#include "ui/controls/number_scale.hpp"

#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace echolux {

namespace {

constexpr std::size_t kMostNumbers = 6; ///< of a list

/// A text such as "0.0, 2.0, 4.0 dB". Of a long list it shows the beginning.
QString listText(const ParamRow& row, const std::vector<double>& list) {
    if (list.empty()) return QStringLiteral("none");
    const NumberScale scale(row);
    QStringList shown;
    for (std::size_t i = 0; i < std::min(list.size(), kMostNumbers); ++i)
        shown << scale.text(list[i]);
    if (list.size() > kMostNumbers) shown << QStringLiteral("\u2026");
    const QString unit = scale.unit();
    return shown.join(QStringLiteral(", ")) + (unit.isEmpty() ? QString() : ' ' + unit);
}

/// A text such as "middle" or "3 of 8".
QString maskText(const Mask& mask) {
    if (!mask.word.empty()) return QString::fromStdString(mask.word);
    const auto on = std::ranges::count_if(mask.entries, [](double each) { return each != 0.0; });
    return QString("%1 of %2").arg(on).arg(mask.entries.size());
}

} // namespace

QString paramText(const ParamRow& row, const ParamValue& value) {
    switch (row.type) {
    case ParamType::Flag: return std::get<bool>(value) ? "on" : "off";
    case ParamType::Real:
    case ParamType::Integer: return NumberScale(row).textWithUnit(numberOf(value));
    case ParamType::Choice:
        for (const ParamChoice& choice : row.choices) {
            if (choice.id == std::get<std::string>(value)) {
                return QString::fromStdString(choice.label);
            }
        }
        [[fallthrough]];
    case ParamType::Text: return QString::fromStdString(std::get<std::string>(value));
    case ParamType::RealList: return listText(row, std::get<std::vector<double>>(value));
    case ParamType::Mask: return maskText(toMask(value));
    }
    return {};
}

} // namespace echolux
