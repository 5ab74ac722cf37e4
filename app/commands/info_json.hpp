// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux info --json`.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "app/dataset/recording/recording.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace echolux {

nlohmann::json toJson(const RecordingInfo& info);
nlohmann::json toJson(const CarriedFacts& carried); ///< by their names
/// What the stamps of all frames say; of each frame, too, where `each` is true. There is at least
/// one.
nlohmann::json toJson(const std::vector<FrameStamp>& stamps, bool each);

} // namespace echolux
