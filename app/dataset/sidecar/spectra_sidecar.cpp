// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the keys for spectra in a sidecar.
#include "app/dataset/sidecar/spectra_sidecar.hpp"

#include "app/dataset/frames/raw_spectra.hpp"
#include "app/dataset/sidecar/sidecar_section.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace echolux {

namespace {

constexpr std::array kSpectraAxes{SpectraAxis::Volume, SpectraAxis::Bscan, SpectraAxis::Lateral,
                                  SpectraAxis::Sample};
constexpr std::int64_t kMostSidecarShift = 15;

void readAxes(Section& section, std::vector<SpectraAxis>& axes,
              std::vector<std::size_t>& namedNone) {
    for (const std::string& name : axisNamesOf(section, namedNone)) {
        const auto* const found = std::ranges::find(
            kSpectraAxes, name, [](SpectraAxis axis) { return std::string(nameOf(axis)); });
        if (found == kSpectraAxes.end())
            section.fail("axes", fmt::format("of spectra cannot hold '{}': choose among volume, "
                                             "bscan, lateral, sample, none",
                                             name));
        if (std::ranges::count(axes, *found) > 0)
            section.fail("axes", fmt::format("names '{}' twice: name each axis once", name));
        axes.push_back(*found);
    }
    if (std::ranges::count(axes, SpectraAxis::Sample) == 0)
        section.fail("axes", "must name the array's axes in the order of its indices, 'sample' "
                             "among them, for example [\"bscan\", \"lateral\", \"sample\"]");
}

SpectrumTerm termOf(const Section& section, const std::string& key, const toml::node& value) {
    SpectrumTerm term;
    if (value.is_string()) {
        term.from = **value.as_string();
        if (term.from.empty()) section.fail(key, "is an empty name");
        return term;
    }
    if (!value.is_table())
        section.fail(key, "must be a list of numbers, the name of an array, { file = \"NAME\" }, "
                          "or a list of these, which is their sum");
    for (const auto& [name, entry] : *value.as_table()) {
        if (name == "from" && entry.is_string())
            term.from = **entry.as_string();
        else if (name == "file" && entry.is_string())
            term.file = **entry.as_string();
        else if (name == "scale")
            term.scale = section.asNumber(key + ".scale", entry);
        else
            section.fail(key, "may only hold file = \"NAME\", from = \"ARRAY\", scale = NUMBER");
    }
    if (term.file.empty() && term.from.empty())
        section.fail(key, "needs file = \"NAME\" or from = \"ARRAY\"");
    return term;
}

SpectrumSum sumOf(Section& section, const std::string& key) {
    const toml::node* value = section.find(key);
    if (value == nullptr) return {};
    if (!value->is_array()) return {termOf(section, key, *value)};
    const toml::array& entries = *value->as_array();
    if (entries.empty()) section.fail(key, "is an empty list");
    SpectrumSum sum;
    if (entries.front().is_number()) {
        sum.emplace_back();
        for (const toml::node& entry : entries)
            sum.back().values.push_back(section.asNumber(key, entry));
        return sum;
    }
    for (const toml::node& entry : entries) sum.push_back(termOf(section, key, entry));
    return sum;
}

/// Wavelengths in m, or in nm as KEY_nm.
SpectrumSum wavelengthsOf(Section& section, const std::string& key, double& unitM) {
    SpectrumSum metres = sumOf(section, key);
    SpectrumSum nanometres = sumOf(section, key + "_nm");
    if (nanometres.empty()) return metres;
    if (!metres.empty()) section.fail(key, fmt::format("and {}_nm are both given: keep one", key));
    unitM = 1e-9;
    return nanometres;
}

} // namespace

std::vector<std::string> namedFiles(const SpectraSidecar& spectra) {
    std::vector<std::string> names;
    for (const SpectrumSum* sum :
         {&spectra.background, &spectra.resampling, &spectra.chirp, &spectra.wavelengthsM,
          &spectra.wavelengthPolynomial, &spectra.dispersion})
        for (const SpectrumTerm& term : *sum)
            if (!term.file.empty()) names.push_back(term.file);
    return names;
}

std::string_view nameOf(SpectraAxis axis) {
    constexpr std::array<std::string_view, kSpectraAxes.size()> kNames{"volume", "bscan", "lateral",
                                                                       "sample"};
    return kNames[static_cast<std::size_t>(axis)];
}

void readSpectraData(Section& section, SpectraSidecar& spectra) {
    readAxes(section, spectra.axes, spectra.namedNone);
    const toml::node* dtype = section.find("dtype");
    spectra.packed = dtype != nullptr && dtype->is_string() && **dtype->as_string() == "packed12";
    if (section.whole("shift", 0, 0) > kMostSidecarShift)
        section.fail("shift", "must be 0 to 15 bits");
    section.whole("background_lines", 0, 0);
    section.flag("background_per_bscan");
    section.choice<Mirrored>(
        "mirrored_bscans", Mirrored::None,
        {{"none", Mirrored::None}, {"even", Mirrored::Even}, {"odd", Mirrored::Odd}});
}

void readSpectrometer(Section section, SpectraSidecar& spectra) {
    for (const char* key : {"centre_wavelength", "bandwidth", "refractive_index", "line_spacing",
                            "bscan_spacing", "bscan_rate"})
        if (section.number(key, 0.0) < 0.0) section.fail(key, "must not be negative");
    section.whole("bscans_per_volume", 0, 1);
    section.whole("bscans_per_place", 1, 1);
    spectra.background = sumOf(section, "background");
    spectra.resampling = sumOf(section, "resampling");
    spectra.chirp = sumOf(section, "chirp");
    spectra.wavelengthsM = wavelengthsOf(section, "wavelengths", spectra.wavelengthUnitM);
    spectra.wavelengthPolynomial =
        wavelengthsOf(section, "wavelength_polynomial", spectra.wavelengthUnitM);
    spectra.dispersion = sumOf(section, "dispersion");
    section.refuseUnknown();
    if (!spectra.resampling.empty() && !spectra.chirp.empty())
        section.fail("chirp", "and resampling are both given: keep one, the chirp is the inverse");
    const bool curve = !spectra.resampling.empty() || !spectra.chirp.empty();
    const bool wavelengths = !spectra.wavelengthsM.empty();
    const bool polynomial = !spectra.wavelengthPolynomial.empty();
    if ((curve && (wavelengths || polynomial)) || (wavelengths && polynomial))
        section.fail(wavelengths ? "wavelengths" : "wavelength_polynomial",
                     "and another calibration are both given: keep one of resampling, chirp, "
                     "wavelengths and wavelength_polynomial");
}

} // namespace echolux
