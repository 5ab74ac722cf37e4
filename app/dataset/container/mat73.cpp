// SPDX-License-Identifier: GPL-3.0-or-later
// MAT-files of version 7.3: HDF5 with MATLAB's attributes and reversed dimensions.
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

namespace {

constexpr std::size_t kMaxFields = 4096;
/// Limit for the values of one cell or struct array.
constexpr std::size_t kMaxValues = std::size_t{1} << 20U;

class Mat73 {
public:
    explicit Mat73(const std::filesystem::path& path) : m_file(Hdf5File::openReadOnly(path)) {}

    MatVariables read() {
        const Opening opening(m_file->path());
        MatVariables variables;
        for (const std::string& name : m_file->children("", kMaxFields))
            if (!name.starts_with('#')) variables.emplace_back(name, value(name));
        return variables;
    }

private:
    MatValue value(const std::string& where) {
        const Opening::Level level(m_file->addressOf(where));
        hold(sizeof(MatValue));
        if (m_file->isGroup(where)) return group(where);
        const std::string type = m_file->textAttribute(where, "MATLAB_class").value_or("double");
        if (type == "char") return text(where);
        if (type == "cell") return cell(where);
        const bool numeric = type == "double" || type == "single" || type == "logical" ||
                             type.starts_with("int") || type.starts_with("uint");
        if (!numeric || !m_file->isNumeric(where) || m_file->hasAttribute(where, "MATLAB_empty"))
            return {};
        return numbers(where);
    }

    MatValue group(const std::string& where) {
        MatValue result{.kind = MatValue::Kind::Struct, .dims = {1, 1}};
        const std::vector<std::string> names = m_file->children(where, kMaxFields);
        if (isStructArray(where, names)) return structArray(where, names);
        for (const std::string& name : names) {
            hold(name.size());
            result.fields.emplace_back(name, value(where + "/" + name));
        }
        return result;
    }

    /// True where `names` are the fields of a struct array: references to the values of each entry,
    /// without a class of their own.
    bool isStructArray(const std::string& where, const std::vector<std::string>& names) const {
        return !names.empty() && std::ranges::all_of(names, [&](const std::string& name) {
            const std::string field = where + "/" + name;
            return !m_file->hasAttribute(field, "MATLAB_class") && m_file->isReferences(field);
        });
    }

    MatValue structArray(const std::string& where, const std::vector<std::string>& names) {
        MatValue result{.kind = MatValue::Kind::Struct};
        std::size_t count = 0;
        for (const std::string& name : names) {
            const Hdf5File::References entries = m_file->references(where + "/" + name, kMaxValues);
            if (result.fields.empty()) {
                result.dims.assign(entries.shape.rbegin(), entries.shape.rend());
                count = entries.targets.size();
                hold(count * sizeof(MatValue));
                if (count > 1) result.others.resize(count - 1, {.kind = MatValue::Kind::Struct});
            }
            if (count == 0 || entries.targets.size() != count)
                throw fileError(m_file->path(),
                                fmt::format("the fields of the struct array '{}' are not equally "
                                            "long; the file is damaged",
                                            where));
            for (std::size_t i = 0; i < count; ++i) {
                hold(name.size());
                const std::string& target = entries.targets[i];
                MatValue& entry = i == 0 ? result : result.others[i - 1];
                entry.fields.emplace_back(name, target.empty() ? MatValue{} : value(target));
            }
        }
        for (MatValue& other : result.others) other.dims = {1, 1};
        return result;
    }

    /// The text of UTF-16 codes.
    MatValue text(const std::string& where) {
        MatValue result{.kind = MatValue::Kind::Text};
        constexpr std::int64_t kMostText = 1 << 16;
        if (m_file->hasAttribute(where, "MATLAB_empty") || !m_file->isNumeric(where)) return result;
        const auto source = m_file->open(where);
        if (source->layout().count() > kMostText) return result;
        for (const double code : readNumbers(m_file->path(), *source, where))
            result.text += code < 256.0 ? static_cast<char>(static_cast<unsigned char>(code)) : '?';
        hold(result.text.size());
        return result;
    }

    MatValue cell(const std::string& where) {
        MatValue result{.kind = MatValue::Kind::Cell};
        const Hdf5File::References references = m_file->references(where, kMaxValues);
        result.dims.assign(references.shape.rbegin(), references.shape.rend());
        for (const std::string& target : references.targets)
            result.cells.push_back(target.empty() ? MatValue{} : value(target));
        return result;
    }

    /// Counts `bytes` more that stay in memory.
    void hold(std::uint64_t bytes) {
        m_bytes += bytes;
        checkLoadSize(m_file->path(), "its variables", m_bytes);
    }

    MatValue numbers(const std::string& where) {
        const auto source = m_file->open(where);
        const ArrayLayout& layout = source->layout();
        MatValue result{.kind = MatValue::Kind::Numeric, .type = layout.type};
        result.dims.assign(layout.shape.rbegin(), layout.shape.rend());
        if (result.dims.empty()) result.dims = {1, 1};
        hold(layout.bytes());
        result.bytes.resize(layout.bytes());
        source->read(result.bytes);
        return result;
    }

    std::shared_ptr<Hdf5File> m_file;
    std::uint64_t m_bytes = 0;
};

} // namespace

MatVariables readMat73(const std::filesystem::path& path) { return Mat73(path).read(); }

} // namespace echolux
