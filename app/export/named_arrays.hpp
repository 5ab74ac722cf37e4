// SPDX-License-Identifier: GPL-3.0-or-later
// Writes named numbers and texts as a file of their own.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/output_files.hpp"

#include <span>
#include <string>

namespace echolux {

/// Writes all of them. The target's ending decides the type: .npz, else MATLAB 7.3. Does not commit
/// the files. Throws Error.
void writeNamedArrays(const OutputFiles& files, std::span<const NumberFact> numbers,
                      std::span<const TextFact> texts, const std::string& program);

} // namespace echolux
