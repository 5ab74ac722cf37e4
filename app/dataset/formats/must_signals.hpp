// SPDX-License-Identifier: GPL-3.0-or-later
// The signals of a MUST recording: one array, or a cell array with a matrix for each transmit.
#pragma once

#include "app/dataset/container/mat_value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// Number of samples of an array with two or more dimensions, or of a cell array of matrices; 0 for
/// other values.
std::int64_t signalCount(const MatValue& value);

/// Returns `signals` as one array: samples x elements x the dimensions of the cell array. Shorter
/// matrices are filled up with silence, and `warnings` says so. Throws Error where the matrices
/// differ in type or number of elements, or where the array would be more than 4 times as large as
/// the matrices.
MatValue stackedSignals(const std::filesystem::path& path, const std::string& name,
                        MatValue signals, std::vector<std::string>& warnings);

} // namespace echolux
