// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the facts that describe images.
#include "app/commands/sidecar_fact_kinds.hpp"

namespace echolux {

namespace {

using Import = ImageImport;
using ImageFact = ImportFact<Import>;
using Lines = ImageImport::Lines;

/// Without a value the middle is at 0.
ImageFact middle(const char* key, const char* question, std::optional<double> Import::*field,
                 std::function<bool(const Import&)> applies) {
    return {key, question,
            [field](const Import& import) {
                return import.*field ? numbersText({*(import.*field)}, 1e-3) : "";
            },
            [field](Import& import, const std::string& text) -> std::string {
                const auto values = parseNumbers(text, 1e-3);
                if (!values || values->size() != 1) return kNoNumber;
                import.*field = values->front();
                return {};
            },
            std::move(applies)};
}

std::string takeApex(Import& import, const std::string& text) {
    const auto apex = parseNumbers(text, 1e-3);
    if (!apex || apex->size() != 2) return "is no pair x,z";
    import.apexXM = (*apex)[0];
    import.apexZM = (*apex)[1];
    return {};
}

/// An empty list means unknown.
ImageFact list(const char* key, const char* question, std::vector<double> Import::*field,
               double unit, std::function<bool(const Import&)> applies, bool required) {
    ImageFact fact = numbers<Import>(key, question, field, unit, std::move(applies), required);
    fact.text = [field, unit](const Import& import) {
        return (import.*field).empty() ? "" : numbersText(import.*field, unit);
    };
    return fact;
}

} // namespace

const std::vector<ImportFact<ImageImport>>& imageFacts() {
    const auto headerless = [](const Import& import) { return import.headerless(); };
    const auto pairs = [](const Import& import) { return import.pairs(); };
    const auto sideBySide = [](const Import& import) { return import.lines == Lines::SideBySide; };
    const auto fan = [](const Import& import) { return import.lines == Lines::FanOut; };
    const auto planes = [](const Import& import) {
        return axisOf(import, ArrayAxis::Elevation) != nullptr;
    };
    const auto timed = [](const Import& import) { return import.samplingFrequencyHz > 0.0; };
    static const std::vector<ImageFact> kFacts{
        {"dtype", "Type of one value, as NumPy writes it: |u1, <i2, <f4, ...",
         [](const Import& import) { return import.type ? nameOf(*import.type) : ""; }, takeType,
         headerless, true},
        count<Import, std::uint64_t>("offset", "Bytes before the images", &Import::headerBytes,
                                     headerless),
        count<Import, std::uint64_t>("trailer", "Bytes after the images", &Import::trailerBytes,
                                     headerless),
        {"axes",
         "Axes, from the slowest to the fastest: frame, elevation, depth, lateral, iq, none",
         textOfAxes,
         [](Import& import, const std::string& text) {
             return takeAxes(import, imageRoles(), text);
         },
         always<Import>, true},
        {"shape", "Sizes of these axes; -1: as many as the file holds", textOfShape,
         [](Import& import, const std::string& text) {
             return takeShape(import, imageRoles(), text);
         },
         headerless, true},
        choice<Import, RecordedForm>("form", "Values are", &Import::form,
                                     {{"beamformed", RecordedForm::Beamformed},
                                      {"envelope", RecordedForm::Envelope},
                                      {"decibels", RecordedForm::Decibels},
                                      {"picture", RecordedForm::Picture}},
                                     always<Import>),
        number<Import>("code-offset", "Zero level: the stored value that means 0",
                       &Import::codeOffset, 1.0, always<Import>, false, true),
        number<Import>("code-scale", "Value of one code, of levels dB", &Import::codeScale, 1.0,
                       always<Import>, true),
        choice<Import, bool>("iq", "Pairs are", &Import::conjugate,
                             {{"iq", false}, {"conjugate", true}}, pairs),
        number<Import>("fd", "Demodulation frequency, MHz", &Import::demodulationFrequencyHz, 1e6,
                       pairs),
        number<Import>("fc", "Centre frequency, MHz", &Import::centreFrequencyHz, 1e6,
                       always<Import>),
        number<Import>("depth-step", "From one depth to the next, mm", &Import::depthStepM, 1e-3,
                       [](const Import& import) { return import.samplingFrequencyHz == 0.0; }),
        number<Import>("fs", "Or sampling frequency along depth, MHz", &Import::samplingFrequencyHz,
                       1e6, [](const Import& import) { return import.depthStepM == 0.0; }),
        number<Import>("speed-of-sound", "Speed of sound, m/s", &Import::soundSpeedMps, 1.0, timed,
                       true),
        number<Import>("depth-first", "First depth, mm", &Import::depthFirstM, 1e-3, always<Import>,
                       false, true),
        choice<Import, Lines>("sector", "Lines fan out", &Import::lines,
                              {{"no", Lines::SideBySide}, {"yes", Lines::FanOut}}, always<Import>),
        number<Import>("line-step", "From one line to the next, mm", &Import::lateralStepM, 1e-3,
                       sideBySide),
        middle("line-first", "First line, mm (default: the middle at 0)", &Import::lateralFirstM,
               sideBySide),
        list("angles", "Angles of the lines, deg: first,last, or first:last:step, or all of them",
             &Import::anglesRad, kDegree, fan, true),
        number<Import>("radius", "From where the lines meet to depth 0, mm", &Import::radiusM, 1e-3,
                       fan, false, true),
        {"apex", "Where the lines meet, x,z, mm",
         [](const Import& import) {
             return numbersText({import.apexXM, import.apexZM}, 1e-3);
         },
         takeApex, fan},
        number<Import>("plane-step", "From one plane to the next, mm", &Import::elevationStepM,
                       1e-3, planes),
        middle("plane-first", "First plane, mm (default: the middle at 0)",
               &Import::elevationFirstM, planes),
        list(
            "shown-range", "Shown levels, dB: lowest,highest", &Import::shownRangeDb, 1.0,
            [](const Import& import) { return import.form == RecordedForm::Decibels; }, false),
        number<Import>("frame-rate", "Frames per second", &Import::frameRateHz, 1.0,
                       always<Import>),
    };
    return kFacts;
}

} // namespace echolux
