// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a description of channel data with the file.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr std::int64_t kMostExtent = std::int64_t{1} << 32;

/// What is wrong with the axes, whatever the size of the file; empty where nothing is wrong.
std::string wrongChannelAxes(const ChannelImport& import) {
    if (std::string wrong = wrongAxes(import, channelRoles()); !wrong.empty()) return wrong;
    if (axisOf(import, ArrayAxis::Sample)->size == 1)
        return "A line of one sample is no line: correct the axis sample.";
    return {};
}

ArrayExtents extentsWith(const ChannelImport& import, std::int64_t open) {
    return {.frames = sizeOf(import, ArrayAxis::Frame, open),
            .transmits = sizeOf(import, ArrayAxis::Transmit, open),
            .channels = sizeOf(import, ArrayAxis::Channel, open),
            .samples = sizeOf(import, ArrayAxis::Sample, open),
            .pairs = import.pairs()};
}

/// Stated facts that contradict each other or the sizes; empty where none do.
std::string contradiction(const ChannelImport& import, const ArrayExtents& extents) {
    const auto transmits = static_cast<std::size_t>(extents.transmits);
    using Array = ChannelImport::Array;
    const bool angled = import.isSteered() && !import.anglesRad.empty();
    if (angled && import.anglesRad.size() != transmits)
        return fmt::format("There are {} for {}: give one angle each.",
                           counted(std::ssize(import.anglesRad), "angle"),
                           counted(extents.transmits, "transmit"));
    if (import.firstSampleS.size() != 1 && import.firstSampleS.size() != transmits)
        return fmt::format("There are {} for {}: give one time, or one each.",
                           counted(std::ssize(import.firstSampleS), "first-sample time"),
                           counted(extents.transmits, "transmit"));
    const bool matrix = import.array == Array::Matrix && import.columns > 0 && import.rows > 0;
    if (matrix && import.columns > kMostExtent / import.rows)
        return fmt::format("{} columns and {} rows are more elements than any array has.",
                           import.columns, import.rows);
    if (matrix && import.columns * import.rows < extents.channels)
        return fmt::format("{} columns and {} rows are {} elements, fewer than the {} channels.",
                           import.columns, import.rows, import.columns * import.rows,
                           extents.channels);
    if (import.array == Array::Convex && import.radiusM > 0.0 &&
        2.0 * import.radiusM <= import.pitchM)
        return "The radius must be greater than half the pitch.";
    if (import.wave == Wave::Element && extents.transmits > extents.channels)
        return fmt::format("{} cannot fire one of {} each.", counted(extents.transmits, "transmit"),
                           counted(extents.channels, "element"));
    if (!import.pairs() && import.samplingFrequencyHz > 0.0 &&
        import.centreFrequencyHz * 2.0 > import.samplingFrequencyHz)
        return fmt::format("A centre frequency of {:g} MHz is more than half the sampling "
                           "frequency of {:g} MHz.",
                           import.centreFrequencyHz * 1e-6, import.samplingFrequencyHz * 1e-6);
    return {};
}

bool isCentreEstimated(const ChannelImport& import) {
    return import.centreEstimated && import.centreFrequencyHz > 0.0;
}

/// Fills in usual values for missing ones. They are good enough to show the samples of a line.
/// Positions in an image that follow from them are meaningless.
void standIn(ChannelImport& import, const ArrayExtents& extents) {
    const auto usual = [](double& value, double otherwise) {
        if (!(value > 0.0)) value = otherwise;
    };
    usual(import.samplingFrequencyHz, 20e6);
    if (import.pairs()) usual(import.demodulationFrequencyHz, 0.25 * import.samplingFrequencyHz);
    usual(import.soundSpeedMps, 1540.0);
    usual(import.pitchM, 0.3e-3);
    usual(import.radiusM, 60e-3);
    usual(import.focusM, 30e-3);
    if (import.columns < 1 || import.rows < 1) {
        import.columns = extents.channels;
        import.rows = 1;
    }
    if (import.anglesRad.empty() && import.isSteered())
        import.anglesRad.assign(static_cast<std::size_t>(extents.transmits), 0.0);
}

} // namespace

