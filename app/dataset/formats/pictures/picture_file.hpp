// SPDX-License-Identifier: GPL-3.0-or-later
// What all files of images and volumes share: an array, the meaning of its axes and the meaning of
// its values. Where a file says nothing else, its axes are lateral, depth, elevation and frame, the
// fastest first.
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
    bool reversed =
        false; ///< stored backwards: the positions are those of the samples turned round

    bool operator==(const PictureAxis&) const = default;
};

/// How an array lies in space. [m]
struct PicturePlace {
    std::array<Point, 3> steps; ///< from sample to sample along lateral, elevation, depth
    Point first;                ///< the first sample
    std::string space = "LPS";  ///< as in Pose::space

    /// `step` is that of an axis of space, in units of `unitM` metres.
    void setStep(PictureAxis::Role role, const Point& step, double unitM);
    /// Coordinates become LPS that count towards the patient's right, or front, instead.
    void countLeftAndBack(bool fromRightwards, bool fromFrontwards);
};

struct PictureFile {
    /// All members but the sizes of the frame; `info.frame` holds the facts about the signal.
    RecordingInfo info;
    std::vector<PictureAxis> axes; ///< axes of the array, the fastest first
    ElementType type;
    std::optional<RecordedForm> form = {};  ///< where the file states it
    std::optional<PicturePlace> place = {}; ///< where the file states it
};

/// A file whose header was read, with its samples in the layout layoutOf(picture).
struct StoredPicture {
    PictureFile picture;
    std::unique_ptr<ArraySource> source;
};

/// Role of a spatial axis where the file does not state it: lateral, depth, elevation, frame.
/// Throws for a fifth axis.
PictureAxis::Role usualRole(const std::filesystem::path& path, std::size_t spatialAxis);

/// Sets origin and spacing of `axis` so that sample i lies at originM + i * spacingM along it. In
/// the file, sample i lies at `origin` + i * `step`, in units of `unitM` metres. Leaves `axis`
/// unknown where `step` has no finite length above 0.
void placeAlong(PictureAxis& axis, const std::array<double, 3>& step,
                const std::array<double, 3>& origin, double unitM);

inline Point pointOf(const std::array<double, 3>& numbers, double unitM = 1.0) {
    return {numbers[0] * unitM, numbers[1] * unitM, numbers[2] * unitM};
}

/// Metres of "mm", "um", "µm", "m", ...; empty for other words.
std::optional<double> metresOf(std::string_view unit);

/// Form of the text "decibels", "beamformed", ... or "dB"; of such a word after "echolux " at the
/// beginning; or of the word after "echolux_content" anywhere. Empty for other texts.
std::optional<RecordedForm> formNamed(std::string_view words);

/// What Echolux itself wrote: "-60 0 dB" and "25 Hz". Other texts change nothing.
void takeKeptRange(const std::string& text, PictureFile& picture);
void takeKeptRate(const std::string& text, PictureFile& picture);

/// Mark in a text: "echolux_range=-60:0" gives the values of the codes 0 and 65535 of grey samples.
inline constexpr std::string_view kGreyRangeMark = "echolux_range=";

/// End of the description of images without a pose that Echolux wrote as NIfTI.
inline constexpr std::string_view kNoPose = "; no pose";

/// Throws where a size is below 1, or where the array is larger than any file.
ArrayLayout layoutOf(const PictureFile& file);

/// `source` has the layout layoutOf(file). Colours become brightness. Throws where the axes form no
/// image.
std::unique_ptr<Recording> openPictures(PictureFile file, std::unique_ptr<ArraySource> source);

/// The samples as one array without a name, for a sidecar that describes them: turned as
/// openPictures() turns them, with all their axes.
std::shared_ptr<ArrayContainer> openPictureArray(StoredPicture stored);

/// The array in `bytes`, which have the byte order of the layout.
std::unique_ptr<ArraySource> inMemory(std::vector<std::byte> bytes, ArrayLayout layout);

/// The array stored in `data` from byte `offset` on, deflated or not. Throws where the data are too
/// short.
std::unique_ptr<ArraySource> storedArray(std::shared_ptr<const InputFile> data,
                                         std::uint64_t offset, const ArrayLayout& layout,
                                         bool deflated);

/// The array in a file that is deflated as a whole. The array begins `offset` bytes after the
/// beginning of the inflated data.
std::unique_ptr<ArraySource> storedBehind(std::shared_ptr<const InputFile> data,
                                          std::uint64_t offset, const ArrayLayout& layout);

/// The first `most` bytes of a file, or the whole file where it is shorter.
std::string beginningOf(const InputFile& file, std::size_t most);

/// All finite numbers of a text, separated by blanks, commas or parentheses. Empty where a word is
/// not a number.
std::optional<std::vector<double>> numbersIn(std::string_view text);

/// Opens a file that a header names. It must lie in the header's folder.
std::shared_ptr<const InputFile> fileBeside(const std::filesystem::path& header,
                                            std::string_view named);

} // namespace echolux
