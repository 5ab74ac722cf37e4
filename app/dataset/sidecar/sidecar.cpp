// SPDX-License-Identifier: GPL-3.0-or-later
// Parses sidecars, with a sentence for every key that is unknown or of the wrong type.
#include "app/dataset/sidecar/sidecar.hpp"

#include "app/dataset/sidecar/sidecar_section.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <cmath>
#include <numbers>
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
                                             "channel, sample, iq, none",
                                             name));
        axes.push_back(*found);
    }
    if (axes.empty())
        section.fail("axes", "is missing: name the axes of the array in the order of its indices, "
                             "for example [\"transmit\", \"channel\", \"sample\"]");
}

void readData(Section section, Sidecar& sidecar) {
    sidecar.arrays = namesOf(section, "array");
    if (sidecar.arrays.size() > 2)
        section.fail("array", "lists more than two names: I and Q are two");
    sidecar.firstIndex = section.whole("first_index", 0, 0);
    if (sidecar.spectra)
        readSpectraData(section, *sidecar.spectra);
    else
        readAxes(section, sidecar.axes, sidecar.namedNone);
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

void readProbe(Section section, Sidecar& sidecar) {
    sidecar.probeName = section.text("name");
    sidecar.pitchM = section.numbers("pitch");
    sidecar.radiusM = section.numbers("radius");
    sidecar.elements = section.numbers("elements");
    sidecar.x = section.numbers("x");
    sidecar.y = section.numbers("y");
    sidecar.z = section.numbers("z");
    sidecar.elementWidthM = section.numbers("element_width");
    sidecar.fractionalBandwidth = section.numbers("fractional_bandwidth");
    section.refuseUnknown();
    const int ways = (sidecar.pitchM.given() ? 1 : 0) + (sidecar.elements.given() ? 1 : 0) +
                     (sidecar.x.given() ? 1 : 0);
    if (ways != 1) section.fail("", "needs exactly one of pitch, x and elements");
}

void readSignal(Section section, Sidecar& sidecar) {
    sidecar.samplingFrequencyHz = section.numbers("sampling_frequency");
    if (!sidecar.samplingFrequencyHz.given())
        section.fail("sampling_frequency", "is missing: give it in Hz, or the name of the array in "
                                           "the file that holds it");
    sidecar.centreFrequencyHz = section.numbers("centre_frequency");
    sidecar.demodulationFrequencyHz = section.numbers("demodulation_frequency");
    sidecar.firstSampleS = section.numbers("first_sample");
    sidecar.offsetSamples = section.numbers("offset_samples");
    sidecar.frameRateHz = section.numbers("frame_rate");
    using Clock = Sidecar::Clock;
    sidecar.clock = section.choice<Clock>("clock", Clock::WaveAtOrigin,
                                          {{"wave_at_origin", Clock::WaveAtOrigin},
                                           {"first_element_fires", Clock::FirstElementFires}});
    using Zero = Sidecar::PhaseZero;
    sidecar.phaseZero = section.choice<Zero>("iq_phase_zero", Zero::WaveAtOrigin,
                                             {{"wave_at_origin", Zero::WaveAtOrigin},
                                              {"first_sample", Zero::FirstSample},
                                              {"file_clock", Zero::FileClock}});
    section.refuseUnknown();
}

void readTransmit(Section section, Sidecar& sidecar) {
    sidecar.wave = section.choice<Wave>("wave", Wave::Plane,
                                        {{"plane", Wave::Plane},
                                         {"diverging", Wave::Diverging},
                                         {"focused", Wave::Focused},
                                         {"element", Wave::Element}});
    sidecar.angles = section.numbers("angles");
    if (NumberSource degrees = section.numbers("angles_deg"); degrees.given()) {
        if (sidecar.angles.given())
            section.fail("angles", "and angles_deg are both given: keep one");
        constexpr double kRadPerDeg = std::numbers::pi / 180.0;
        degrees.scale *= kRadPerDeg;
        for (double& value : degrees.values) value *= kRadPerDeg;
        sidecar.angles = std::move(degrees);
    }
    sidecar.sources = section.numbers("sources");
    sidecar.fired = section.numbers("elements");
    section.refuseUnknown();
    if (sidecar.wave != Wave::Plane && sidecar.angles.given())
        section.fail("angles", "belong to wave = \"plane\"");
    const bool pointWave = sidecar.wave == Wave::Diverging || sidecar.wave == Wave::Focused;
    if (pointWave != sidecar.sources.given())
        section.fail("sources", pointWave ? "is missing: give [x, y, z] in metres per transmit"
                                          : "belong to diverging and focused waves");
    if (sidecar.wave != Wave::Element && sidecar.fired.given())
        section.fail("elements", "belong to wave = \"element\"");
}

} // namespace

Sidecar parseSidecar(const std::string& text, const std::string& origin) {
    toml::table root;
    try {
        root = toml::parse(text, origin);
    } catch (const toml::parse_error& error) {
        throw Error(fmt::format("The sidecar '{}' is no valid TOML in line {}; correct that line.",
                                origin, error.source().begin.line));
    } catch (const std::exception&) {
        throw Error(fmt::format("The sidecar '{}' is no valid TOML text; write it in UTF-8 as "
                                "'echolux help sidecar' shows.",
                                origin));
    }
    Sidecar sidecar;
    sidecar.origin = origin;
    Section top(sidecar.origin, "", root);
    sidecar.title = top.text("title");
    sidecar.soundSpeedMps = top.numbers("sound_speed");
    for (const char* table : {"match", "data"}) top.find(table);
    if (root.contains("spectrometer")) {
        sidecar.spectra.emplace();
        top.find("spectrometer");
    } else {
        for (const char* table : {"probe", "signal", "transmit"}) top.find(table);
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
    readProbe({sidecar.origin, "probe", root}, sidecar);
    readSignal({sidecar.origin, "signal", root}, sidecar);
    readTransmit({sidecar.origin, "transmit", root}, sidecar);
    return sidecar;
}

} // namespace echolux
