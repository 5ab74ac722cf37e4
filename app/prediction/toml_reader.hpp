// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers from TOML by tables of their keys. An error names file, line, key and remedy.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"
#include "gpu/model/device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

class TomlReader {
public:
    explicit TomlReader(std::string origin) : m_origin(std::move(origin)) {}

protected:
    const std::string& origin() const { return m_origin; }

    template <class... Args> [[noreturn]] void
    refuse(const toml::node& at, fmt::format_string<Args...> sentence, Args&&... args) const {
        throw Error(fmt::format("{}, line {}: {}", m_origin, at.source().begin.line,
                                fmt::format(sentence, std::forward<Args>(args)...)));
    }

    void checkKeys(const toml::table& table, const std::vector<std::string>& allowed) const {
        for (const auto& [key, value] : table) {
            const std::string name(key.str());
            if (std::ranges::find(allowed, name) == allowed.end())
                refuse(value, "the key '{}' is not known{}; use {}.", name,
                       didYouMean(name, allowed), fmt::join(allowed, ", "));
        }
    }

    /// Text of a key that must be there; `what` and `where` say what it holds and where it stands.
    std::string text(const toml::table& table, const char* key, const char* what,
                     const char* where) const {
        const toml::node* node = table.get(key);
        if (node == nullptr)
            throw Error(fmt::format("{} gives no '{}'; write '{} = ...' ({}) {}.", m_origin, key,
                                    key, what, where));
        const auto value = node->value_exact<std::string>();
        if (!value || value->empty()) refuse(*node, "'{}' must be text in quotes.", key);
        return *value;
    }

    /// The keys of `rows`.
    template <class S> static std::vector<std::string> keysOf(std::span<const model::Row<S>> rows) {
        std::vector<std::string> keys;
        for (const model::Row<S>& row : rows) keys.emplace_back(row.key);
        return keys;
    }

    /// Numbers above 0 from the table `name`, which has no other keys.
    template <class S> void readNumbers(const toml::table& root, const char* name,
                                        std::span<const model::Row<S>> rows, S& into) const {
        const toml::node* node = root.get(name);
        if (node == nullptr) return;
        const toml::table* table = node->as_table();
        if (table == nullptr) refuse(*node, "'{}' must be a table [{}].", name, name);
        checkKeys(*table, keysOf(rows));
        readRows(*table, name, rows, false, into);
    }

    /// Numbers from a table that may have other keys; `mayBeZero`: 0 is one of them.
    template <class S> void readRows(const toml::table& table, const char* name,
                                     std::span<const model::Row<S>> rows, bool mayBeZero,
                                     S& into) const {
        for (const model::Row<S>& row : rows) {
            const toml::node* entry = table.get(row.key);
            if (entry == nullptr) continue;
            const auto value = entry->value<double>();
            if (!value || !entry->is_number() || !std::isfinite(*value) || *value < 0.0 ||
                (*value == 0.0 && !mayBeZero))
                refuse(*entry, "'{}' in [{}] must be a number {}{}{}.", row.key, name,
                       mayBeZero ? "of at least 0" : "above 0", *row.unit == '\0' ? "" : " in ",
                       row.unit);
            into.*row.member = *value;
        }
    }

private:
    std::string m_origin;
};

} // namespace echolux
