// SPDX-License-Identifier: GPL-3.0-or-later
// Whether spectra and what is said of their spectrometer fit each other.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// What is wrong, as "value 3 ..."; nothing where the values are finite and strictly monotonic.
std::optional<std::string> contradictionInMonotonic(std::span<const double> values);

/// What is wrong with positions in lines of `samples`, as "value 3 ..."; nothing where they are
/// finite, strictly monotonic, in steps that k_linearize takes, and at most one sample outside the
/// line: interpolation of the ends.
std::optional<std::string> contradictionInCurve(std::span<const double> positions,
                                                std::int64_t samples);

/// What makes these facts impossible for lines of `samples`, as "its ..."; nothing where they
/// agree.
std::optional<std::string> contradictionIn(const Spectrometer& facts, std::int64_t samples);

/// The same for the axes and the spectrometer of frames of spectra.
std::optional<std::string> contradictionInSpectra(const FrameSpec& frame);

/// A spectrum that is the same everywhere carries nothing that could be taken off or divided by.
bool isConstant(std::span<const float> spectrum);

/// Name of the note that says what a background was made of.
constexpr const char* kBackgroundNote = "Background from";

/// Refuses spectra that no image can be made of. Every OCT reader calls it last, after which an
/// unusable background is dropped with a warning.
void checkSpectra(RecordingInfo& info);

} // namespace echolux
