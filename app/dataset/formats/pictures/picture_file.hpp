// SPDX-License-Identifier: GPL-3.0-or-later
// What all files of images and volumes have in common: an array, what its axes are, and what its
// values mean. Without other words of the file its axes are, the fastest first, lateral, depth,
// elevation, frame.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/recording.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

struct PictureAxis {
    enum class Role { Lateral, Depth, Elevation, Frame, Colours, Parts /* real, imaginary */ };
    Role role = Role::Lateral;
    std::int64_t size = 1;
    double spacingM = 0.0; ///< 0 = unknown
    double originM = 0.0;
};

struct PictureFile {
    RecordingInfo info; ///< all but its frames, and for the facts of `info.frame` about the signal
    std::vector<PictureAxis> axes; ///< of the array, the fastest first
    ElementType type;
    std::optional<RecordedForm> form = {}; ///< where the file says it
};

/// The kinds of axis that are meant where nobody says it: lateral, depth, elevation, frame.
/// Throws for a fifth one.
PictureAxis::Role usualRole(const std::filesystem::path& path, std::size_t spatialAxis);

/// Place of sample i along its own axis is origin + i * spacing, for samples at
/// `origin` + i * `step`, all in units of `unitM`; unknown where `step` is no direction.
void placeAlong(PictureAxis& axis, const std::array<double, 3>& step,
                const std::array<double, 3>& origin, double unitM);

/// Metres of "mm", "um", "µm", "m", ...; nothing for other words.
std::optional<double> metresOf(std::string_view unit);

/// What "decibels", "beamformed", ..., "dB" alone say, or such a word behind "echolux_content" or
/// "echolux " at the beginning; nothing for other texts.
std::optional<RecordedForm> formNamed(std::string_view words);

/// "echolux_range=-60:0": the values of the codes 0 and 65535 of grey samples.
inline constexpr std::string_view kGreyRangeMark = "echolux_range=";

/// Throws where axes and type do not give `available` bytes or fewer, or are beyond reason.
ArrayLayout layoutOf(const PictureFile& file);

/// Takes an array of layoutOf(). Colours become brightness. Throws where the axes make no image.
std::unique_ptr<Recording> openPictures(PictureFile file, std::unique_ptr<ArraySource> source);

/// The array as it lies in `data` from `offset` on, or deflated there. Throws where it is short.
std::unique_ptr<ArraySource> storedArray(std::shared_ptr<const InputFile> data,
                                         std::uint64_t offset, const ArrayLayout& layout,
                                         bool deflated);

/// The same of a file that is deflated as a whole, where the array begins `offset` bytes after what
/// it inflates to.
std::unique_ptr<ArraySource> storedBehind(std::shared_ptr<const InputFile> data,
                                          std::uint64_t offset, const ArrayLayout& layout);

/// The first `most` bytes of a file, or all.
std::string beginningOf(const InputFile& file, std::size_t most);

/// All finite numbers of a text, separated by blanks, commas, brackets; nothing where a word is
/// none.
std::optional<std::vector<double>> numbersIn(std::string_view text);

/// A file that a header names, which must lie beside it.
std::shared_ptr<const InputFile> fileBeside(const std::filesystem::path& header,
                                            std::string_view named);

} // namespace echolux
