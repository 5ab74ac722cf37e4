// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter tables: every fact about a parameter stands in one row, bound to a field of a plain
// struct.
#pragma once

#include "gpu/core/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

namespace echolux {

enum class AxisName; ///< gpu/core/frame_spec.hpp

/// A flag, an integer, a real, a choice (its id) or a text, a list of reals. A mask is its word or
/// the list of its entries, see Mask.
using ParamValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

ParamValue toValue(const Mask& mask);
/// Precondition: `value` is a text or a list. An empty list switches all on.
Mask toMask(const ParamValue& value);

enum class ParamType { Flag, Integer, Real, Choice, Text, RealList, Mask };
enum class ParamKind {
    Live,       ///< Stage::update puts it in force at the next frame
    Structural, ///< needs plan and prepare of this stage and of the stages after it
};
enum class ParamScale { Linear, Log };

struct ParamChoice {
    std::string id;    ///< stable key, as in files
    std::string label; ///< as on screen
};

/// The row matters only while the choice `key` of the same table has the value `id`. Empty: always.
struct ParamCondition {
    std::string key = {};
    std::string id = {};
};

/// One parameter. min, max and step are in `unit` (SI); the screen multiplies by displayFactor and
/// shows displayUnit, for example 1e-6 and "MHz".
struct ParamRow {
    std::string key;
    std::string label;
    std::string unit = "";
    double min = 0.0;
    double max = 1.0;
    double step = 0.01;
    ParamScale scale = ParamScale::Linear;
    ParamKind kind = ParamKind::Live;
    std::string help = "";
    std::string displayUnit = "";
    double displayFactor = 1.0;
    bool oddOnly = false; ///< integers must be odd
    std::vector<std::string> listLabels =
        {}; ///< names of a list's entries, if given: then the list must have as many entries
    ParamCondition onlyWith = {};       ///< the panel hides the row otherwise
    std::optional<AxisName> along = {}; ///< an integer is a number along this axis of the input,
                                        ///< from 1; a mask has an entry for each

    // Filled by the table builder, never by hand.
    ParamType type = ParamType::Real;
    std::vector<ParamChoice> choices = {};
    std::size_t place = 0; ///< of the field, bytes from the struct's beginning
    std::size_t bytes = 0; ///< of a choice's enumeration

    ParamValue read(const void* from) const;
    void write(void* to, const ParamValue& value) const; ///< precondition: a validated value
    const std::string& shownUnit() const { return displayUnit.empty() ? unit : displayUnit; }
};

/// The rows of one parameter struct, in the order in which they are shown.
class ParamTable {
public:
    template <class P> class Builder;
    template <class P> static Builder<P> of();
    ParamTable() = default; ///< no parameters

    const std::vector<ParamRow>& rows() const { return m_rows; }
    const ParamRow* find(std::string_view key) const; ///< null where there is none
    /// True where the rows are fields of P, so that Params::as<P>() works.
    template <class P> bool isOf() const { return *m_type == typeid(P); }
    /// The same rows in P, which derives from the struct of this table alone and has no fields of
    /// its own, but other defaults.
    template <class P> ParamTable in() const {
        ParamTable table = *this;
        table.makes<P>();
        return table;
    }
    /// Converts a value and checks it against its row. Throws Error with a full sentence that names
    /// `owner`, the key, the value and the allowed range. An integer is accepted for a real, and a
    /// whole real for an integer.
    ParamValue validated(std::string_view owner, const ParamRow& row, ParamValue value) const;
    /// Reads a value as written on a command line: "2.5e6", "true", "hann", "[1, 2, 3]".
    static ParamValue parse(std::string_view owner, const ParamRow& row, std::string_view text);
    static std::string format(const ParamValue& value); ///< inverse of parse

private:
    friend class Params;
    void add(ParamRow row);
    template <class P> void makes() {
        m_create = [] { return std::shared_ptr<void>(std::make_shared<P>()); };
        m_clone = [](const void* from) {
            return std::shared_ptr<void>(std::make_shared<P>(*static_cast<const P*>(from)));
        };
        m_type = &typeid(P);
    }

    std::vector<ParamRow> m_rows;
    std::shared_ptr<void> (*m_create)() = [] { return std::shared_ptr<void>(); };
    std::shared_ptr<void> (*m_clone)(const void*) = [](const void*) {
        return std::shared_ptr<void>();
    };
    const std::type_info* m_type = &typeid(void);
};

/// The values of one stage instance: a parameter struct behind its table. Copies are deep.
class Params {
public:
    Params() = default;
    explicit Params(
        const ParamTable& table); ///< all fields at their defaults; `table` must outlive this
    Params(const Params& other);
    Params& operator=(const Params& other);
    Params(Params&&) noexcept = default;
    Params& operator=(Params&&) noexcept = default;
    ~Params() = default;

    const ParamTable& table() const { return *m_table; }
    ParamValue get(std::string_view key) const;
    /// The value of a row of reals; empty where the table has no such row.
    std::optional<double> real(std::string_view key) const;
    bool holds(const ParamCondition& condition) const; ///< false where the table has no such row
    /// Checks the value against its row. Throws Error that names `owner` (the stage instance) where
    /// key or value is wrong.
    void set(std::string_view owner, std::string_view key, const ParamValue& value);
    template <class P> const P& as() const { return *static_cast<const P*>(checked(typeid(P))); }
    template <class P> P& as() { return *static_cast<P*>(const_cast<void*>(checked(typeid(P)))); }
    bool operator==(const Params& other) const; ///< same table and same values

private:
    const void* checked(const std::type_info& type) const;
    const ParamTable* m_table = nullptr;
    std::shared_ptr<void> m_data;
};

template <class P> class ParamTable::Builder {
public:
    Builder() { m_table.makes<P>(); }
    Builder& flag(bool P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::Flag);
    }
    Builder& integer(std::int64_t P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::Integer);
    }
    Builder& real(double P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::Real);
    }
    Builder& text(std::string P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::Text);
    }
    /// A list of reals, each within the row's range.
    Builder& list(std::vector<double> P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::RealList);
    }
    /// On or off per item.
    Builder& mask(Mask P::*field, ParamRow row) {
        return add(field, std::move(row), ParamType::Mask);
    }
    /// `choices` name the enumerators in their order, from 0.
    template <class E>
    Builder& choice(E P::*field, std::vector<ParamChoice> choices, ParamRow row) {
        static_assert(std::is_enum_v<E>);
        row.choices = std::move(choices);
        row.bytes = sizeof(E);
        return add(field, std::move(row), ParamType::Choice);
    }
    ParamTable build() { return std::move(m_table); }

private:
    // NOTE: a row holds the offset of its field in the struct. So the code that reads and writes
    // fields is compiled once, and not in the file of each stage.
    template <class T> Builder& add(T P::*field, ParamRow row, ParamType type) {
        row.type = type;
        row.place = static_cast<std::size_t>(reinterpret_cast<const char*>(&(m_sample.*field)) -
                                             reinterpret_cast<const char*>(&m_sample));
        m_table.add(std::move(row));
        return *this;
    }
    ParamTable m_table;
    P m_sample = {};
};

template <class P> ParamTable::Builder<P> ParamTable::of() { return Builder<P>(); }

} // namespace echolux
