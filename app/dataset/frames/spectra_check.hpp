// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that spectra and the facts of their spectrometer fit each other.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// What is wrong: a text that begins with "value 3 ...". Empty where the values are finite and
/// strictly monotonic.
std::optional<std::string> contradictionInMonotonic(std::span<const double> values);

/// What is wrong with positions in lines of `samples` samples: a text that begins with "value 3
/// ...". Empty where they are finite and strictly monotonic, have steps that k_linearize accepts,
/// and are at most one sample outside the line.
std::optional<std::string> contradictionInCurve(std::span<const double> positions,
                                                std::int64_t samples);

/// Why these facts are impossible for lines of `samples` samples: a text that begins with "its
/// ...". Empty where they agree.
std::optional<std::string> contradictionIn(const Spectrometer& facts, std::int64_t samples);

/// The same for the axes and the spectrometer of frames of spectra.
std::optional<std::string> contradictionInSpectra(const FrameSpec& frame);

/// True where the spectrum has the same value everywhere, which is no useful background.
bool isConstant(std::span<const float> spectrum);

/// Name of the note that says how a background was made.
constexpr const char* kBackgroundNote = "Background from";

/// Throws for spectra that no image can be made of. Drops an unusable background with a warning.
/// Every OCT reader calls it last.
void checkSpectra(RecordingInfo& info);

} // namespace echolux
