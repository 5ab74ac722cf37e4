// SPDX-License-Identifier: GPL-3.0-or-later
// Access to the structs of a Verasonics workspace.
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

class VerasonicsValues {
public:
    VerasonicsValues(const std::filesystem::path& path, const MatVariables& variables)
        : m_path(path), m_variables(variables) {}

    Error error(const std::string& what) const { return fileError(m_path, what); }
    const std::filesystem::path& path() const { return m_path; }

    /// The variable `name`, with case as in MATLAB. Null where it is missing.
    const MatValue* variable(std::string_view name) const {
        for (const auto& [key, value] : m_variables)
            if (key == name) return &value;
        return nullptr;
    }
    /// The variable `name` where it is a struct or struct array. Null otherwise.
    const MatValue* structs(std::string_view name) const {
        const MatValue* value = variable(name);
        return value != nullptr && value->structs() > 0 ? value : nullptr;
    }

    static std::vector<double> list(const MatValue& parent, std::string_view field) {
        const MatValue* value = parent.field(field);
        return value != nullptr ? value->numbers() : std::vector<double>{};
    }
    static std::optional<double> number(const MatValue& parent, std::string_view field) {
        const std::vector<double> values = list(parent, field);
        if (values.empty() || !std::isfinite(values.front())) return std::nullopt;
        return values.front();
    }
    static std::string text(const MatValue& parent, std::string_view field) {
        const MatValue* value = parent.field(field);
        return value != nullptr ? value->text : std::string{};
    }
    /// A whole number from 1 on. 0 where the field is missing or another number.
    static std::size_t index(const MatValue& parent, std::string_view field) {
        return indexOf(number(parent, field).value_or(0.0));
    }
    static std::size_t indexOf(double value) {
        constexpr double kMost = 1e9;
        return value >= 1.0 && value <= kMost && value == std::floor(value)
                   ? static_cast<std::size_t>(value)
                   : 0;
    }

private:
    const std::filesystem::path& m_path;
    const MatVariables& m_variables;
};

} // namespace echolux
