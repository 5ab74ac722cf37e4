// SPDX-License-Identifier: GPL-3.0-or-later
// A description of channel data against the file, and as the text of a sidecar.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::int64_t kMostExtent = std::int64_t{1} << 32;
constexpr std::uint64_t kMostAround = std::uint64_t{1} << 60;

const ImportAxis* axisOf(const ChannelImport& import, ArrayAxis role) {
    const auto at = std::ranges::find(import.axes, std::optional(role), &ImportAxis::role);
    return at == import.axes.end() ? nullptr : &*at;
}

/// What is wrong with the axes, whatever the file; empty where nothing is.
std::string wrongAxes(const ChannelImport& import) {
    for (const ImportAxis& axis : import.axes) {
        const auto name = nameOf(axis);
        if (axis.size < 1 && !(axis.size == -1 && import.headerless()))
            return fmt::format("The axis {} has 1 or more entries, not {}.", name, axis.size);
        if (axis.size > kMostExtent)
            return fmt::format("The axis {} has more entries than any file.", name);
        if (axis.role && std::ranges::count(import.axes, axis.role, &ImportAxis::role) > 1)
            return fmt::format("There are two axes {}: give each its own meaning.", name);
        if (!axis.role && axis.size != 1)
            return fmt::format("An axis of {} entries must be one of frame, transmit, channel, "
                               "sample and iq.",
                               axis.size);
        if (axis.role == ArrayAxis::Iq && axis.size != 2)
            return fmt::format("The axis iq has 2 entries, not {}.", axis.size);
    }
    if (std::ranges::count(import.axes, -1, &ImportAxis::size) > 1)
        return "Only one axis can have as many entries as the file holds.";
    for (const ArrayAxis role : {ArrayAxis::Sample, ArrayAxis::Channel})
        if (axisOf(import, role) == nullptr)
            return fmt::format("Say which axis counts the {}s.", nameOf(role));
    if (const ImportAxis* samples = axisOf(import, ArrayAxis::Sample); samples->size == 1)
        return "A line of one sample is no line: correct the axis sample.";
    if (import.complexElements && axisOf(import, ArrayAxis::Iq) != nullptr)
        return "The elements are complex, so that no axis is iq.";
    return {};
}

/// Bytes of all axes but the open one; 0 where they are more than any file has.
std::uint64_t knownBytes(const ChannelImport& import) {
    std::uint64_t bytes = import.type->size();
    for (const ImportAxis& axis : import.axes) {
        if (axis.size < 0) continue;
        if (bytes > kMostAround / static_cast<std::uint64_t>(axis.size)) return 0;
        bytes *= static_cast<std::uint64_t>(axis.size);
    }
    return bytes;
}

/// The open extent, or 1 where none is open; with the sentence that says why it is none.
struct Sized {
    std::int64_t open = 1;
    std::string problem;
};
Sized sizedBy(const ChannelImport& import, std::uint64_t fileBytes) {
    const std::uint64_t known = knownBytes(import);
    if (known == 0 || import.headerBytes > kMostAround || import.trailerBytes > kMostAround)
        return {1, "These sizes are larger than any file."};
    const std::uint64_t around = import.headerBytes + import.trailerBytes;
    if (around >= fileBytes)
        return {1, fmt::format("Header and trailer take {} bytes, and the file has only {}.",
                               around, fileBytes)};
    const std::uint64_t room = fileBytes - around;
    const auto open = std::ranges::find(import.axes, -1, &ImportAxis::size);
    if (open == import.axes.end()) {
        if (known == room) return {};
        return {1, fmt::format("It does not fit: these sizes take {} bytes, {} {} than the {} that "
                               "the file has.",
                               known, known > room ? known - room : room - known,
                               known > room ? "more" : "less", room)};
    }
    const std::uint64_t whole = room / known;
    const std::uint64_t rest = room % known;
    const std::string thing(nameOf(*open));
    if (whole == 0)
        return {1, fmt::format("One {} takes {} bytes, {} more than the file has.", thing, known,
                               known - room)};
    if (rest != 0)
        return {1,
                fmt::format("It does not fit: the file holds {} and {} bytes, {} too few for "
                            "one more.",
                            counted(static_cast<std::int64_t>(whole), thing), rest, known - rest)};
    return {static_cast<std::int64_t>(whole), {}};
}

