// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays of a MAT-file of version 5 by name.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <memory>

namespace echolux {

/// Numeric variables, fields of structs ("param.fs", of a struct array "TX(2).Delay") and cells
/// ("RF{3}"), in MATLAB's order of dimensions, in which the first one is contiguous. Throws Error
/// where the file is damaged.
std::shared_ptr<ArrayContainer> openMat5Arrays(const InputFile& file);

} // namespace echolux
