// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point samples that are no numbers.
#pragma once

#include "app/dataset/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

bool isFloatingPoint(DType type);
/// NaN and infinite values among samples of floating point; 0 for other types.
std::int64_t countNotFinite(DType type, std::span<const std::byte> samples);
/// One sentence about frame `index`, or nothing where all its samples are finite.
std::optional<std::string> notFiniteWarning(const RecordingInfo& info, std::int64_t index,
                                            std::span<const std::byte> samples);

} // namespace echolux
