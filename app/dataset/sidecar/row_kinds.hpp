// SPDX-License-Identifier: GPL-3.0-or-later
// Makes rows of members of a description.
#pragma once

#include "app/dataset/sidecar/described_rows.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

template <class Import> using Applies = std::function<bool(const Import&)>;

template <class Import> bool always(const Import&) { return true; }

/// Headings in the window. Rows under kStorage stand in its left column.
inline constexpr std::string_view kStorage = "Storage";

/// A row of a member; its default stands for an unknown value.
template <class Import, class Member>
DescriptionRow<Import> memberRow(RowFact row, Member Import::*member, Applies<Import> applies,
                                 std::function<RowValue(const Member&)> get,
                                 std::function<Member(const RowValue&)> made) {
    return {std::move(row),
            [member, get = std::move(get)](const Import& import) { return get(import.*member); },
            [member, made = std::move(made)](Import& import, const RowValue& value) {
                const bool none = std::holds_alternative<std::monostate>(value);
                import.*member = none ? Import{}.*member : made(value);
                return std::string();
            },
            std::move(applies)};
}

/// Of kind Number or Place.
template <class Import>
DescriptionRow<Import> number(RowFact row, double Import::*member, Applies<Import> applies) {
    const bool zeroIsKnown = row.kind == RowKind::Place;
    return memberRow<Import, double>(
        std::move(row), member, std::move(applies),
        [zeroIsKnown](const double& value) {
            return value == 0.0 && !zeroIsKnown ? RowValue() : RowValue(value);
        },
        [](const RowValue& value) { return std::get<double>(value); });
}

/// Of kind Middle.
template <class Import> DescriptionRow<Import>
middle(RowFact row, std::optional<double> Import::*member, Applies<Import> applies) {
    using Member = std::optional<double>;
    return memberRow<Import, Member>(
        std::move(row), member, std::move(applies),
        [](const Member& value) { return value ? RowValue(*value) : RowValue(); },
        [](const RowValue& value) { return Member(std::get<double>(value)); });
}

/// 0 is known, unless the row is required.
template <class Import, class Member>
DescriptionRow<Import> count(RowFact row, Member Import::*member, Applies<Import> applies) {
    const bool zeroIsKnown = !row.required;
    return memberRow<Import, Member>(
        std::move(row), member, std::move(applies),
        [zeroIsKnown](const Member& value) {
            return value == 0 && !zeroIsKnown ? RowValue() : RowValue(static_cast<double>(value));
        },
        [](const RowValue& value) { return static_cast<Member>(std::get<double>(value)); });
}

/// An empty list is unknown.
template <class Import> DescriptionRow<Import>
numbers(RowFact row, std::vector<double> Import::*member, Applies<Import> applies) {
    using Member = std::vector<double>;
    return memberRow<Import, Member>(
        std::move(row), member, std::move(applies),
        [](const Member& value) { return value.empty() ? RowValue() : RowValue(value); },
        [](const RowValue& value) { return std::get<Member>(value); });
}

template <class Value> struct ValueChoice {
    RowChoice choice;
    Value value;
};

/// Of kind Choice or Flag.
template <class Import, class Member>
DescriptionRow<Import> choice(RowFact row, Member Import::*member,
                              std::vector<ValueChoice<Member>> choices, Applies<Import> applies) {
    for (const ValueChoice<Member>& each : choices) row.choices.push_back(each.choice);
    DescriptionRow<Import> made = memberRow<Import, Member>(
        std::move(row), member, std::move(applies),
        [choices](const Member& value) {
            for (const ValueChoice<Member>& each : choices)
                if (each.value == value) return RowValue(each.choice.id);
            return RowValue();
        },
        nullptr);
    made.set = [member, choices](Import& import, const RowValue& value) -> std::string {
        const auto* id = std::get_if<std::string>(&value);
        if (id == nullptr) import.*member = Import{}.*member;
        for (const ValueChoice<Member>& each : choices)
            if (id != nullptr && each.choice.id == *id) {
                import.*member = each.value;
                return {};
            }
        return id == nullptr ? "" : "is no choice";
    };
    return made;
}

/// Read and print the axes, "depth,lateral", and their sizes, "-1,512,256".
std::string takeAxes(ImportArray& array, const ImportRoles& roles, const std::string& text);
std::string textOfAxes(const ImportArray& array);
/// Where the number of sizes differs from the number of axes, the axes get the usual roles. Five
/// sizes get all of `roles.all`. Two to four sizes get the last roles before `iq`.
std::string takeShape(ImportArray& array, const ImportRoles& roles, const std::string& text);
std::string textOfShape(const ImportArray& array);
std::string takeType(ImportArray& array, const std::string& text);

/// Types in the list of the window, the most usual first; with `wide`, 32-bit unsigned ones, too.
std::vector<RowChoice> commonTypes();

/// Type, bytes around the samples, axes and sizes, zero level, sign of Q. `axes`: what axes may
/// count.
template <class Import>
DescriptionRows<Import> storageRows(const ImportRoles& (*roles)(), std::vector<RowChoice> axes) {
    using Text = std::function<std::string(Import&, const std::string&)>;
    const auto headerless = [](const Import& import) { return import.headerless(); };
    const auto set = [](Text take) {
        return [take = std::move(take)](Import& import, const RowValue& value) -> std::string {
            const auto* text = std::get_if<std::string>(&value);
            return text == nullptr ? std::string() : take(import, *text);
        };
    };
    return {
        {{&fact::kType, RowKind::Type, kStorage, "data", true, commonTypes()},
         [](const Import& import) {
             return import.type ? RowValue(nameOf(*import.type)) : RowValue();
         },
         set(takeType),
         headerless},
        count<Import, std::uint64_t>({&fact::kHeader, RowKind::Whole, kStorage, "data"},
                                     &Import::headerBytes, headerless),
        count<Import, std::uint64_t>({&fact::kTrailer, RowKind::Whole, kStorage, "data"},
                                     &Import::trailerBytes, headerless),
        {{&fact::kAxes, RowKind::Axes, kStorage, "data", true, std::move(axes)},
         [](const Import& import) { return textOfAxes(import); },
         set([roles](Import& import, const std::string& text) {
             return takeAxes(import, roles(), text);
         }),
         always<Import>},
        {{&fact::kShape, RowKind::Sizes, kStorage, "data", true},
         [](const Import& import) { return textOfShape(import); },
         set([roles](Import& import, const std::string& text) {
             return takeShape(import, roles(), text);
         }),
         headerless},
        number<Import>({&fact::kCodeOffset, RowKind::Place, kStorage, "data"}, &Import::codeOffset,
                       always<Import>),
        choice<Import, bool>({&fact::kConjugate, RowKind::Flag, "Signal", "data"},
                             &Import::conjugate,
                             {{{"iq", "I + jQ"}, false}, {{"conjugate", "I \u2212 jQ"}, true}},
                             [](const Import& import) { return import.pairs(); }),
    };
}

} // namespace echolux
