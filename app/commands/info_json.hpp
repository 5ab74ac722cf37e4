// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux info --json`.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/recording/recording.hpp"

#include <nlohmann/json.hpp>

namespace echolux {

nlohmann::json toJson(const RecordingInfo& info);
nlohmann::json toJson(const CarriedFacts& carried); ///< by their names

} // namespace echolux
