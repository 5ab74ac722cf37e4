// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what describes channel data and spectra.
#include "app/commands/sidecar_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr const char* kNoNumber = "is no such number";

template <class Import> using Fact = ImportFact<Import>;

template <class Import> bool always(const Import&) { return true; }

/// 0 is unknown where it has no meaning of its own.
template <class Import> Fact<Import> number(const char* key, const char* question,
                                            double Import::*field, double unit,
                                            std::function<bool(const Import&)> applies,
                                            bool required = false, bool zeroIsKnown = false) {
    return {key,
            question,
            [field, unit, zeroIsKnown](const Import& import) {
                const double value = import.*field;
                return value == 0.0 && !zeroIsKnown ? "" : numbersText({value}, unit);
            },
            [field, unit](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text, unit);
                if (!values || values->size() != 1) return kNoNumber;
                import.*field = values->front();
                return {};
            },
            std::move(applies),
            required};
}

template <class Import, class Whole>
Fact<Import> count(const char* key, const char* question, Whole Import::*field,
                   std::function<bool(const Import&)> applies, bool required = false) {
    return {key,
            question,
            [field, required](const Import& import) {
                const auto value = import.*field;
                return value == 0 && required ? "" : fmt::format("{}", value);
            },
            [field](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text);
                if (!values || values->size() != 1 || values->front() != std::floor((*values)[0]) ||
                    !((*values)[0] >= 0.0 && (*values)[0] < 9e15))
                    return "is no whole number of 0 or more";
                import.*field = static_cast<Whole>(values->front());
                return {};
            },
            std::move(applies),
            required};
}

template <class Import>
Fact<Import> numbers(const char* key, const char* question, std::vector<double> Import::*field,
                     double unit, std::function<bool(const Import&)> applies, bool required) {
    return {key,
            question,
            [field, unit](const Import& import) { return numbersText(import.*field, unit); },
            [field, unit](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text, unit);
                if (!values) return "is neither a list such as -10,0,10 nor first:last:step";
                import.*field = *values;
                return {};
            },
            std::move(applies),
            required};
}

template <class Import, class Value>
Fact<Import> choice(const char* key, const char* question, Value Import::*field,
                    std::vector<std::pair<std::string, Value>> choices,
                    std::function<bool(const Import&)> applies) {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.push_back(word);
    return {key, fmt::format("{}: {}", question, fmt::join(words, ", ")),
            [field, choices](const Import& import) {
                const auto at = std::ranges::find(choices, import.*field,
                                                  &std::pair<std::string, Value>::second);
                return at == choices.end() ? std::string() : at->first;
            },
            [field, choices, words](Import& import, const std::string& text) -> std::string {
                const auto at =
                    std::ranges::find(choices, text, &std::pair<std::string, Value>::first);
                if (at == choices.end())
                    return fmt::format("is none of {}", fmt::join(words, ", "));
                import.*field = at->second;
                return {};
            },
            std::move(applies)};
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    for (const char each : text + ',') {
        if (each == ',') {
            words.push_back(std::exchange(word, {}));
        } else if (each != ' ' && each != '[' && each != ']' && each != '"') {
            word += each;
        }
    }
    return words;
}

std::string takeAxes(ChannelImport& import, const std::string& text) {
    const std::vector<std::string> words = wordsOf(text);
    if (!import.headerless() && words.size() != import.axes.size())
        return fmt::format("names {} axes, but the array has {}", words.size(), import.axes.size());
    std::vector<ImportAxis> axes;
    for (const std::string& word : words) {
        const auto role = parseImportAxis(word);
        if (!role)
            return fmt::format("holds '{}': choose among frame, transmit, channel, sample, iq and "
                               "none",
                               word);
        axes.push_back({*role, 1});
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes.size() == import.axes.size()) {
            axes[i].size = import.axes[i].size;
            continue;
        }
        const auto before = std::ranges::find(import.axes, axes[i].role, &ImportAxis::role);
        if (before != import.axes.end()) axes[i].size = before->size;
        if (axes[i].role == ArrayAxis::Iq) axes[i].size = 2;
    }
    import.axes = std::move(axes);
    return {};
}

