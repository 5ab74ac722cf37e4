// SPDX-License-Identifier: GPL-3.0-or-later
// Images that ThorImage made of its spectra, and the positions that the header gives for both.
#include "app/dataset/container/archive_array.hpp"
#include "app/dataset/formats/thorlabs_parts.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/chirp.hpp"
#include "app/dataset/frames/depth_scale.hpp"
#include "app/dataset/frames/shown_range.hpp"
#include "app/dataset/recording/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace echolux {

namespace {

/// Wavelengths at the first and the last pixel of spectrometers whose recordings may lack a chirp.
struct KnownSpectrometer {
    std::string_view modelBegins;
    double firstM;
    double lastM;
};
constexpr std::array kKnownSpectrometers{KnownSpectrometer{"TEL", 1208.7e-9, 1372.5e-9},
                                         KnownSpectrometer{"GAN", 796.2e-9, 1010.0e-9}};

const KnownSpectrometer* knownSpectrometer(const std::string& model) {
    const auto at = std::ranges::find_if(kKnownSpectrometers, [&](const auto& each) {
        return model.size() >= each.modelBegins.size() &&
               std::ranges::equal(each.modelBegins, model.substr(0, each.modelBegins.size()),
                                  [](char a, char b) { return a == (b & ~0x20); });
    });
    return at == kKnownSpectrometers.end() ? nullptr : &*at;
}

/// Wavelengths that grow evenly from pixel to pixel.
std::vector<double> evenWavelengths(const KnownSpectrometer& known, std::int64_t samples) {
    std::vector<double> wavenumbers(static_cast<std::size_t>(samples));
    const double step = (known.lastM - known.firstM) / static_cast<double>(samples - 1);
    for (std::size_t p = 0; p < wavenumbers.size(); ++p)
        wavenumbers[p] = 1.0 / (known.firstM + static_cast<double>(p) * step);
    return inverseOfChirp(wavenumbers);
}

/// The depth step of the processed image, per bin of a transform of all samples; 0 = unknown.
double depthStepOf(const ThorlabsDataFile& pixels, std::int64_t samples) {
    if (pixels.rangeZMm <= 0.0 || pixels.sizeZ < 1) return 0.0;
    // NOTE: an image with more pixels than bins was made from spectra padded with zeros.
    return 1e-3 * pixels.rangeZMm / static_cast<double>(std::min(pixels.sizeZ, samples / 2));
}

Axis placedAxis(AxisName name, std::int64_t size, double rangeMm) {
    if (rangeMm <= 0.0) return {.name = name, .size = size, .unit = {}};
    return {.name = name,
            .size = size,
            .spacing = 1e-3 * rangeMm / static_cast<double>(size),
            .unit = "m"};
}

/// B-scans that follow each other at one place. The header has two kinds of averaging. Where both
/// are more than 1, the number of B-scans tells which of them were stored.
std::int64_t repeatsOf(const ThorlabsHeader& header, std::int64_t bscans) {
    const std::int64_t both = header.averagedBScans * header.speckleBScans;
    for (const std::int64_t each : {both, header.averagedBScans, header.speckleBScans})
        if (each > 1 && each * header.pixels.sizeY == bscans) return each;
    return both;
}

} // namespace

void takeThorlabsWavelengths(const ThorlabsHeader& header, std::int64_t samples,
                             Spectrometer& facts, RecordingInfo& info) {
    const KnownSpectrometer* known = knownSpectrometer(header.model);
    if (facts.resampling.empty() && known != nullptr) {
        facts.resampling = evenWavelengths(*known, samples);
        info.warnings.push_back(fmt::format("The file holds no chirp; wavelengths are taken to "
                                            "grow evenly from {:g} to {:g} nm, as "
                                            "in this kind of device.",
                                            known->firstM * 1e9, known->lastM * 1e9));
    } else if (facts.resampling.empty()) {
        info.warnings.emplace_back("The file holds no chirp, so its spectra are taken to be "
                                   "equally spaced in wavenumber.");
    }
    facts.centreWavelengthM = header.centreWavelengthM;
    if (facts.centreWavelengthM == 0.0 && known != nullptr)
        facts.centreWavelengthM = 0.5 * (known->firstM + known->lastM);
    facts.refractiveIndex = header.refractiveIndex;
    const double stepM = depthStepOf(header.pixels, samples);
    // NOTE: ThorImage gives lengths in the sample, where it knew the sample's refractive index.
    const double inAirM = stepM * std::max(header.refractiveIndex, 1.0);
    if (inAirM > 0.1e-6 && inAirM < 100e-6 && facts.centreWavelengthM > 0.0) {
        facts.bandwidthM = bandwidthOfDepthStep(facts.centreWavelengthM, inAirM, samples);
        info.notes.emplace_back(
            "Depth per bin",
            fmt::format("{:.4g} um by the header; it gives the bandwidth", stepM * 1e6));
    } else if (known != nullptr) {
        facts.centreWavelengthM = 0.5 * (known->firstM + known->lastM);
        facts.bandwidthM = known->lastM - known->firstM;
    } else {
        info.warnings.emplace_back("The header says too little of wavelengths and depth, so depth "
                                   "is counted in bins.");
    }
}

