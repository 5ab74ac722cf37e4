// SPDX-License-Identifier: GPL-3.0-or-later
// Where each fact lies in a user's description: a row for each fact of channel data, of spectra and
// of images. Options, questions, fields of the window and sidecars are made from these rows.
#pragma once

#include "app/dataset/facts/facts.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace echolux {

enum class RowKind {
    Number,  ///< 0 means unknown
    Place,   ///< a number; 0 and negative ones are known
    Middle,  ///< the same; unknown, it follows from others
    Whole,   ///< 0 or more
    Numbers, ///< a list
    Choice,  ///< one of `choices`
    Flag,    ///< the second of two choices is "true" in a sidecar
    Type,    ///< of one value, as NumPy writes it; `choices` are common ones
    Axes,    ///< names of axes, among `choices`
    Sizes,   ///< of these axes
};

/// In SI. The last one: the id of a choice, or a type, axes and sizes as users write them. Nothing:
/// unknown.
using RowValue = std::variant<std::monostate, double, std::vector<double>, std::string>;

struct RowChoice {
    std::string id;
    std::string label; ///< in the window
};

struct RowFact {
    const Fact* fact;
    RowKind kind;
    std::string_view heading; ///< above its field in the window
    /// The table of a sidecar where its key stands, "" for none; null: it is not written by itself.
    const char* table;
    bool required = false; ///< where it applies, it must be given: there is no default
    std::vector<RowChoice> choices = {};

    std::string path() const; ///< in a sidecar: "signal.frame_rate"
};

template <class Import> struct DescriptionRow : RowFact {
    std::function<RowValue(const Import&)> get;
    /// Nothing: the default. Returns what is wrong with the value, a clause, or nothing.
    std::function<std::string(Import&, const RowValue&)> set;
    /// True where the fact has a meaning for this description.
    std::function<bool(const Import&)> applies;
};
template <class Import> using DescriptionRows = std::vector<DescriptionRow<Import>>;

/// In the order in which they are read and asked for.
const DescriptionRows<ChannelImport>& channelRows();
const DescriptionRows<RawImport>& spectraRows();
const DescriptionRows<ImageImport>& imageRows();

template <class Import> const DescriptionRows<Import>& rowsOf() {
    if constexpr (std::is_same_v<Import, ChannelImport>)
        return channelRows();
    else if constexpr (std::is_same_v<Import, RawImport>)
        return spectraRows();
    else
        return imageRows();
}

/// Its meaning, with its unit and its choices.
std::string questionOf(const RowFact& row);
/// As users write it, in the unit that they see; empty: unknown.
std::string textOf(const RowFact& row, const RowValue& value);
/// Reads what users write into `value`. Returns what is wrong with it, a clause, or nothing.
std::string readText(const RowFact& row, const std::string& text, RowValue& value);

template <class Import>
std::string textOf(const DescriptionRow<Import>& row, const Import& import) {
    return textOf(row, row.get(import));
}

/// Sets the fact. Returns what is wrong with the text, a clause, or nothing.
template <class Import>
std::string takeText(const DescriptionRow<Import>& row, Import& import, const std::string& text) {
    RowValue value;
    std::string wrong = readText(row, text, value);
    return wrong.empty() ? row.set(import, value) : wrong;
}

// Sidecars. --------------------------------------------------------------------------------------

/// A key with its table, and its value as TOML.
using SidecarEntry = std::pair<std::string, std::string>;

SidecarEntry entryOf(const RowFact& row, const RowValue& value);
/// `tables` come first, even where they are empty.
std::string sidecarText(const std::vector<SidecarEntry>& entries,
                        const std::vector<std::string>& tables = {});
/// The value that a sidecar gives itself. `plain` becomes false where it is elsewhere, or no such
/// value.
RowValue valueIn(const Sidecar& sidecar, const RowFact& row, bool& plain);

/// What a sidecar must say: what applies, is known, and is not the default.
template <class Import> std::vector<SidecarEntry> entriesOf(const Import& import) {
    const Import none{};
    std::vector<SidecarEntry> entries;
    for (const DescriptionRow<Import>& row : rowsOf<Import>()) {
        if (row.table == nullptr || !row.applies(import)) continue;
        const RowValue value = row.get(import);
        const bool known = !std::holds_alternative<std::monostate>(value);
        if (known && (row.required || value != row.get(none)))
            entries.push_back(entryOf(row, value));
    }
    return entries;
}

/// Takes what the sidecar says. False where it says more than the rows, except for `others`.
template <class Import>
bool takeSidecar(Import& import, const Sidecar& sidecar, const std::set<std::string>& others) {
    std::set<std::string> known = others;
    bool plain = true;
    for (const DescriptionRow<Import>& row : rowsOf<Import>()) {
        if (row.table == nullptr) continue;
        known.insert(row.path());
        known.insert(row.path() + "_deg");
        const RowValue value = valueIn(sidecar, row, plain);
        if (!std::holds_alternative<std::monostate>(value))
            plain = plain && row.set(import, value).empty();
    }
    for (const std::string& key : sidecar.keys) plain = plain && known.contains(key);
    return plain;
}

} // namespace echolux
