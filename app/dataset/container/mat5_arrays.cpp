// SPDX-License-Identifier: GPL-3.0-or-later
// Finds names such as "set(2).rf{3}" in the variables of a MAT-file.
#include "app/dataset/container/mat5_arrays.hpp"

#include "app/dataset/container/mat_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

class MatArray : public ArraySource {
public:
    MatArray(std::shared_ptr<const MatVariables> variables, const MatValue& value)
        : m_variables(std::move(variables)), m_value(value) {
        m_layout = value.layout();
    }
    bool canSlice(std::size_t axis) const override { return axis + 1 == m_layout.shape.size(); }
    void read(std::span<std::byte> out) override {
        std::memcpy(out.data(), m_value.bytes.data(), out.size());
    }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        std::memcpy(out.data(), m_value.bytes.data() + static_cast<std::size_t>(index) * out.size(),
                    out.size());
    }

private:
    std::shared_ptr<const MatVariables> m_variables; ///< they own m_value
    const MatValue& m_value;
};

class Mat5Arrays : public ArrayContainer {
public:
    explicit Mat5Arrays(const InputFile& file)
        : m_path(file.path()), m_variables(std::make_shared<const MatVariables>(readMat5(file))) {}

    bool has(const std::string& where) const override {
        const MatValue* value = find(where);
        return value != nullptr && value->kind == MatValue::Kind::Numeric && value->count() > 0;
    }
    std::unique_ptr<ArraySource> open(const std::string& where) override {
        if (!has(where))
            throw fileError(m_path, fmt::format("it holds no array '{}', but {}; correct the name "
                                                "in the sidecar",
                                                where, list()));
        return std::make_unique<MatArray>(m_variables, *find(where));
    }
    std::string list() const override {
        const std::vector<std::string> names = firstNames(kMostListed + 1);
        if (names.empty()) return "no numeric array at all";
        std::string text;
        for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
            text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
        return names.size() > kMostListed ? text + ", ..." : text;
    }

    std::vector<std::string> names() const override {
        constexpr std::size_t kMostNames = 4096;
        return firstNames(kMostNames);
    }

private:
    static constexpr std::size_t kMostListed = 12;

    std::vector<std::string> firstNames(std::size_t most) const {
        std::vector<std::string> names;
        for (const auto& [name, value] : *m_variables) collect(name, value, names, most);
        return names;
    }

    static void collect(const std::string& name, const MatValue& value,
                        std::vector<std::string>& names, std::size_t most) {
        if (names.size() >= most) return;
        if (value.kind == MatValue::Kind::Numeric && value.count() > 0) names.push_back(name);
        for (std::size_t i = 0; i < value.cells.size() && names.size() < most; ++i)
            collect(fmt::format("{}{{{}}}", name, i + 1), value.cells[i], names, most);
        for (std::size_t i = 0; i < value.structs() && names.size() < most; ++i) {
            const std::string entry =
                value.others.empty() ? name : fmt::format("{}({})", name, i + 1);
            for (const auto& [field, inner] : value.structAt(i).fields)
                collect(entry + "." + field, inner, names, most);
        }
    }

    /// MATLAB distinguishes upper and lower case in names.
    static const MatValue* named(const MatVariables& among, std::string_view name) {
        for (const auto& [key, value] : among)
            if (key == name) return &value;
        return nullptr;
    }

    const MatValue* find(std::string_view where) const {
        const MatValue* value = nullptr;
        bool first = true;
        while (!where.empty()) {
            const std::size_t end = std::min(where.find_first_of(".({", 0), where.size());
            value = first ? named(*m_variables, where.substr(0, end))
                          : named(value->fields, where.substr(0, end));
            first = false;
            where.remove_prefix(end);
            while (value != nullptr && !where.empty() && where.front() != '.')
                value = entry(*value, where);
            if (value == nullptr) return nullptr;
            if (!where.empty()) where.remove_prefix(1); // the dot
        }
        return value;
    }

    /// Removes "(2)" or "{2}" from the front of `where`; null where there is no such entry.
    static const MatValue* entry(const MatValue& value, std::string_view& where) {
        const char close = where.front() == '(' ? ')' : '}';
        const std::size_t end = where.find(close);
        if (end == std::string_view::npos) return nullptr;
        std::size_t index = 0;
        const auto [last, wrong] = std::from_chars(where.data() + 1, where.data() + end, index);
        if (wrong != std::errc{} || last != where.data() + end || index == 0) return nullptr;
        where.remove_prefix(end + 1);
        if (close == ')') return index <= value.structs() ? &value.structAt(index - 1) : nullptr;
        return index <= value.cells.size() ? &value.cells[index - 1] : nullptr;
    }

    std::filesystem::path m_path;
    std::shared_ptr<const MatVariables> m_variables;
};

} // namespace

std::shared_ptr<ArrayContainer> openMat5Arrays(const InputFile& file) {
    return std::make_shared<Mat5Arrays>(file);
}

} // namespace echolux
