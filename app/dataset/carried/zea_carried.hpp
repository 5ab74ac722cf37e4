// SPDX-License-Identifier: GPL-3.0-or-later
// What a zea file says and Echolux does not use.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"

#include <string_view>

namespace echolux {

inline constexpr const char* kZeaFamily = "zea";

/// Facts of the file and of the track that `info` names. Their names: root attributes as they are,
/// "probe/...", "metadata/...", "metrics/...", "custom/...", "scan/..." and "track/label" of the
/// track, "map/..." of an image.
CarriedFacts zeaCarried(const RecordingInfo& info);

/// True where a zea file of today has a place for a fact of this name.
bool isZeaField(std::string_view name);

} // namespace echolux