std::string takeShape(ChannelImport& import, const std::string& text) {
    std::string plain = text;
    std::erase_if(plain, [](char each) { return each == '[' || each == ']'; });
    const auto sizes = parseNumbers(plain);
    if (!sizes || sizes->size() > 6) return "is no list of sizes such as -1,11,128,2048";
    for (const double size : *sizes)
        if (size != std::floor(size) || !(size >= -1.0 && size < 9e15) || size == 0.0)
            return "holds sizes other than whole numbers from 1 on, or -1 once";
    if (sizes->size() != import.axes.size()) {
        const std::vector<ArrayAxis> usual{ArrayAxis::Frame, ArrayAxis::Transmit,
                                           ArrayAxis::Channel, ArrayAxis::Sample, ArrayAxis::Iq};
        const bool pairs = sizes->size() == 5;
        if (sizes->size() < 2 || sizes->size() > 5)
            return "has another number of axes: name them with --axes";
        import.axes.clear();
        const std::size_t end = pairs ? 5 : 4;
        for (std::size_t i = end - sizes->size(); i < end; ++i)
            import.axes.push_back({usual[i], 1});
    }
    for (std::size_t i = 0; i < sizes->size(); ++i)
        import.axes[i].size = static_cast<std::int64_t>((*sizes)[i]);
    return {};
}

std::string textOfAxes(const ChannelImport& import) {
    std::vector<std::string_view> names;
    for (const ImportAxis& axis : import.axes) names.push_back(nameOf(axis));
    return fmt::format("{}", fmt::join(names, ","));
}

std::string textOfShape(const ChannelImport& import) {
    std::vector<std::int64_t> sizes;
    for (const ImportAxis& axis : import.axes) sizes.push_back(axis.size);
    return fmt::format("{}", fmt::join(sizes, ","));
}

std::string takeAngles(ChannelImport& import, const std::string& text) {
    const auto angles = parseNumbers(text, kDegree);
    if (!angles) return "is neither a list such as -10,0,10 nor first:last:step";
    import.anglesRad = *angles;
    return {};
}

std::string takeType(ChannelImport& import, const std::string& text) {
    const auto type = parseElementType(text);
    if (!type) return "is no type that NumPy knows, such as <i2, >i2, float32 or complex64";
    import.type = type;
    import.complexElements = type->components == 2;
    return {};
}

} // namespace

