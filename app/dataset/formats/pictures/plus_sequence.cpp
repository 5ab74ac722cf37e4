// SPDX-License-Identifier: GPL-3.0-or-later
// The letters of an orientation say where each axis points, the fastest first: to the marked (M) or
// unmarked (U) side of the probe, far (F) or near (N), and for volumes ascending (A) or descending
// (D). Source: PlusLib, igsioVideoFrame. MF is how pictures are shown, FM how lines are stored.
#include "app/dataset/formats/pictures/plus_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace echolux {

namespace {

using Role = PictureAxis::Role;

enum class PlusImage : std::uint8_t {
    Grey,
    Rf,
    IqBySample, ///< I Q I Q ... along each line
    IqByLine    ///< a line of I, then one of Q
};

Error wrongSequence(const PictureFile& picture, const std::string& what) {
    return fileError(picture.info.path, what);
}

PlusImage plusTypeOf(const MetaKey& key, const PictureFile& picture) {
    const std::string type = key("UltrasoundImageType");
    if (type.empty() || type == "BRIGHTNESS" || type == "RGB_COLOR") return PlusImage::Grey;
    if (type == "RF_REAL") return PlusImage::Rf;
    if (type == "RF_IQ_LINE") return PlusImage::IqBySample;
    if (type == "RF_I_LINE_Q_LINE") return PlusImage::IqByLine;
    throw wrongSequence(picture, fmt::format("its UltrasoundImageType is '{}', which Echolux does "
                                             "not know; record BRIGHTNESS or RF_REAL",
                                             type.substr(0, 40)));
}

PictureAxis orientedAxis(char letter, const PictureAxis& stored) {
    PictureAxis axis = stored;
    axis.reversed = letter == 'U' || letter == 'N' || letter == 'D';
    axis.role = letter == 'F' || letter == 'N'   ? Role::Depth
                : letter == 'A' || letter == 'D' ? Role::Elevation
                                                 : Role::Lateral;
    const double last = axis.originM + static_cast<double>(axis.size - 1) * axis.spacingM;
    if (axis.reversed) axis.originM = -last;
    return axis;
}

void orientAxes(const MetaKey& key, PlusImage type, PictureFile& picture) {
    std::string letters = key("UltrasoundImageOrientation");
    if (letters.empty() || letters.starts_with("X"))
        letters = type == PlusImage::Grey ? "MF" : "FM";
    std::size_t at = 0;
    bool lateral = false;
    bool depth = false;
    for (PictureAxis& axis : picture.axes) {
        if (axis.role == Role::Colours || axis.role == Role::Frame) continue;
        const bool known = at < letters.size() &&
                           std::string_view("MUFNAD").find(letters[at]) != std::string_view::npos;
        if (known) axis = orientedAxis(letters[at], axis);
        lateral = lateral || (known && axis.role == Role::Lateral);
        depth = depth || (known && axis.role == Role::Depth);
        ++at;
    }
    if (!lateral || !depth)
        throw wrongSequence(picture, fmt::format("its UltrasoundImageOrientation is '{}', but "
                                                 "images have one of M, U and one of F, N; correct "
                                                 "it, for example to MF",
                                                 letters.substr(0, 40)));
}

/// I and Q become an axis of their own.
void splitParts(PlusImage type, PictureFile& picture) {
    const bool bySample = type == PlusImage::IqBySample;
    const auto split =
        std::ranges::find(picture.axes, bySample ? Role::Depth : Role::Lateral, &PictureAxis::role);
    const bool first = split == picture.axes.begin();
    if (split->size % 2 != 0 || first != bySample)
        throw wrongSequence(picture, "its samples are I and Q, which do not lie in pairs along its "
                                     "lines; record them with the orientation FM");
    split->size /= 2;
    picture.axes.insert(split, {.role = Role::Parts, .size = 2});
}

/// The steps of all axes of the image are 1 mm, or unknown.
bool hasNoLengths(const PictureFile& picture) {
    constexpr double kOne = 1e-3;
    return std::ranges::all_of(picture.axes, [](const PictureAxis& axis) {
        return axis.role == Role::Colours || axis.role == Role::Frame || axis.spacingM == 0.0 ||
               std::abs(axis.spacingM - kOne) < 1e-12;
    });
}

std::optional<double> frameTimeOf(const MetaKey& key, std::int64_t frame) {
    const std::string text = key(fmt::format("Seq_Frame{:04}_Timestamp", frame));
    double seconds = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

void takeFrameTimes(const MetaKey& key, PictureFile& picture) {
    const auto frames = std::ranges::find(picture.axes, Role::Frame, &PictureAxis::role);
    if (frames == picture.axes.end() || frames->size < 2) return;
    double shortest = HUGE_VAL;
    double longest = 0.0;
    double first = 0.0;
    double last = 0.0;
    for (std::int64_t i = 0; i < frames->size; ++i) {
        const auto time = frameTimeOf(key, i);
        if (!time) return;
        if (i == 0) first = *time;
        if (i > 0) {
            shortest = std::min(shortest, *time - last);
            longest = std::max(longest, *time - last);
        }
        last = *time;
    }
    const double mean = (last - first) / static_cast<double>(frames->size - 1);
    if (!(mean > 0.0)) return;
    frames->spacingM = mean; // seconds
    constexpr double kEven = 0.1;
    if (shortest < (1.0 - kEven) * mean || longest > (1.0 + kEven) * mean)
        picture.info.warnings.push_back(
            fmt::format("The frames were taken {:.4g} to {:.4g} ms apart; the frame rate is their "
                        "mean.",
                        1e3 * shortest, 1e3 * longest));
}

} // namespace

bool isPlusSequence(const MetaKey& key) {
    return !key("UltrasoundImageType").empty() || !key("UltrasoundImageOrientation").empty() ||
           !key("Seq_Frame0000_Timestamp").empty();
}

void takePlusSequence(const MetaKey& key, PictureFile& picture) {
    const PlusImage type = plusTypeOf(key, picture);
    std::size_t last = picture.axes.size() - 1;
    const bool timed = !key("Seq_Frame0000_Timestamp").empty();
    if (timed && last >= 2 && picture.axes[last].role != Role::Colours)
        picture.axes[last].role = Role::Frame;
    const bool isPlain = hasNoLengths(picture);
    if (isPlain)
        for (PictureAxis& axis : picture.axes) axis.spacingM = 0.0;
    orientAxes(key, type, picture);
    takeFrameTimes(key, picture);
    if (type == PlusImage::Grey) return;
    picture.form = RecordedForm::Beamformed;
    if (type != PlusImage::Rf) splitParts(type, picture);
    if (isPlain)
        picture.info.warnings.emplace_back(
            "It holds lines of echoes and says neither how far apart their samples nor how far "
            "apart the lines are: lengths are counted in samples and lines, unless a sidecar "
            "gives them ('echolux help sidecar').");
}

} // namespace echolux