void takeThorlabsStack(const ThorlabsHeader& header, const ThorlabsDataFile& facts,
                       RecordingInfo& info) {
    if (info.frameCount < 2) return;
    const std::int64_t repeats = repeatsOf(header, info.frameCount);
    if (repeats > 1) info.notes.emplace_back("B-scans at each place", fmt::format("{}", repeats));
    const double rangeMm = header.pixels.sizeY > 1 ? header.pixels.rangeYMm : facts.rangeYMm;
    const bool onePlace = rangeMm <= 0.0 || info.frameCount <= repeats;
    if (onePlace) return;
    const bool repeated = header.pixels.sizeY * repeats == info.frameCount;
    info.frame.stack.bscansPerVolume = info.frameCount;
    info.frame.stack.repeats = repeated ? repeats : 1;
    info.frame.stack.spacingM = 1e-3 * rangeMm / static_cast<double>(info.frame.stack.places());
}

std::unique_ptr<Recording> openThorlabsImages(const ThorlabsArchive& file, RecordingInfo info,
                                              const Archive::Member& member, bool complex) {
    ThorlabsDataFile facts = file.facts(member.name);
    const ThorlabsDataFile& pixels = file.header.pixels;
    const auto orElse = [](auto& value, auto other) {
        if (value <= 0) value = other;
    };
    orElse(facts.sizeZ, pixels.sizeZ);
    orElse(facts.sizeX, pixels.sizeX);
    orElse(facts.rangeZMm, pixels.rangeZMm);
    orElse(facts.rangeXMm, pixels.rangeXMm);
    orElse(facts.sizeY, std::max<std::int64_t>(pixels.sizeY, 1));
    constexpr std::int64_t kMost = 1 << 24;
    constexpr std::int64_t kMostImages = 1 << 22;
    if (facts.sizeZ < 1 || facts.sizeX < 1 || facts.sizeZ > kMost || facts.sizeX > kMost)
        throw fileError(info.path, fmt::format("its Header.xml gives '{}' {} depths and {} lines; "
                                               "copy the file again",
                                               member.name, facts.sizeZ, facts.sizeX));
    const ElementType type{
        .kind = ElementType::Kind::Real, .bytes = 4, .components = complex ? 2 : 1};
    const std::uint64_t frameBytes = static_cast<std::uint64_t>(facts.sizeZ) *
                                     static_cast<std::uint64_t>(facts.sizeX) * type.size();
    const std::uint64_t size = file.archive->size(member);
    const auto held = static_cast<std::int64_t>(size / frameBytes);
    if (size % frameBytes != 0 || held < facts.sizeY || held > kMostImages)
        throw fileError(
            info.path,
            fmt::format("its entry '{}' has {} bytes, but {} of {} lines and {} depths take {}; "
                        "copy the file again",
                        member.name, size, counted(facts.sizeY, "image"), facts.sizeX, facts.sizeZ,
                        static_cast<std::uint64_t>(facts.sizeY) * frameBytes));
    std::vector<ArchiveArray::Place> places;
    for (std::int64_t i = 0; i < held; ++i)
        places.push_back({&member, static_cast<std::uint64_t>(i) * frameBytes});
    const ArrayMapping mapping{.axes = {ArrayAxis::Frame, ArrayAxis::Lateral, ArrayAxis::Depth}};
    auto source = std::make_unique<ArchiveArray>(
        file.archive, ArrayLayout{.type = type, .shape = {held, facts.sizeX, facts.sizeZ}},
        std::move(places));
    info.frameCount = held;
    info.frame = imageSpecOf(source->layout(), extentsOf(info.path, source->layout(), mapping),
                             complex ? RecordedForm::Beamformed : RecordedForm::Decibels);
    info.frame.axes = {placedAxis(AxisName::Depth, facts.sizeZ, facts.rangeZMm),
                       placedAxis(AxisName::Lateral, facts.sizeX, facts.rangeXMm)};
    takeThorlabsStack(file.header, facts, info);
    info.frame.valueRange = shownRangeOf(info.path, *source, mapping, info.frame);
    return makeArrayRecording(std::move(info), std::move(source), mapping);
}

} // namespace echolux
