// SPDX-License-Identifier: GPL-3.0-or-later
// What reading and writing of pipeline files agree on.
#pragma once

#include <cstdint>

namespace echolux {

/// 1: chains. 2: environment, recording, links and views as well; every file of version 1 is one of
/// version 2. 3: a transmit, channel or frame that a stage takes out of several counts from 1; in
/// files of versions 1 and 2 it counts from 0.
inline constexpr std::int64_t kPipelineVersion = 3;

inline constexpr const char* kFramesBeforeKey = "frames_before";
inline constexpr const char* kEnsembleKey = "ensemble";
inline constexpr const char* kRepeatsKey = "repeats";
inline constexpr const char* kPluginKey = "plugin";
inline constexpr const char* kLibraryKey = "library";

} // namespace echolux
