// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between the forms of the dialog and the descriptions of files, row by row.
#pragma once

#include "app/dataset/sidecar/described_rows.hpp"
#include "gpu/core/error.hpp"
#include "ui/dialogs/fact_form.hpp"

#include <fmt/format.h>

#include <QSet>

#include <vector>

namespace echolux {

FormRow formRow(const RowFact& row);

template <class Import> std::vector<FormRow> formRows() {
    std::vector<FormRow> rows;
    for (const DescriptionRow<Import>& row : rowsOf<Import>())
        if (row.kind != RowKind::Sizes) rows.push_back(formRow(row));
    return rows;
}

QString asQString(std::string_view text);
inline QString keyOf(const RowFact& row) { return asQString(row.fact->option); }

template <class Import> std::string& arrayOf(Import& import) {
    if constexpr (std::is_same_v<Import, RawImport>)
        return import.array;
    else
        return import.name;
}

template <class Import> FormValues valuesOf(Import import) {
    FormValues values{{"array", QString::fromStdString(arrayOf(import))}};
    for (const DescriptionRow<Import>& row : rowsOf<Import>())
        values[keyOf(row)] = QString::fromStdString(textOf(row, import));
    return values;
}

/// `import`, which says how the file is stored, with the facts of the form. Throws Error, a
/// sentence, where a field cannot be read.
template <class Import> Import importOf(const FormValues& form, Import import) {
    arrayOf(import) = form["array"].toStdString();
    for (const DescriptionRow<Import>& row : rowsOf<Import>()) row.set(import, {});
    for (const DescriptionRow<Import>& row : rowsOf<Import>()) {
        const std::string text = form[keyOf(row)].toStdString();
        if (!row.applies(import)) continue;
        if (const std::string wrong = takeText(row, import, text); !wrong.empty())
            throw Error(fmt::format("{}: '{}' {}.", labelOf(*row.fact), text, wrong));
    }
    return import;
}

/// Keys of the rows that have a meaning for this description.
template <class Import> QSet<QString> applyingTo(const Import& import) {
    QSet<QString> keys;
    for (const DescriptionRow<Import>& row : rowsOf<Import>())
        if (row.applies(import)) keys << keyOf(row);
    return keys;
}

} // namespace echolux
