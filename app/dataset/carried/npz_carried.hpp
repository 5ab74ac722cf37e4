// SPDX-License-Identifier: GPL-3.0-or-later
// What a NumPy archive with named arrays says and Echolux does not use.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"

namespace echolux {

inline constexpr const char* kNpzFamily = "npz";

/// The arrays of the archive whose names the readers of named arrays do not know.
CarriedFacts npzCarried(const RecordingInfo& info);

} // namespace echolux
