// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the facts that describe channel data and spectra.
#include "app/commands/sidecar_fact_kinds.hpp"

#include <algorithm>

namespace echolux {

namespace {

std::string takeAngles(ChannelImport& import, const std::string& text) {
    const auto angles = parseNumbers(text, kDegree);
    if (!angles) return "is neither a list such as -10,0,10 nor first:last:step";
    import.anglesRad = *angles;
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
        count<Import, std::uint64_t>("offset", "Bytes before the samples", &Import::headerBytes,
                                     headerless),
        count<Import, std::uint64_t>("trailer", "Bytes after the samples", &Import::trailerBytes,
                                     headerless),
        {"axes",
         "Axes, from the slowest to the fastest: frame, transmit, channel, sample, iq, none",
         textOfAxes,
         [](Import& import, const std::string& text) {
             return takeAxes(import, channelRoles(), text);
         },
         always<Import>, true},
        {"shape", "Sizes of these axes; -1: as many as the file holds", textOfShape,
         [](Import& import, const std::string& text) {
             return takeShape(import, channelRoles(), text);
         },
         headerless, true},
        number<Import>("code-offset", "Zero level: the stored value that means 0",
                       &Import::codeOffset, 1.0, always<Import>, false, true),
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
        count<Import>("bscans-per-place", "B-scans at each place, one after the other",
                      &Import::bscansPerPlace, always<Import>),
        count<Import>("background-lines", "Lines of background before the first B-scan",
                      &Import::backgroundLines, headerless),
        count<Import>("shift", "Low bits that hold no signal", &Import::shift, always<Import>),
        number<Import>("centre-wavelength", "Centre wavelength, nm", &Import::centreWavelengthM,
                       1e-9, always<Import>),
        number<Import>("bandwidth", "Bandwidth from the first to the last sample, nm",
                       &Import::bandwidthM, 1e-9, always<Import>),
        number<Import>("refractive-index", "Refractive index of the sample",
                       &Import::refractiveIndex, 1.0, always<Import>),
        number<Import>("line-spacing", "Distance of lines, um", &Import::lineSpacingM, 1e-6,
                       always<Import>),
    };
    return kFacts;
}

} // namespace echolux
