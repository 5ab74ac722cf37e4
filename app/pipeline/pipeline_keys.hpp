// SPDX-License-Identifier: GPL-3.0-or-later
// What reading and writing of pipeline files agree on.
#pragma once

#include <cstdint>

namespace echolux {

/// 1: chains. 2: environment, recording, links and views as well; every file of version 1 is one of
/// version 2.
inline constexpr std::int64_t kPipelineVersion = 2;

inline constexpr const char* kFramesBeforeKey = "frames_before";
inline constexpr const char* kEnsembleKey = "ensemble";

} // namespace echolux