ArrayExtents extentsWith(const ChannelImport& import, std::int64_t open) {
    const auto sizeOf = [&](ArrayAxis role) {
        const ImportAxis* axis = axisOf(import, role);
        return axis == nullptr ? 1 : axis->size < 0 ? open : axis->size;
    };
    return {.frames = sizeOf(ArrayAxis::Frame),
            .transmits = sizeOf(ArrayAxis::Transmit),
            .channels = sizeOf(ArrayAxis::Channel),
            .samples = sizeOf(ArrayAxis::Sample),
            .pairs = import.pairs()};
}

/// Facts that are said, but contradict each other or the sizes; empty where none do.
std::string contradiction(const ChannelImport& import, const ArrayExtents& extents) {
    const auto transmits = static_cast<std::size_t>(extents.transmits);
    using Array = ChannelImport::Array;
    const bool angled = import.wave != Wave::Element && !import.anglesRad.empty();
    if (angled && import.anglesRad.size() != transmits)
        return fmt::format("There are {} for {}: give one angle each.",
                           counted(std::ssize(import.anglesRad), "angle"),
                           counted(extents.transmits, "transmit"));
    if (import.firstSampleS.size() != 1 && import.firstSampleS.size() != transmits)
        return fmt::format("There are {} for {}: give one time, or one each.",
                           counted(std::ssize(import.firstSampleS), "first-sample time"),
                           counted(extents.transmits, "transmit"));
    if (import.array == Array::Matrix && import.columns > 0 && import.rows > 0 &&
        (import.columns > kMostExtent / import.rows ||
         import.columns * import.rows < extents.channels))
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

/// Usual values of what is missing: good for looking at lines, not for places.
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
    if (import.anglesRad.empty() && import.wave != Wave::Element)
        import.anglesRad.assign(static_cast<std::size_t>(extents.transmits), 0.0);
}

} // namespace

bool ChannelImport::pairs() const {
    return complexElements || axisOf(*this, ArrayAxis::Iq) != nullptr;
}

std::string_view nameOf(const ImportAxis& axis) {
    return axis.role ? nameOf(*axis.role) : std::string_view("none");
}

std::optional<std::optional<ArrayAxis>> parseImportAxis(std::string_view word) {
    if (word == "none") return std::optional<ArrayAxis>();
    for (const ArrayAxis role : {ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel,
                                 ArrayAxis::Sample, ArrayAxis::Iq})
        if (word == nameOf(role)) return role;
    return std::nullopt;
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
    need(import.wave == Wave::Element || extents.transmits == 1 || !import.anglesRad.empty(),
         "the angles of the transmits");
    return missing;
}

ChannelFit checkChannelImport(const ChannelImport& import, std::uint64_t fileBytes) {
    ChannelFit fit;
    fit.sentence = wrongAxes(import);
    if (!fit.sentence.empty()) return fit;
    const Sized sized = import.headerless() ? sizedBy(import, fileBytes) : Sized{};
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
    return fit;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') result += '\\';
        if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(each));
        else
            result += each;
    }
    return result + '"';
}

std::string toSidecar(const ChannelImport& import) {
    using Array = ChannelImport::Array;
    const auto numbers = [](const std::vector<double>& values, double unit = 1.0) {
        std::vector<std::string> words;
        for (const double value : values) words.push_back(fmt::format("{:.12g}", value / unit));
        return words.size() == 1 ? words.front() : fmt::format("[{}]", fmt::join(words, ", "));
    };
    std::vector<std::string> names;
    std::vector<std::int64_t> shape;
    for (const ImportAxis& axis : import.axes) {
        names.push_back(fmt::format("\"{}\"", nameOf(axis)));
        shape.push_back(axis.size);
    }
    std::string text = fmt::format("sound_speed = {:.12g}\n[data]\n", import.soundSpeedMps);
    if (!import.name.empty()) {
        text += fmt::format("array = {}\n", quoted(import.name));
    }
    if (import.headerless())
        text += fmt::format("dtype = \"{}\"\noffset = {}\ntrailer = {}\nshape = [{}]\n",
                            nameOf(*import.type), import.headerBytes, import.trailerBytes,
                            fmt::join(shape, ", "));
    text += fmt::format("axes = [{}]\n", fmt::join(names, ", "));
    const auto add = [&](const char* key, double value, double none = 0.0) {
        if (value != none) text += fmt::format("{} = {:.12g}\n", key, value);
    };
    add("code_offset", import.codeOffset);
    if (import.conjugate && import.pairs()) text += "conjugate = true\n";
    text += "[probe]\n";
    add("pitch", import.pitchM);
    if (import.array == Array::Convex) add("radius", import.radiusM);
    if (import.array == Array::Matrix) {
        text += fmt::format("columns = {}\nrows = {}\n", import.columns, import.rows);
        add("pitch_y", import.pitchYM);
    }
    text += "[signal]\n";
    add("sampling_frequency", import.samplingFrequencyHz);
    add("centre_frequency", import.centreFrequencyHz);
    if (import.pairs()) add("demodulation_frequency", import.demodulationFrequencyHz);
    text += fmt::format("first_sample = {}\n", numbers(import.firstSampleS));
    if (import.firstElementFires) text += "clock = \"first_element_fires\"\n";
    add("frame_rate", import.frameRateHz);
    const char* wave = import.wave == Wave::Focused     ? "focused"
                       : import.wave == Wave::Diverging ? "diverging"
                       : import.wave == Wave::Element   ? "element"
                                                        : "plane";
    text += fmt::format("[transmit]\nwave = \"{}\"\n", wave);
    if (import.wave != Wave::Element && !import.anglesRad.empty())
        text += fmt::format("angles_deg = {}\n", numbers(import.anglesRad, kDegree));
    if (import.wave == Wave::Focused || import.wave == Wave::Diverging) add("focus", import.focusM);
    return text;
}

