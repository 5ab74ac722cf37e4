// SPDX-License-Identifier: GPL-3.0-or-later
// For which processors the CPU backend was compiled. A package has several forms of it.
#pragma once

#include <string_view>

namespace echolux {

/// The newest instructions that the loaded form of the stages uses: "AVX-512", "AVX2", "SSE2";
/// empty for processors of another kind.
std::string_view processorForm();

} // namespace echolux
