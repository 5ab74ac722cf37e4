// SPDX-License-Identifier: GPL-3.0-or-later
// Frames whose samples give no image, or only a part of one.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// One sentence about what frame `index` (from 0; people count from 1) lacks: numbers, where
/// samples of floating point are NaN or infinite; fringes, where spectra do not change along their
/// samples; differences, where all its spectra are the same. Nothing where the frame is sound.
std::optional<std::string> frameWarning(const RecordingInfo& info, std::int64_t index,
                                        std::span<const std::byte> samples);

} // namespace echolux
