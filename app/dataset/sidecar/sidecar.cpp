// SPDX-License-Identifier: GPL-3.0-or-later
// Parses sidecars, with an error sentence for every key that is unknown or of the wrong type.
#include "app/dataset/sidecar/sidecar.hpp"

#include "app/dataset/sidecar/sidecar_section.hpp"
#include "app/toml/toml_text.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

void readAxes(Section& section, std::vector<ArrayAxis>& axes, std::vector<std::size_t>& namedNone) {
    for (const std::string& name : axisNamesOf(section, namedNone)) {
        std::optional<ArrayAxis> found;
        for (std::size_t i = 0; i < kArrayAxes; ++i)
            if (name == nameOf(static_cast<ArrayAxis>(i))) found = static_cast<ArrayAxis>(i);
        if (!found)
            section.fail("axes", fmt::format("cannot hold '{}': choose among frame, transmit, "
                                             "channel, sample, iq, none, and of images elevation, "
                                             "depth, lateral",
                                             name));
        axes.push_back(*found);
    }
    if (axes.empty())
        section.fail("axes", "is missing: name the axes of the array in the order of its indices, "
                             "for example [\"transmit\", \"channel\", \"sample\"]");
}

/// Images must not have axes of channel data, and channel data must not have axes of images.
void checkAxes(const Section& section, const Sidecar& sidecar) {
    using enum ArrayAxis;
    for (const ArrayAxis axis : sidecar.axes) {
        const bool ofImages = axis == Elevation || axis == Depth || axis == Lateral;
        const bool ofEchoes = axis == Transmit || axis == Channel || axis == Sample;
        if (sidecar.image ? ofEchoes : ofImages)
            section.fail("axes",
                         fmt::format("cannot hold '{}': {}", nameOf(axis),
                                     sidecar.image ? "axes of images are frame, elevation, depth, "
                                                     "lateral, iq, none"
                                                   : "it belongs to images, which a table [image] "
                                                     "describes"));
    }
}

void readTransmitArrays(Section& section, Sidecar& sidecar) {
    const toml::node* value = section.find("transmit_arrays");
    if (value == nullptr) return;
    const std::string wrong = "must be a list of names, one for each transmit, or of lists of two, "
                              "I and Q";
    if (!value->is_array() || value->as_array()->empty()) section.fail("transmit_arrays", wrong);
    for (const toml::node& entry : *value->as_array()) {
        std::vector<std::string>& names = sidecar.transmitArrays.emplace_back();
        if (const auto* name = entry.as_string()) names.push_back(**name);
        if (const toml::array* parts = entry.as_array())
            for (const toml::node& part : *parts) names.push_back(part.value_or(std::string{}));
        if (names.empty() || names.size() > 2 ||
            names.size() != sidecar.transmitArrays.front().size() ||
            std::ranges::count(names, std::string{}) > 0)
            section.fail("transmit_arrays", wrong);
    }
    if (!sidecar.arrays.empty())
        section.fail("transmit_arrays", "and array are both given: keep one");
}

void readData(Section section, Sidecar& sidecar) {
    sidecar.arrays = namesOf(section, "array");
    if (sidecar.arrays.size() > 2)
        section.fail("array", "lists more than two names: I and Q are two");
    readTransmitArrays(section, sidecar);
    sidecar.firstIndex = section.whole("first_index", 0, 0);
    if (sidecar.spectra)
        readSpectraData(section, *sidecar.spectra);
    else
        readAxes(section, sidecar.axes, sidecar.namedNone);
    checkAxes(section, sidecar);
    const bool packed = sidecar.spectra && sidecar.spectra->packed;
    if (const std::string dtype = section.text("dtype"); !dtype.empty() && !packed) {
        sidecar.dtype = parseElementType(dtype);
        if (!sidecar.dtype)
            section.fail("dtype", fmt::format("cannot be '{}': write it as NumPy does, for example "
                                              "\"<i2\" or \"float32\"",
                                              dtype));
    }
    if (const toml::node* shape = section.find("shape")) {
        if (!shape->is_array()) section.fail("shape", "must be a list of whole numbers");
        for (const toml::node& entry : *shape->as_array()) {
            const std::int64_t extent = entry.value_exact<std::int64_t>().value_or(0);
            if (extent < -1 || extent == 0)
                section.fail("shape", "must be a list of whole numbers from 1 on, or -1 once");
            sidecar.shape.push_back(extent);
        }
    }
    sidecar.offset = static_cast<std::uint64_t>(section.whole("offset", 0, 0));
    sidecar.trailer = static_cast<std::uint64_t>(section.whole("trailer", 0, 0));
    sidecar.conjugate = section.flag("conjugate");
    sidecar.codeOffset = section.number("code_offset", 0.0);
    section.numbers({"code_scale", "converter_range"});
    section.refuseUnknown();
}

