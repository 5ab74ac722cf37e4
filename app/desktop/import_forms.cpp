// SPDX-License-Identifier: GPL-3.0-or-later
// The field of each kind of row.
#include "app/desktop/import_forms.hpp"

#include "ui/theme/theme.hpp"

namespace echolux {
namespace {

FormRow::Kind kindOf(const RowFact& row) {
    using Kind = FormRow::Kind;
    switch (row.kind) {
    case RowKind::Number: return Kind::Number;
    case RowKind::Place: return Kind::Place;
    case RowKind::Whole: return Kind::Whole;
    case RowKind::Choice:
    case RowKind::Flag:
    case RowKind::Type: return Kind::Choice;
    case RowKind::Axes: return Kind::Axes;
    case RowKind::Middle: // a number box cannot be empty
    case RowKind::Numbers:
    case RowKind::Sizes: break;
    }
    return Kind::Text;
}

} // namespace

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

FormRow formRow(const RowFact& row) {
    const Fact& fact = *row.fact;
    FormRow made{.key = keyOf(row),
                 .label = QString::fromStdString(labelOf(fact)),
                 .heading = asQString(row.heading),
                 .kind = kindOf(row),
                 .unit = prettyUnit(std::string(fact.unit->shown))};
    if (!fact.help.empty()) made.toolTip = asQString(fact.help);
    if (!fact.details.empty())
        made.toolTip += (made.toolTip.isEmpty() ? "" : ". ") + asQString(fact.details);
    if (made.toolTip.endsWith('.')) made.toolTip.chop(1); // as tool tips end
    for (const RowChoice& choice : row.choices)
        made.choices.emplace_back(QString::fromStdString(choice.id),
                                  QString::fromStdString(choice.label));
    return made;
}

} // namespace echolux
