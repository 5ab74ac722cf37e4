// SPDX-License-Identifier: GPL-3.0-or-later
// Work files: kernels with counts of one's own, in TOML.
#pragma once

#include "gpu/model/part.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Kernels that take the place of those of a step, which is named by its label or its first stage.
struct CountedStep {
    std::string step;
    std::vector<model::Kernel> kernels; ///< in the order of the file
};

/// `origin` stands at the beginning of errors. Throws Error, one sentence that names line, key and
/// remedy, where the text is no work file.
std::vector<CountedStep> parseWork(std::string_view text, const std::string& origin);

/// Throws Error where the file cannot be read, and as parseWork().
std::vector<CountedStep> readWork(const std::string& path);

} // namespace echolux
