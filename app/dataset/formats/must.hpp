// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB recordings in the form of the MUST toolbox: an array of RF signals and a struct of
// parameters.
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// End of an error sentence that recommends a sidecar.
constexpr const char* kSidecarHelps =
    ", or describe its arrays in a sidecar ('echolux help sidecar')";

/// True where the variables have an array RF* (or IQ*) and a struct with fs and pitch.
bool looksLikeMust(const MatVariables& variables);
std::unique_ptr<Recording> openMust(const std::filesystem::path& path, MatVariables variables,
                                    const std::string& version);

} // namespace echolux
