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
    sidecar.codeScale = section.numbers("code_scale");
    sidecar.converterRange = section.numbers("converter_range");
    section.refuseUnknown();
}

void readDesign(Section& section, Sidecar& sidecar) {
    sidecar.elementCount = section.numbers("count");
    sidecar.columns = section.numbers("columns");
    sidecar.rows = section.numbers("rows");
    sidecar.pitchYM = section.numbers("pitch_y");
    sidecar.rowsPerBlock = section.numbers("rows_per_block");
    sidecar.gapM = section.numbers("gap");
    sidecar.rowColumn = section.flag("row_column");
    sidecar.normals = section.numbers("normals");
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
    const bool grid = sidecar.columns.given() || sidecar.rows.given();
    const bool pitch = sidecar.pitchM.given();
    if (!pitch && (grid || sidecar.rowColumn || sidecar.radiusM.given() ||
                   sidecar.elementCount.given() || sidecar.pitchYM.given()))
        section.fail("", "has columns, rows, row_column, radius, count or pitch_y, which describe "
                         "an array by its pitch: give it, or positions alone");
    if (sidecar.radiusM.given() && (grid || sidecar.rowColumn))
        section.fail("radius", "belongs to a curved row of elements, without columns and rows");
    if (grid && !sidecar.rowColumn && !(sidecar.columns.given() && sidecar.rows.given()))
        section.fail("", "needs both columns and rows of a matrix array");
    if (sidecar.elementCount.given() && (grid || sidecar.rowColumn))
        section.fail("count", "belongs to a row of elements: columns and rows say how many there "
                              "are");
    if ((sidecar.rowsPerBlock.given() || sidecar.gapM.given()) && (!grid || sidecar.rowColumn))
        section.fail("gap", "and rows_per_block belong to a matrix array of columns and rows");
    if (sidecar.rowColumn && !sidecar.longAxes.empty())
        section.fail("long_axes", "follow from row_column = true: keep one of the two");
}

void checkColumns(const Section& section, const Sidecar& sidecar) {
    const auto& columns = sidecar.elementColumns;
    if (columns.empty()) return;
    if (!sidecar.elements.given())
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
    sidecar.probeName = section.text("name");
    sidecar.pitchM = section.numbers("pitch");
    sidecar.radiusM = section.numbers("radius");
    sidecar.elements = section.numbers("elements");
    sidecar.elementColumns = namesOf(section, "element_columns");
    sidecar.x = section.numbers("x");
    sidecar.y = section.numbers("y");
    sidecar.z = section.numbers("z");
    sidecar.elementWidthM = section.numbers("element_width");
    sidecar.elementHeightM = section.numbers("element_height");
    sidecar.elevationFocusM = section.numbers("elevation_focus");
    sidecar.fractionalBandwidth = section.numbers("fractional_bandwidth");
    readDesign(section, sidecar);
    section.refuseUnknown();
    const int ways = (sidecar.pitchM.given() ? 1 : 0) + (sidecar.elements.given() ? 1 : 0) +
                     (sidecar.x.given() ? 1 : 0);
    if (ways != 1) section.fail("", "needs exactly one of pitch, x and elements");
    checkDesign(section, sidecar);
    checkColumns(section, sidecar);
}

void readAberration(Section section, Sidecar& sidecar) {
    sidecar.aberrationDelayS = section.numbers("delay");
    sidecar.aberrationAmplitude = section.numbers("amplitude");
    section.refuseUnknown();
    if (sidecar.aberrationAmplitude.given() && !sidecar.aberrationDelayS.given())
        section.fail("delay", "is missing: give the seconds by which each element hears later");
}

