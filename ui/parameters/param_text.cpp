// SPDX-License-Identifier: GPL-3.0-or-later
// Words for values of each type.
#include "ui/parameters/param_text.hpp"

#include "ui/controls/number_scale.hpp"

namespace echolux {

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
    case ParamType::RealList:
    case ParamType::Mask: break;
    }
    return {};
}

} // namespace echolux