ChannelImport firstFrame(const ChannelImport& import, std::uint64_t fileBytes) {
    ChannelImport part = import;
    if (const std::string wrong = wrongAxes(part); !wrong.empty()) throw Error(wrong);
    if (part.headerless()) {
        // The slowest axes give way first, until the rest is in the file.
        for (ImportAxis& axis : part.axes)
            if (axis.role == ArrayAxis::Frame || axis.size < 0) axis.size = 1;
        const std::uint64_t room = fileBytes - std::min(fileBytes, part.headerBytes);
        for (ImportAxis& axis : part.axes) {
            const std::uint64_t bytes = knownBytes(part);
            if (bytes != 0 && bytes <= room) break;
            if (axis.role == ArrayAxis::Iq) continue;
            const auto each = static_cast<std::int64_t>(
                bytes / static_cast<std::uint64_t>(std::max<std::int64_t>(axis.size, 1)));
            axis.size = each == 0 ? 1
                                  : std::clamp<std::int64_t>(static_cast<std::int64_t>(room) / each,
                                                             1, axis.size);
        }
        const std::uint64_t bytes = knownBytes(part);
        const ImportAxis* samples = axisOf(part, ArrayAxis::Sample);
        if (bytes == 0 || bytes > room || samples->size < 2)
            throw Error("The file is too small for one line of these samples behind this header; "
                        "choose smaller ones.");
        part.trailerBytes = room - bytes;
    }
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

std::optional<std::vector<double>> parseNumbers(std::string_view text, double unit) {
    constexpr std::size_t kMost = 4096;
    const bool range = text.find(':') != std::string_view::npos;
    std::vector<double> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto skip = [&] {
        while (at != end && (*at == ' ' || *at == '\t')) ++at;
    };
    while (true) {
        skip();
        if (at != end && *at == '+') ++at;
        double value = 0.0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value) || values.size() == kMost)
            return std::nullopt;
        values.push_back(value);
        at = next;
        skip();
        if (at == end) break;
        if (*at != (range ? ':' : ',')) return std::nullopt;
        ++at;
    }
    if (range) {
        if (values.size() != 3) return std::nullopt;
        const double first = values[0];
        const double step = values[2];
        const double steps = std::floor((values[1] - first) / step + 1e-6);
        if (!(step != 0.0 && steps >= 0.0 && steps < static_cast<double>(kMost)))
            return std::nullopt;
        values.clear();
        for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(first + i * step);
    }
    for (double& value : values) value *= unit;
    return values;
}

std::string numbersText(const std::vector<double>& values, double unit) {
    const auto shown = [unit](double value) {
        const double rounded = std::abs(value / unit) < 1e-12 ? 0.0 : value / unit;
        return fmt::format("{:.9g}", rounded);
    };
    if (values.size() > 2) {
        const double step =
            (values.back() - values.front()) / static_cast<double>(values.size() - 1);
        bool even = step != 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            even = even && std::abs(values[i] - values.front() - static_cast<double>(i) * step) <=
                               1e-9 * std::abs(step);
        const std::string text =
            fmt::format("{}:{}:{}", shown(values.front()), shown(values.back()), shown(step));
        const auto back = even ? parseNumbers(text, unit) : std::nullopt;
        if (back && back->size() == values.size()) return text;
    }
    std::vector<std::string> words;
    for (const double value : values) words.push_back(shown(value));
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace echolux
