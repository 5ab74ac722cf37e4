// SPDX-License-Identifier: GPL-3.0-or-later
// Named numbers and texts as a file of their own.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/output_files.hpp"

#include <span>
#include <string>

namespace echolux {

/// All of them, by the target's ending: .npz, else MATLAB 7.3; not yet committed. Throws Error.
void writeNamedArrays(const OutputFiles& files, std::span<const NumberFact> numbers,
                      std::span<const TextFact> texts, const std::string& program);

} // namespace echolux
