// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a description of images with the file.
#include "app/dataset/frames/image_import.hpp"

#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace echolux {

namespace {

ArrayExtents extentsWith(const ImageImport& import, std::int64_t open) {
    return {.frames = sizeOf(import, ArrayAxis::Frame, open),
            .transmits = sizeOf(import, ArrayAxis::Elevation, open),
            .channels = sizeOf(import, ArrayAxis::Depth, open),
            .samples = sizeOf(import, ArrayAxis::Lateral, open),
            .pairs = import.pairs()};
}

bool fansOut(const ImageImport& import) { return import.lines == ImageImport::Lines::FanOut; }

/// True where two angles are the first and the last of evenly spaced ones.
bool areEnds(const ImageImport& import, std::int64_t lines) {
    return import.anglesRad.size() == 2 && lines != 2;
}

std::string wrongAngles(const ImageImport& import, std::int64_t lines) {
    const auto& angles = import.anglesRad;
    if (axisOf(import, ArrayAxis::Lateral)->size < 0)
        return "Say how many lines fan out, and leave another axis open.";
    if (angles.empty())
        return "Say at which angles the lines fan out: the first and the last, or all of them.";
    if (!areEnds(import, lines) && std::ssize(angles) != lines)
        return fmt::format("There are {} for {}: give the first and the last, or one each.",
                           counted(std::ssize(angles), "angle"), counted(lines, "line"));
    if (std::ranges::adjacent_find(angles, std::greater_equal<>{}) != angles.end())
        return "The angles must rise from line to line.";
    if (angles.front() < -std::numbers::pi || angles.back() > std::numbers::pi)
        return "The angles must lie between -180 and 180 degrees.";
    return {};
}

/// Stated facts that contradict each other or the sizes; empty where none do.
std::string contradiction(const ImageImport& import, const ArrayExtents& extents) {
    if (extents.pairs && import.form != RecordedForm::Beamformed)
        return "I and Q are a signal: amplitudes, levels and pictures have no such pairs.";
    if (fansOut(import))
        if (std::string wrong = wrongAngles(import, extents.samples); !wrong.empty()) return wrong;
    if (import.form == RecordedForm::Decibels && !import.shownRangeDb.empty() &&
        (import.shownRangeDb.size() != 2 || !(import.shownRangeDb[0] < import.shownRangeDb[1])))
        return "The shown range is two levels in dB, the lower one first, such as -60, 0.";
    if (import.samplingFrequencyHz > 0.0 && !(import.soundSpeedMps > 0.0))
        return "The speed of sound makes depths of times: give it.";
    if (import.codeScale == 0.0) return "A code of value 0 makes all pixels the same.";
    return {};
}

/// The facts that would give the scale, where it is unknown.
std::vector<std::string> unknownSteps(const ImageImport& import, const ArrayExtents& extents) {
    std::vector<std::string> unknown;
    if (!(import.depthStepM > 0.0 || import.samplingFrequencyHz > 0.0))
        unknown.emplace_back("the depth step");
    if (!fansOut(import) && !(import.lateralStepM > 0.0)) unknown.emplace_back("the line step");
    if (extents.transmits > 1 && !(import.elevationStepM > 0.0))
        unknown.emplace_back("the plane step");
    return unknown;
}

} // namespace

const ImportRoles& imageRoles() {
    using enum ArrayAxis;
    static const ImportRoles kRoles{{Frame, Elevation, Depth, Lateral, Iq}, {Depth, Lateral}};
    return kRoles;
}

ImageFit checkImageImport(const ImageImport& import, std::uint64_t fileBytes) {
    ImageFit fit;
    fit.sentence = wrongAxes(import, imageRoles());
    if (!fit.sentence.empty()) return fit;
    const OpenExtent sized = openExtent(import, fileBytes);
    fit.sentence = sized.problem;
    if (!fit.sentence.empty()) return fit;
    fit.extents = extentsWith(import, sized.open);
    fit.sentence = contradiction(import, fit.extents);
    if (!fit.sentence.empty()) return fit;
    fit.fits = true;
    const ArrayExtents& extents = fit.extents;
    fit.sentence =
        fmt::format("It fits: {} of {}{}, {}{}.", counted(extents.frames, "frame"),
                    extents.transmits > 1 ? counted(extents.transmits, "plane") + ", " : "",
                    counted(extents.channels, "depth"), counted(extents.samples, "line"),
                    extents.pairs ? " in I/Q pairs" : "");
    if (const auto unknown = unknownSteps(import, extents); !unknown.empty())
        fit.sentence += fmt::format(" For places in mm, give {}.", fmt::join(unknown, " and "));
    return fit;
}

ImageImport firstFrame(const ImageImport& import, std::uint64_t fileBytes) {
    ImageImport part = import;
    if (const std::string wrong = wrongAxes(part, imageRoles()); !wrong.empty()) throw Error(wrong);
    if (part.headerless() && !cutToFrame(part, imageRoles(), fileBytes))
        throw Error("The file is too small for one image of this size behind this header; choose "
                    "a smaller one.");
    const ArrayExtents whole = extentsWith(import, 1);
    const ArrayExtents extents = extentsWith(part, 1);
    if (extents.samples < whole.samples && !areEnds(part, whole.samples) && fansOut(part))
        part.anglesRad.resize(
            std::min(part.anglesRad.size(), static_cast<std::size_t>(extents.samples)));
    if (const std::string wrong = contradiction(part, extents); !wrong.empty()) throw Error(wrong);
    return part;
}

} // namespace echolux
