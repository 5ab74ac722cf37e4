// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that nobody stated, but that were estimated from the samples. They are marked wherever they
// are shown.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <algorithm>
#include <string>

namespace echolux {

inline constexpr const char* kEstimatedFact = "Estimated";
inline constexpr const char* kEstimatedCentre = "centre frequency, from the samples";

inline void noteEstimatedCentre(RecordingInfo& info) {
    info.notes.emplace_back(kEstimatedFact, kEstimatedCentre);
}

inline bool isCentreEstimated(const RecordingInfo& info) {
    return std::ranges::any_of(info.notes, [](const auto& note) {
        return note.first == kEstimatedFact && note.second == kEstimatedCentre;
    });
}

} // namespace echolux