void readLongAxes(Section& section, Sidecar& sidecar) {
    for (const std::string& name : namesOf(section, "long_axes")) {
        if (name == "none")
            sidecar.longAxes.push_back(LongAxis::None);
        else if (name == "lateral")
            sidecar.longAxes.push_back(LongAxis::Lateral);
        else if (name == "elevation")
            sidecar.longAxes.push_back(LongAxis::Elevation);
        else
            section.fail("long_axes", fmt::format("cannot hold '{}': name the axis along which "
                                                  "elements lie, lateral or elevation, or none",
                                                  name));
    }
}

/// Checks which keys may stand together.
void checkDesign(const Section& section, const Sidecar& sidecar) {
    const bool grid = sidecar.has("probe.columns") || sidecar.has("probe.rows");
    const bool pitch = sidecar.has("probe.pitch");
    if (!pitch && (grid || sidecar.rowColumn || sidecar.has("probe.radius") ||
                   sidecar.has("probe.count") || sidecar.has("probe.pitch_y")))
        section.fail("", "has columns, rows, row_column, radius, count or pitch_y, which describe "
                         "an array by its pitch: give it, or positions alone");
    if (sidecar.has("probe.radius") && (grid || sidecar.rowColumn))
        section.fail("radius", "belongs to a curved row of elements, without columns and rows");
    if (grid && !sidecar.rowColumn && !(sidecar.has("probe.columns") && sidecar.has("probe.rows")))
        section.fail("", "needs both columns and rows of a matrix array");
    if (sidecar.has("probe.count") && (grid || sidecar.rowColumn))
        section.fail("count", "belongs to a row of elements: columns and rows say how many there "
                              "are");
    if ((sidecar.has("probe.rows_per_block") || sidecar.has("probe.gap")) &&
        (!grid || sidecar.rowColumn))
        section.fail("gap", "and rows_per_block belong to a matrix array of columns and rows");
    if (sidecar.rowColumn && !sidecar.longAxes.empty())
        section.fail("long_axes", "follow from row_column = true: keep one of the two");
}

void checkColumns(const Section& section, const Sidecar& sidecar) {
    const auto& columns = sidecar.elementColumns;
    if (columns.empty()) return;
    if (!sidecar.has("probe.elements"))
        section.fail("element_columns", "name what an array of elements holds: give elements");
    for (const std::string& name : columns)
        if (name != "none" &&
            ((name != "x" && name != "y" && name != "z") || std::ranges::count(columns, name) > 1))
            section.fail("element_columns", fmt::format("cannot hold '{}': name x, y and z once, "
                                                        "and the others none",
                                                        name));
    if (std::ranges::count(columns, "x") == 0 && std::ranges::count(columns, "y") == 0)
        section.fail("element_columns", "name neither x nor y");
}

void readProbe(Section section, Sidecar& sidecar) {
    section.text("name");
    section.numbers({"pitch", "radius", "elements", "x", "y", "z", "element_width",
                     "element_height", "elevation_focus", "fractional_bandwidth", "count",
                     "columns", "rows", "pitch_y", "rows_per_block", "gap", "normals"});
    sidecar.elementColumns = namesOf(section, "element_columns");
    sidecar.rowColumn = section.flag("row_column");
    readLongAxes(section, sidecar);
    section.refuseUnknown();
    const int ways = (sidecar.has("probe.pitch") ? 1 : 0) +
                     (sidecar.has("probe.elements") ? 1 : 0) + (sidecar.has("probe.x") ? 1 : 0);
    if (ways != 1) section.fail("", "needs exactly one of pitch, x and elements");
    checkDesign(section, sidecar);
    checkColumns(section, sidecar);
}

