// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB recordings in the form of Bristol's BRAIN and arim: a struct exp_data holds the echoes of
// pairs of elements (full or half matrix capture).
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where the variables have a struct exp_data.
bool looksLikeBristol(const MatVariables& variables);
std::unique_ptr<Recording> openBristol(const std::filesystem::path& path, MatVariables variables,
                                       const std::string& version);

} // namespace echolux
