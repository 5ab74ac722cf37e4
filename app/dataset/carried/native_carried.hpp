// SPDX-License-Identifier: GPL-3.0-or-later
// Carried facts in an Echolux recording.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"

#include <filesystem>

namespace echolux {

/// Facts that writeNativeCarried() wrote; none where there are none.
CarriedFacts nativeCarried(const RecordingInfo& info);

/// Adds facts to the closed Echolux recording at `path`: the group `carried`, with the attribute
/// `family`, and a dataset for each fact at the path of its name. Does nothing without facts.
/// Throws std::runtime_error where HDF5 fails.
void writeNativeCarried(const std::filesystem::path& path, const CarriedFacts& facts);

} // namespace echolux