void readAberration(Section section, Sidecar& sidecar) {
    section.numbers({"delay", "amplitude"});
    section.refuseUnknown();
    if (sidecar.has("aberration.amplitude") && !sidecar.has("aberration.delay"))
        section.fail("delay", "is missing: give the seconds by which each element hears later");
}

void readSignal(Section section, Sidecar& sidecar) {
    section.numbers({"sampling_frequency", "sampling_interval", "centre_frequency",
                     "demodulation_frequency", "first_sample", "offset_samples", "frame_rate"});
    if (sidecar.has("signal.sampling_frequency") && sidecar.has("signal.sampling_interval"))
        section.fail("sampling_interval", "and sampling_frequency are both given: keep one");
    if (!sidecar.has("signal.sampling_frequency") && !sidecar.has("signal.sampling_interval"))
        section.fail("sampling_frequency", "is missing: give it in Hz, or the name of the array in "
                                           "the file that holds it");
    sidecar.centreEstimated = section.flag("centre_frequency_estimated");
    if (sidecar.centreEstimated && !sidecar.has("signal.centre_frequency"))
        section.fail("centre_frequency_estimated", "needs centre_frequency");
    using Clock = Sidecar::Clock;
    // Delays of elements have a clock of their own.
    const Clock usual = sidecar.has("transmit.delays") ? Clock::ZeroDelay : Clock::WaveAtOrigin;
    sidecar.clock = section.choice<Clock>("clock", usual,
                                          {{"wave_at_origin", Clock::WaveAtOrigin},
                                           {"wave_at_beam_origin", Clock::WaveAtBeamOrigin},
                                           {"first_element_fires", Clock::FirstElementFires},
                                           {"zero_delay", Clock::ZeroDelay}});
    if (sidecar.clock == Clock::ZeroDelay && !sidecar.has("transmit.delays"))
        section.fail("clock", "zero_delay speaks of transmit.delays, which are not given");
    using Zero = Sidecar::PhaseZero;
    sidecar.phaseZero = section.choice<Zero>("iq_phase_zero", Zero::WaveAtOrigin,
                                             {{"wave_at_origin", Zero::WaveAtOrigin},
                                              {"first_sample", Zero::FirstSample},
                                              {"file_clock", Zero::FileClock}});
    section.refuseUnknown();
}

/// Delays of elements name the wave.
void checkDelays(Section& section) {
    for (const char* key : {"wave", "angles", "angles_deg", "elevations", "elevations_deg",
                            "steering", "sources", "focus", "elements"})
        if (section.find(key) != nullptr)
            section.fail(key,
                         "and delays are both given, but the delays of the elements tell which "
                         "wave they send: keep one");
}

/// Checks which keys may stand together.
void checkTransmit(const Section& section, const Sidecar& sidecar) {
    const bool pointWave = sidecar.wave == Wave::Diverging || sidecar.wave == Wave::Focused;
    const bool angles = sidecar.has("transmit.angles") || sidecar.has("transmit.elevations");
    if (angles && sidecar.wave != Wave::Plane && !(pointWave && sidecar.has("transmit.focus")))
        section.fail(sidecar.has("transmit.angles") ? "angles" : "elevations",
                     "belong to wave = \"plane\", or to the focus of a beam");
    if (sidecar.has("transmit.sources") && sidecar.has("transmit.focus"))
        section.fail("sources", "and focus are both given: keep one");
    if (!pointWave && sidecar.has("transmit.focus"))
        section.fail("focus", "belongs to diverging and focused waves");
    if (pointWave != (sidecar.has("transmit.sources") || sidecar.has("transmit.focus")))
        section.fail("sources", pointWave
                                    ? "is missing: give [x, y, z] in metres per transmit, or the "
                                      "distance from the origin as focus"
                                    : "belong to diverging and focused waves");
    for (const char* key : {"origins", "apodization", "active_first", "sound_speed"})
        if (sidecar.wave == Wave::None && sidecar.has(std::string("transmit.") + key))
            section.fail(key, "speaks of elements that send, but wave = \"none\" says that nothing "
                              "is sent: keep one");
    if (sidecar.wave != Wave::Element && sidecar.has("transmit.elements"))
        section.fail("elements", "belong to wave = \"element\"");
    if (sidecar.has("transmit.active_first") != sidecar.has("transmit.active_count"))
        section.fail("active_first", "and active_count go together: the first of the elements "
                                     "that fire, and how many");
    if (sidecar.has("transmit.active_first") && sidecar.has("transmit.apodization"))
        section.fail("apodization", "and active_first are both given: keep one");
    if (sidecar.has("transmit.receive_first") && sidecar.has("transmit.receive_elements"))
        section.fail("receive_first", "and receive_elements are both given: keep one");
    const bool first = sidecar.has("transmit.receive_weights_first");
    const bool step = sidecar.has("transmit.receive_weights_step");
    if (sidecar.has("transmit.receive_weights") != step || (first && !step))
        section.fail("receive_weights", "and receive_weights_step go together: weights of each "
                                        "channel over range, and the metres from one to the next");
}

