// SPDX-License-Identifier: GPL-3.0-or-later
// One table of a sidecar's TOML.
#pragma once

#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// One table of the sidecar: typed access to its keys, and a final check for unknown keys.
class Section {
public:
    /// All that is read is noted in `sidecar`, too.
    Section(Sidecar& sidecar, std::string name, const toml::table& root)
        : m_sidecar(sidecar), m_name(std::move(name)) {
        if (m_name.empty())
            m_table = &root;
        else if (const toml::node* value = root.get(m_name)) {
            m_table = value->as_table();
            if (m_table == nullptr) fail("", "must be a table");
        }
    }

    [[noreturn]] void fail(const std::string& key, const std::string& what) const {
        const std::string full = key.empty() ? m_name : pathOf(key);
        throw Error(
            fmt::format("The sidecar '{}' is wrong: '{}' {}.", m_sidecar.origin, full, what));
    }
    const toml::node* find(const std::string& key) {
        m_known.insert(key);
        const toml::node* value = m_table == nullptr ? nullptr : m_table->get(key);
        if (value != nullptr && !(m_name.empty() && value->is_table()))
            m_sidecar.keys.insert(pathOf(key));
        return value;
    }
    std::string text(const std::string& key, const std::string& fallback = {}) {
        const toml::node* value = find(key);
        if (value == nullptr) return fallback;
        if (!value->is_string()) fail(key, "must be text in quotes");
        return m_sidecar.words[pathOf(key)] = **value->as_string();
    }
    bool flag(const std::string& key) {
        const toml::node* value = find(key);
        if (value == nullptr) return false;
        if (!value->is_boolean()) fail(key, "must be true or false");
        if (**value->as_boolean()) m_sidecar.words[pathOf(key)] = "true";
        return **value->as_boolean();
    }
    double number(const std::string& key, double fallback) {
        const toml::node* value = find(key);
        return value == nullptr ? fallback : noted(key, asNumber(key, *value));
    }
    std::int64_t whole(const std::string& key, std::int64_t fallback, std::int64_t least) {
        const toml::node* value = find(key);
        if (value == nullptr) return fallback;
        if (!value->is_integer() || **value->as_integer() < least)
            fail(key, fmt::format("must be a whole number of at least {}", least));
        noted(key, static_cast<double>(**value->as_integer()));
        return **value->as_integer();
    }
    /// A number, a list (of lists), a name in the data file, or { from = NAME, scale = FACTOR }.
    void numbers(const std::string& key) {
        const toml::node* value = find(key);
        if (value == nullptr) return;
        NumberSource& source = m_sidecar.sources[pathOf(key)];
        if (value->is_table()) {
            for (const auto& [name, entry] : *value->as_table()) {
                if (name == "from" && entry.is_string())
                    source.from = **entry.as_string();
                else if (name == "scale")
                    source.scale = asNumber(key + ".scale", entry);
                else
                    fail(key, "may only hold from = \"NAME\" and scale = NUMBER");
            }
            if (source.from.empty()) fail(key, "needs from = \"NAME\", an array in the data file");
        } else if (value->is_string()) {
            source.from = **value->as_string();
            if (source.from.empty()) fail(key, "is an empty name");
        } else if (const toml::array* list = value->as_array();
                   list != nullptr && !list->empty() && list->front().is_string()) {
            for (const toml::node& entry : *list) {
                if (!entry.is_string() || (**entry.as_string()).empty())
                    fail(key, "mixes names with something else");
                source.names.push_back(**entry.as_string());
            }
        } else {
            append(key, *value, source.values);
            source.rows = rowsOf(*value);
            if (source.values.empty()) fail(key, "is an empty list");
        }
    }
    void numbers(std::initializer_list<const char*> keys) {
        for (const char* key : keys) numbers(key);
    }
    /// Angles in rad from KEY, or in degrees from KEY_deg.
    void angles(const std::string& key) {
        numbers(key);
        const std::string inDegrees = key + "_deg";
        numbers(inDegrees);
        auto degrees = m_sidecar.sources.extract(pathOf(inDegrees));
        if (!degrees) return;
        if (m_sidecar.has(pathOf(key)))
            fail(key, fmt::format("and {}_deg are both given: keep one", key));
        constexpr double kRadPerDeg = std::numbers::pi / 180.0;
        NumberSource& source = degrees.mapped();
        source.scale *= kRadPerDeg;
        for (double& value : source.values) value *= kRadPerDeg;
        degrees.key() = pathOf(key);
        m_sidecar.sources.insert(std::move(degrees));
    }
    template <class T> T choice(const std::string& key, T fallback,
                                const std::vector<std::pair<std::string, T>>& choices) {
        const toml::node* value = find(key);
        if (value == nullptr) return fallback;
        const std::string chosen = text(key);
        std::vector<std::string> names;
        for (const auto& [name, choice] : choices) {
            if (name == chosen) return choice;
            names.push_back(name);
        }
        fail(key, fmt::format("cannot be '{}': choose one of {}", chosen, fmt::join(names, ", ")));
    }
    double asNumber(const std::string& key, const toml::node& value) const {
        if (value.is_integer()) return static_cast<double>(**value.as_integer());
        if (!value.is_floating_point()) fail(key, "must be a number");
        const double real = **value.as_floating_point();
        if (!std::isfinite(real)) fail(key, "must be a finite number");
        return real;
    }
    void refuseUnknown() const {
        if (m_table == nullptr) return;
        for (const auto& [key, value] : *m_table)
            if (const std::string name(key.str()); !m_known.contains(name))
                fail(name,
                     fmt::format("is no known key: choose among {}", fmt::join(m_known, ", ")));
    }

private:
    std::string pathOf(const std::string& key) const {
        return m_name.empty() ? key : m_name + "." + key;
    }
    double noted(const std::string& key, double value) {
        m_sidecar.sources[pathOf(key)].values = {value};
        return value;
    }
    static std::size_t rowsOf(const toml::node& value) {
        const toml::array* rows = value.as_array();
        if (rows == nullptr || rows->empty()) return 0;
        const toml::array* first = rows->front().as_array();
        if (first == nullptr) return 0;
        for (const toml::node& row : *rows)
            if (!row.is_array() || row.as_array()->size() != first->size()) return 0;
        return rows->size();
    }
    void append(const std::string& key, const toml::node& value, std::vector<double>& into) const {
        if (!value.is_array()) {
            into.push_back(asNumber(key, value));
            return;
        }
        for (const toml::node& entry : *value.as_array()) append(key, entry, into);
    }

    Sidecar& m_sidecar;
    std::string m_name;
    const toml::table* m_table = nullptr;
    std::set<std::string> m_known;
};

inline std::vector<std::string> namesOf(Section& section, const std::string& key) {
    std::vector<std::string> names;
    const toml::node* value = section.find(key);
    if (value == nullptr) return names;
    if (value->is_string()) return {**value->as_string()};
    if (!value->is_array()) section.fail(key, "must be a name or a list of names");
    for (const toml::node& entry : *value->as_array()) {
        if (!entry.is_string()) section.fail(key, "must be a name or a list of names");
        names.push_back(**entry.as_string());
    }
    return names;
}

/// The names in `axes` without `none`. The indices of `none` are written to `namedNone`.
inline std::vector<std::string> axisNamesOf(Section& section, std::vector<std::size_t>& namedNone) {
    std::vector<std::string> names = namesOf(section, "axes");
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == "none") namedNone.push_back(i);
    std::erase(names, "none");
    return names;
}

/// Reads the table [image].
void readImage(Section section, Sidecar& sidecar);

} // namespace echolux