const ImportRoles& channelRoles() {
    using enum ArrayAxis;
    static const ImportRoles kRoles{{Frame, Transmit, Channel, Sample, Iq}, {Sample, Channel}};
    return kRoles;
}

std::vector<std::string> missingFacts(const ChannelImport& import, const ArrayExtents& extents) {
    using Array = ChannelImport::Array;
    std::vector<std::string> missing;
    const auto need = [&](bool there, const char* what) {
        if (!there) missing.emplace_back(what);
    };
    need(import.samplingFrequencyHz > 0.0, "the sampling frequency");
    need(!import.pairs() || import.demodulationFrequencyHz > 0.0, "the demodulation frequency");
    need(import.soundSpeedMps > 0.0, "the speed of sound");
    need(import.pitchM > 0.0, "the pitch");
    need(import.array != Array::Convex || import.radiusM > 0.0, "the radius of the array");
    need(import.array != Array::Matrix || (import.columns > 0 && import.rows > 0),
         "the columns and rows of the array");
    const bool beams = import.wave == Wave::Focused || import.wave == Wave::Diverging;
    need(!beams || import.focusM > 0.0, import.wave == Wave::Focused
                                            ? "the distance of the focus"
                                            : "the distance of the virtual source");
    need(!import.isSteered() || extents.transmits == 1 || !import.anglesRad.empty(),
         "the angles of the transmits");
    return missing;
}

ChannelFit checkChannelImport(const ChannelImport& import, std::uint64_t fileBytes) {
    ChannelFit fit;
    fit.sentence = wrongChannelAxes(import);
    if (!fit.sentence.empty()) return fit;
    const OpenExtent sized = openExtent(import, fileBytes);
    if (!sized.problem.empty()) {
        fit.sentence = sized.problem;
        return fit;
    }
    fit.stored = true;
    fit.extents = extentsWith(import, sized.open);
    fit.sentence = contradiction(import, fit.extents);
    if (!fit.sentence.empty()) return fit;
    const std::string sizes = fmt::format(
        "{} of {}, {}, {}{}", counted(fit.extents.frames, "frame"),
        counted(fit.extents.transmits, "transmit"), counted(fit.extents.channels, "channel"),
        counted(fit.extents.samples, "sample"), fit.extents.pairs ? " in I/Q pairs" : "");
    const auto missing = missingFacts(import, fit.extents);
    fit.fits = missing.empty();
    fit.sentence = fit.fits ? fmt::format("It fits: {}.", sizes)
                            : fmt::format("The sizes fit: {}. Still missing: {}.", sizes,
                                          fmt::join(missing, ", "));
    if (isCentreEstimated(import))
        fit.sentence += fmt::format(" The centre frequency of {:.6g} MHz is estimated from the "
                                    "samples.",
                                    import.centreFrequencyHz * 1e-6);
    return fit;
}

ChannelImport firstFrame(const ChannelImport& import, std::uint64_t fileBytes) {
    ChannelImport part = import;
    if (const std::string wrong = wrongChannelAxes(part); !wrong.empty()) throw Error(wrong);
    if (part.headerless() && !cutToFrame(part, channelRoles(), fileBytes))
        throw Error("The file is too small for one line of these samples behind this header; "
                    "choose smaller ones.");
    const ArrayExtents extents = extentsWith(part, 1);
    const auto transmits = static_cast<std::size_t>(extents.transmits);
    const auto cut = [&](std::vector<double>& values) {
        if (values.size() > transmits) values.resize(transmits);
    };
    cut(part.anglesRad);
    cut(part.firstSampleS);
    if (const std::string wrong = contradiction(part, extents); !wrong.empty()) throw Error(wrong);
    standIn(part, extents);
    return part;
}

} // namespace echolux
