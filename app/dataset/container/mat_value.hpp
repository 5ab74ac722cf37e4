// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB variables as plain values, the same for MAT-files of version 5 and 7.3.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

struct MatValue {
    enum class Kind { Numeric, Text, Struct, Cell, Other };
    Kind kind = Kind::Other;
    ElementType type{};               ///< type of the elements, in native byte order; 2 components:
                                      ///< complex
    std::vector<std::int64_t> dims{}; ///< MATLAB's dimensions, the first one contiguous
    std::vector<std::byte> bytes{};   ///< all elements of a numeric variable
    std::string text{};               ///< text of a character variable; characters beyond Latin-1
                                      ///< are '?'
    std::vector<std::pair<std::string, MatValue>> fields{}; ///< fields of the first element of a
                                                            ///< struct
    std::vector<MatValue> others{};                         ///< structs after the first, in order
    std::vector<MatValue> cells{};                          ///< cells of a cell array in column
                                                            ///< order

    std::int64_t count() const; ///< product of the dims
    /// The field of this name, ignoring case as MUST does; null where there is none.
    const MatValue* field(std::string_view name) const;
    std::vector<double> numbers() const; ///< in column order; empty where the value is not numeric
    /// Number of structs in a struct array; 0 where it is no struct array.
    std::size_t structs() const;
    const MatValue& structAt(std::size_t index) const {
        return index == 0 ? *this : others[index - 1];
    }
    ArrayLayout layout() const { return {type, dims, true}; }
    std::string describe() const; ///< "3 x 4 (64-bit floats)", "struct", ...
};

using MatVariables = std::vector<std::pair<std::string, MatValue>>;

/// Reads version 5 with matio, after checking the structure of the file. Both functions count
/// against the current opening, or begin one.
MatVariables readMat5(const InputFile& file);
/// Reads version 7.3, which is HDF5.
MatVariables readMat73(const std::filesystem::path& path);

/// Throws where an element of the file is larger than its container, nested too deep, or cannot be
/// inflated. A file that passes is safe for matio.
void checkMat5(const InputFile& file);

bool equalsIgnoringCase(std::string_view a, std::string_view b);
bool startsIgnoringCase(std::string_view text, std::string_view start);

} // namespace echolux
