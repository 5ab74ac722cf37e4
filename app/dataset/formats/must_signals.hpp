// SPDX-License-Identifier: GPL-3.0-or-later
// The signals of a MUST recording: one array, or a cell array with a matrix for each transmit.
#pragma once

#include "app/dataset/container/mat_value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// Numbers in an array of two dimensions or more, or in a cell array of matrices; 0 where it is
/// neither.
std::int64_t signalCount(const MatValue& value);

/// `signals` as one array, samples x elements x the dimensions of the cell array; shorter matrices
/// end in silence, of which `warnings` tell. Throws Error where the matrices differ in type or
/// number of elements, or so much in length that most would be silence.
MatValue stackedSignals(const std::filesystem::path& path, const std::string& name,
                        MatValue signals, std::vector<std::string>& warnings);

} // namespace echolux