void readTransmit(Section section, Sidecar& sidecar) {
    sidecar.wave = section.choice<Wave>("wave", Wave::Plane,
                                        {{"plane", Wave::Plane},
                                         {"diverging", Wave::Diverging},
                                         {"focused", Wave::Focused},
                                         {"element", Wave::Element},
                                         {"none", Wave::None}});
    section.angles("angles");
    section.angles("elevations");
    sidecar.steering = section.choice<Steering>(
        "steering", Steering::Tilts,
        {{"tilts", Steering::Tilts}, {"projections", Steering::Projections}});
    sidecar.firstElement = static_cast<double>(section.whole("first_element", 0, 0));
    section.numbers({"sources", "focus", "origins", "apodization", "active_first", "active_count",
                     "elements", "delays", "sound_speed", "receive_elements", "receive_first",
                     "receive_weights", "receive_weights_first", "receive_weights_step"});
    if (sidecar.has("transmit.delays")) checkDelays(section);
    section.refuseUnknown();
    checkTransmit(section, sidecar);
}

} // namespace

const NumberSource& Sidecar::numbers(const std::string& key) const {
    static const NumberSource kNone;
    const auto at = sources.find(key);
    return at == sources.end() ? kNone : at->second;
}

std::string Sidecar::word(const std::string& key) const {
    const auto at = words.find(key);
    return at == words.end() ? std::string() : at->second;
}

Sidecar parseSidecar(const std::string& text, const std::string& origin) {
    const toml::table root = tomlOf(text, origin, "sidecar");
    Sidecar sidecar;
    sidecar.origin = origin;
    Section top(sidecar, "", root);
    top.text("title");
    top.numbers("sound_speed");
    for (const char* table : {"match", "data"}) top.find(table);
    if (root.contains("spectrometer")) {
        sidecar.spectra.emplace();
        top.find("spectrometer");
    } else if (root.contains("image")) {
        sidecar.image = RecordedForm::Beamformed;
        top.find("image");
    } else {
        for (const char* table : {"probe", "aberration", "signal", "transmit"}) top.find(table);
    }
    top.refuseUnknown();

    Section match(sidecar, "match", root);
    if (const std::string name = match.text("name"); !name.empty()) sidecar.matchName = name;
    if (const auto size = match.whole("size", -1, 0); size >= 0)
        sidecar.matchSize = static_cast<std::uint64_t>(size);
    match.refuseUnknown();

    readData({sidecar, "data", root}, sidecar);
    if (sidecar.spectra) {
        Section spectrometer(sidecar, "spectrometer", root);
        readSpectrometer(spectrometer, *sidecar.spectra);
        if (!sidecar.spectra->background.empty() &&
            sidecar.numbers("data.background_lines").values > std::vector{0.0})
            spectrometer.fail("background", "and data.background_lines are both given: keep one");
        return sidecar;
    }
    if (sidecar.image) {
        readImage({sidecar, "image", root}, sidecar);
        return sidecar;
    }
    readProbe({sidecar, "probe", root}, sidecar);
    readAberration({sidecar, "aberration", root}, sidecar);
    readTransmit({sidecar, "transmit", root}, sidecar); // its delays have a clock
    readSignal({sidecar, "signal", root}, sidecar);
    return sidecar;
}

} // namespace echolux
