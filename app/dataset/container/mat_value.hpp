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
    ElementType type{};               ///< of the class, in native byte order; 2 components: complex
    std::vector<std::int64_t> dims{}; ///< MATLAB's, first dimension contiguous
    std::vector<std::byte> bytes{};   ///< numeric: all elements
    std::string text{};               ///< of characters; those beyond Latin-1 as '?'
    std::vector<std::pair<std::string, MatValue>> fields{}; ///< of the first element of a struct
    std::vector<MatValue> others{};                         ///< structs after the first, in order
    std::vector<MatValue> cells{};                          ///< of a cell array, column order

    std::int64_t count() const; ///< product of the dims
    /// Without regard to case, as MUST does; null where there is none.
    const MatValue* field(std::string_view name) const;
    std::vector<double> numbers() const; ///< in column order; empty for what is not numeric
    /// How many structs a struct array holds; 0 for what is none.
    std::size_t structs() const;
    const MatValue& structAt(std::size_t index) const {
        return index == 0 ? *this : others[index - 1];
    }
    ArrayLayout layout() const { return {type, dims, true}; }
    std::string describe() const; ///< "3 x 4 (64-bit floats)", "struct", ...
};

using MatVariables = std::vector<std::pair<std::string, MatValue>>;

/// Version 5, through matio, after the structure of the file has been checked. Both draw on the
/// opening in progress, or begin one.
MatVariables readMat5(const InputFile& file);
/// Version 7.3: HDF5.
MatVariables readMat73(const std::filesystem::path& path);

/// Throws where an element of the file is larger than what holds it, nested absurdly, or does not
/// inflate. What passes can be handed to matio.
void checkMat5(const InputFile& file);

bool equalsIgnoringCase(std::string_view a, std::string_view b);
bool startsIgnoringCase(std::string_view text, std::string_view start);

} // namespace echolux
