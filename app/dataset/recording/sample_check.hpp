// SPDX-License-Identifier: GPL-3.0-or-later
// Checks frames whose samples give no image, or only a part of one.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// One sentence about a flaw of frame `index` (from 0; people count from 1): floating-point samples
/// that are NaN or infinite, spectra that do not change along their samples, or spectra that are
/// all the same. Empty where the frame has no flaw.
std::optional<std::string> frameWarning(const RecordingInfo& info, std::int64_t index,
                                        std::span<const std::byte> samples);

} // namespace echolux