const std::vector<ImportFact<ChannelImport>>& channelFacts() {
    using Import = ChannelImport;
    using Array = Import::Array;
    const auto headerless = [](const Import& import) { return import.headerless(); };
    const auto transmits = [](const Import& import) {
        const auto at =
            std::ranges::find(import.axes, std::optional(ArrayAxis::Transmit), &ImportAxis::role);
        return at == import.axes.end() ? 1 : at->size;
    };
    const auto angled = [](const Import& import) { return import.wave != Wave::Element; };
    static const std::vector<Fact<Import>> kFacts{
        {"dtype", "Type of one value, as NumPy writes it: <i2, >i2, <f4, |u1, ...",
         [](const Import& import) { return import.type ? nameOf(*import.type) : ""; }, takeType,
         headerless, true},
        count<Import>("offset", "Bytes before the samples", &Import::headerBytes, headerless),
        count<Import>("trailer", "Bytes after the samples", &Import::trailerBytes, headerless),
        {"axes",
         "Axes, from the slowest to the fastest: frame, transmit, channel, sample, iq, none",
         textOfAxes, takeAxes, always<Import>, true},
        {"shape", "Sizes of these axes; -1: as many as the file holds", textOfShape, takeShape,
         headerless, true},
        number<Import>("code-offset", "Code of silence", &Import::codeOffset, 1.0, always<Import>,
                       false, true),
        number<Import>("fs", "Sampling frequency, MHz", &Import::samplingFrequencyHz, 1e6,
                       always<Import>, true),
        choice<Import, bool>("iq", "Pairs are", &Import::conjugate,
                             {{"iq", false}, {"conjugate", true}},
                             [](const Import& import) { return import.pairs(); }),
        number<Import>(
            "fd", "Demodulation frequency, MHz", &Import::demodulationFrequencyHz, 1e6,
            [](const Import& import) { return import.pairs(); }, true),
        number<Import>("fc", "Centre frequency, MHz", &Import::centreFrequencyHz, 1e6,
                       always<Import>),
        numbers<Import>("t0", "Time of the first sample, us, one or one per transmit",
                        &Import::firstSampleS, 1e-6, always<Import>, true),
        choice<Import, bool>("clock", "When t is 0", &Import::firstElementFires,
                             {{"wave_at_origin", false}, {"first_element_fires", true}},
                             always<Import>),
        number<Import>("frame-rate", "Frames per second", &Import::frameRateHz, 1.0,
                       always<Import>),
        number<Import>("speed-of-sound", "Speed of sound, m/s", &Import::soundSpeedMps, 1.0,
                       always<Import>, true),
        choice<Import, Array>(
            "probe", "Array", &Import::array,
            {{"linear", Array::Linear}, {"convex", Array::Convex}, {"matrix", Array::Matrix}},
            always<Import>),
        number<Import>("pitch", "Distance of neighbouring elements, mm", &Import::pitchM, 1e-3,
                       always<Import>, true),
        number<Import>(
            "radius", "Radius of the curved array, mm", &Import::radiusM, 1e-3,
            [](const Import& import) { return import.array == Array::Convex; }, true),
        count<Import>(
            "columns", "Columns of the matrix, along x", &Import::columns,
            [](const Import& import) { return import.array == Array::Matrix; }, true),
        count<Import>(
            "rows", "Rows of the matrix", &Import::rows,
            [](const Import& import) { return import.array == Array::Matrix; }, true),
        choice<Import, Wave>("wave", "Waves", &Import::wave,
                             {{"plane", Wave::Plane},
                              {"focused", Wave::Focused},
                              {"diverging", Wave::Diverging},
                              {"element", Wave::Element}},
                             always<Import>),
        number<Import>(
            "focus", "Distance of the focus or virtual source, mm", &Import::focusM, 1e-3,
            [](const Import& import) {
                return import.wave == Wave::Focused || import.wave == Wave::Diverging;
            },
            true),
        {"angles", "Angles of the transmits, deg: first:last:step or a list with commas",
         [transmits](const Import& import) {
             const bool one = import.anglesRad.empty() && transmits(import) == 1;
             return one ? std::string("0") : numbersText(import.anglesRad, kDegree);
         },
         takeAngles, angled, true},
    };
    return kFacts;
}

const std::vector<ImportFact<RawImport>>& spectraFacts() {
    using Import = RawImport;
    const auto headerless = [](const Import& import) { return !import.inArray; };
    static const std::vector<Fact<Import>> kFacts{
        {"dtype", "Type of one value, as NumPy writes it, or packed12",
         [](const Import& import) {
             return import.type.element ? nameOf(*import.type.element) : std::string("packed12");
         },
         [](Import& import, const std::string& text) -> std::string {
             const auto type = parseSpectrumType(text);
             if (!type) return "is no type of spectra, such as <u2, |u1, <f4 or packed12";
             import.type = *type;
             return {};
         },
         headerless, true},
        count<Import>("offset", "Bytes before the spectra", &Import::headerBytes, headerless),
        count<Import>("trailer", "Bytes after the spectra", &Import::trailerBytes, headerless),
        count<Import>("samples", "Samples per line", &Import::samplesPerLine, headerless),
        count<Import>("lines", "Lines per B-scan", &Import::linesPerBscan, headerless),
        count<Import>("bscans-per-volume", "B-scans per volume", &Import::bscansPerVolume,
                      always<Import>),
        count<Import>("background-lines", "Lines of background before the first B-scan",
                      &Import::backgroundLines, headerless),
        count<Import>("shift", "Low bits that hold no signal", &Import::shift, always<Import>),
        number<Import>("centre-wavelength", "Centre wavelength, nm", &Import::centreWavelengthM,
                       1e-9, always<Import>),
        number<Import>("bandwidth", "Bandwidth from the first to the last sample, nm",
                       &Import::bandwidthM, 1e-9, always<Import>),
        number<Import>("line-spacing", "Distance of lines, um", &Import::lineSpacingM, 1e-6,
                       always<Import>),
    };
    return kFacts;
}

} // namespace echolux
