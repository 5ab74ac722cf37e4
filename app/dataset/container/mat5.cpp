// SPDX-License-Identifier: GPL-3.0-or-later
// MAT-files of version 5 through matio.
#include "app/dataset/container/mat_value.hpp"

#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/parser.hpp"

#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace echolux {

namespace {

struct MatClose {
    void operator()(mat_t* mat) const { Mat_Close(mat); }
};
struct VarFree {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, VarFree>;

std::optional<ElementType> elementOf(matio_classes type) {
    using Kind = ElementType::Kind;
    switch (type) {
    case MAT_C_DOUBLE: return ElementType{.kind = Kind::Real, .bytes = 8};
    case MAT_C_SINGLE: return ElementType{.kind = Kind::Real, .bytes = 4};
    case MAT_C_INT8: return ElementType{.kind = Kind::Signed, .bytes = 1};
    case MAT_C_UINT8: return ElementType{.kind = Kind::Unsigned, .bytes = 1};
    case MAT_C_INT16: return ElementType{.kind = Kind::Signed, .bytes = 2};
    case MAT_C_UINT16: return ElementType{.kind = Kind::Unsigned, .bytes = 2};
    case MAT_C_INT32: return ElementType{.kind = Kind::Signed, .bytes = 4};
    case MAT_C_UINT32: return ElementType{.kind = Kind::Unsigned, .bytes = 4};
    case MAT_C_INT64: return ElementType{.kind = Kind::Signed, .bytes = 8};
    case MAT_C_UINT64: return ElementType{.kind = Kind::Unsigned, .bytes = 8};
    default: return std::nullopt;
    }
}

/// Joins real and imaginary parts, which are stored apart, to pairs.
void copyComplex(const mat_complex_split_t& split, std::size_t partBytes, MatValue& value) {
    value.type.components = 2;
    const std::size_t count = value.bytes.size() / partBytes;
    std::vector<std::byte> pairs(2 * value.bytes.size());
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(&pairs[2 * i * partBytes],
                    static_cast<const std::byte*>(split.Re) + i * partBytes, partBytes);
        std::memcpy(&pairs[(2 * i + 1) * partBytes],
                    static_cast<const std::byte*>(split.Im) + i * partBytes, partBytes);
    }
    value.bytes = std::move(pairs);
}

void copyNumbers(const matvar_t& variable, const ElementType& type, MatValue& value) {
    value.kind = MatValue::Kind::Numeric;
    value.type = type;
    const auto partBytes = static_cast<std::size_t>(type.bytes);
    const std::size_t needed = static_cast<std::size_t>(value.count()) * partBytes;
    if (needed == 0) return;
    if (variable.data == nullptr || variable.nbytes < needed) {
        value.kind = MatValue::Kind::Other;
        return;
    }
    value.bytes.resize(needed);
    if (variable.isComplex != 0) {
        const auto& split = *static_cast<const mat_complex_split_t*>(variable.data);
        if (split.Re != nullptr && split.Im != nullptr) copyComplex(split, partBytes, value);
        return;
    }
    std::memcpy(value.bytes.data(), variable.data, needed);
}

/// Characters are stored in 1, 2 or 4 bytes each.
std::string textOf(const matvar_t& variable) {
    constexpr std::size_t kMostText = std::size_t{1} << 16U;
    const auto size = static_cast<std::size_t>(variable.data_size);
    if (variable.data == nullptr || (size != 1 && size != 2 && size != 4)) return {};
    std::string text;
    for (std::size_t at = 0; at + size <= std::min(variable.nbytes, kMostText * size); at += size) {
        std::uint32_t code = 0;
        std::memcpy(&code, static_cast<const char*>(variable.data) + at, size);
        text += code < 0x100 ? static_cast<char>(code) : '?';
    }
    return text;
}

MatValue convert(matvar_t& variable);

MatValue structAt(matvar_t& variable, std::size_t index) {
    MatValue value{.kind = MatValue::Kind::Struct, .dims = {1, 1}};
    const unsigned fields = Mat_VarGetNumberOfFields(&variable);
    char* const* names = Mat_VarGetStructFieldnames(&variable);
    for (unsigned i = 0; names != nullptr && i < fields; ++i) {
        matvar_t* field = Mat_VarGetStructFieldByIndex(&variable, i, index);
        if (field != nullptr) value.fields.emplace_back(names[i], convert(*field));
    }
    return value;
}

// NOTE: checkMat5() has checked the depth.
MatValue convert(matvar_t& variable) {
    MatValue value;
    for (int i = 0; i < variable.rank; ++i)
        value.dims.push_back(static_cast<std::int64_t>(variable.dims[i]));
    if (const auto type = elementOf(variable.class_type)) {
        copyNumbers(variable, *type, value);
    } else if (variable.class_type == MAT_C_CHAR) {
        value.kind = MatValue::Kind::Text;
        value.text = textOf(variable);
    } else if (variable.class_type == MAT_C_STRUCT) {
        value.kind = MatValue::Kind::Struct;
        const auto count = static_cast<std::size_t>(value.count());
        if (count > 0) value.fields = structAt(variable, 0).fields;
        for (std::size_t i = 1; i < count && !value.fields.empty(); ++i)
            value.others.push_back(structAt(variable, i));
    } else if (variable.class_type == MAT_C_CELL) {
        value.kind = MatValue::Kind::Cell;
        for (std::int64_t i = 0; i < value.count(); ++i) {
            matvar_t* cell = Mat_VarGetCell(&variable, static_cast<int>(i));
            value.cells.push_back(cell != nullptr ? convert(*cell) : MatValue{});
        }
    }
    return value;
}

} // namespace

MatVariables readMat5(const InputFile& file) {
    const Opening opening(file.path());
    checkMat5(file);
    noteParser(Parser::Matio);
    // NOTE: matio 1.5.28 made the text const.
    Mat_LogInitFunc("echolux", [](int, auto*) {});
    const std::unique_ptr<mat_t, MatClose> mat(Mat_Open(file.path().c_str(), MAT_ACC_RDONLY));
    if (!mat)
        throw fileError(file.path(), "matio cannot open it; the file is damaged, copy it again");
    MatVariables variables;
    while (const Variable variable{Mat_VarReadNext(mat.get())}) {
        if (variable->name == nullptr) continue;
        variables.emplace_back(variable->name, convert(*variable));
    }
    return variables;
}

} // namespace echolux