void readSignal(Section section, Sidecar& sidecar) {
    sidecar.samplingFrequencyHz = section.numbers("sampling_frequency");
    sidecar.samplingIntervalS = section.numbers("sampling_interval");
    if (sidecar.samplingFrequencyHz.given() && sidecar.samplingIntervalS.given())
        section.fail("sampling_interval", "and sampling_frequency are both given: keep one");
    if (!sidecar.samplingFrequencyHz.given() && !sidecar.samplingIntervalS.given())
        section.fail("sampling_frequency", "is missing: give it in Hz, or the name of the array in "
                                           "the file that holds it");
    sidecar.centreFrequencyHz = section.numbers("centre_frequency");
    sidecar.centreEstimated = section.flag("centre_frequency_estimated");
    if (sidecar.centreEstimated && !sidecar.centreFrequencyHz.given())
        section.fail("centre_frequency_estimated", "needs centre_frequency");
    sidecar.demodulationFrequencyHz = section.numbers("demodulation_frequency");
    sidecar.firstSampleS = section.numbers("first_sample");
    sidecar.offsetSamples = section.numbers("offset_samples");
    sidecar.frameRateHz = section.numbers("frame_rate");
    using Clock = Sidecar::Clock;
    // Delays of elements have a clock of their own.
    const Clock usual = sidecar.delays.given() ? Clock::ZeroDelay : Clock::WaveAtOrigin;
    sidecar.clock = section.choice<Clock>("clock", usual,
                                          {{"wave_at_origin", Clock::WaveAtOrigin},
                                           {"wave_at_beam_origin", Clock::WaveAtBeamOrigin},
                                           {"first_element_fires", Clock::FirstElementFires},
                                           {"zero_delay", Clock::ZeroDelay}});
    if (sidecar.clock == Clock::ZeroDelay && !sidecar.delays.given())
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
    const bool angles = sidecar.angles.given() || sidecar.elevations.given();
    if (angles && sidecar.wave != Wave::Plane && !(pointWave && sidecar.focus.given()))
        section.fail(sidecar.angles.given() ? "angles" : "elevations",
                     "belong to wave = \"plane\", or to the focus of a beam");
    if (sidecar.sources.given() && sidecar.focus.given())
        section.fail("sources", "and focus are both given: keep one");
    if (!pointWave && sidecar.focus.given())
        section.fail("focus", "belongs to diverging and focused waves");
    if (pointWave != (sidecar.sources.given() || sidecar.focus.given()))
        section.fail("sources", pointWave
                                    ? "is missing: give [x, y, z] in metres per transmit, or the "
                                      "distance from the origin as focus"
                                    : "belong to diverging and focused waves");
    if (sidecar.wave != Wave::Element && sidecar.fired.given())
        section.fail("elements", "belong to wave = \"element\"");
    if (sidecar.activeFirst.given() != sidecar.activeCount.given())
        section.fail("active_first", "and active_count go together: the first of the elements "
                                     "that fire, and how many");
    if (sidecar.activeFirst.given() && sidecar.apodization.given())
        section.fail("apodization", "and active_first are both given: keep one");
    if (sidecar.receiveFirst.given() && sidecar.receiveElements.given())
        section.fail("receive_first", "and receive_elements are both given: keep one");
    const bool first = sidecar.rangeWeightsFirstM.given();
    const bool step = sidecar.rangeWeightsStepM.given();
    if (sidecar.rangeWeights.given() != step || (first && !step))
        section.fail("receive_weights", "and receive_weights_step go together: weights of each "
                                        "channel over range, and the metres from one to the next");
}

void readTransmit(Section section, Sidecar& sidecar) {
    sidecar.wave = section.choice<Wave>("wave", Wave::Plane,
                                        {{"plane", Wave::Plane},
                                         {"diverging", Wave::Diverging},
                                         {"focused", Wave::Focused},
                                         {"element", Wave::Element}});
    sidecar.angles = anglesOf(section, "angles");
    sidecar.elevations = anglesOf(section, "elevations");
    sidecar.steering = section.choice<Steering>(
        "steering", Steering::Tilts,
        {{"tilts", Steering::Tilts}, {"projections", Steering::Projections}});
    sidecar.firstElement = static_cast<double>(section.whole("first_element", 0, 0));
    sidecar.sources = section.numbers("sources");
    sidecar.focus = section.numbers("focus");
    sidecar.origins = section.numbers("origins");
    sidecar.apodization = section.numbers("apodization");
    sidecar.activeFirst = section.numbers("active_first");
    sidecar.activeCount = section.numbers("active_count");
    sidecar.fired = section.numbers("elements");
    sidecar.delays = section.numbers("delays");
    sidecar.delaySpeedMps = section.numbers("sound_speed");
    sidecar.receiveElements = section.numbers("receive_elements");
    sidecar.receiveFirst = section.numbers("receive_first");
    sidecar.rangeWeights = section.numbers("receive_weights");
    sidecar.rangeWeightsFirstM = section.numbers("receive_weights_first");
    sidecar.rangeWeightsStepM = section.numbers("receive_weights_step");
    if (sidecar.delays.given()) checkDelays(section);
    section.refuseUnknown();
    checkTransmit(section, sidecar);
}

} // namespace

Sidecar parseSidecar(const std::string& text, const std::string& origin) {
    const toml::table root = tomlOf(text, origin, "sidecar");
    Sidecar sidecar;
    sidecar.origin = origin;
    Section top(sidecar.origin, "", root);
    sidecar.title = top.text("title");
    sidecar.soundSpeedMps = top.numbers("sound_speed");
    for (const char* table : {"match", "data"}) top.find(table);
    if (root.contains("spectrometer")) {
        sidecar.spectra.emplace();
        top.find("spectrometer");
    } else if (root.contains("image")) {
        sidecar.image.emplace();
        top.find("image");
    } else {
        for (const char* table : {"probe", "aberration", "signal", "transmit"}) top.find(table);
    }
    top.refuseUnknown();

    Section match(sidecar.origin, "match", root);
    if (const std::string name = match.text("name"); !name.empty()) sidecar.matchName = name;
    if (const auto size = match.whole("size", -1, 0); size >= 0)
        sidecar.matchSize = static_cast<std::uint64_t>(size);
    match.refuseUnknown();

    readData({sidecar.origin, "data", root}, sidecar);
    if (sidecar.spectra) {
        readSpectrometer({sidecar.origin, "spectrometer", root}, *sidecar.spectra);
        return sidecar;
    }
    if (sidecar.image) {
        readImage({sidecar.origin, "image", root}, *sidecar.image);
        return sidecar;
    }
    readProbe({sidecar.origin, "probe", root}, sidecar);
    readAberration({sidecar.origin, "aberration", root}, sidecar);
    readTransmit({sidecar.origin, "transmit", root}, sidecar); // its delays have a clock
    readSignal({sidecar.origin, "signal", root}, sidecar);
    return sidecar;
}

} // namespace echolux
