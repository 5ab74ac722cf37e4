// SPDX-License-Identifier: GPL-3.0-or-later
// Doubts about what a recording says of itself: one sentence each, with the value, its unit and
// what is plausible.
#pragma once

#include "app/dataset/facts/facts.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Empty where `value`, SI, is plausible, or 0 for unknown.
std::optional<std::string> doubtAbout(const Fact& fact, double value,
                                      std::string_view advice = "check the number");

/// Doubts about all facts. A fact that follows from another one is left out where that one is
/// doubted.
std::vector<std::string> doubtsAbout(const RecordingInfo& info);

/// Doubts about the samples of the first frame: numbers that are far too large, and signals that
/// the converter has cut off.
std::vector<std::string> doubtsAboutSamples(const RecordingInfo& info,
                                            std::span<const std::byte> samples);

} // namespace echolux
