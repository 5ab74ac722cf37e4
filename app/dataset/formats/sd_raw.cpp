// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, little-endian: header, background spectra, A-scans (u16), then two f32 vectors with one
// value per sample. The first is an offset, which is not used. The second is the chirp: the
// wavenumber index of each pixel.
#include "app/dataset/formats/sd_raw.hpp"

#include "app/dataset/frames/chirp.hpp"
#include "app/dataset/frames/depth_scale.hpp"
#include "app/dataset/frames/raw_spectra.hpp"
#include "app/dataset/frames/spectra_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

namespace echolux {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kSdRawHeaderBytes = 552;
constexpr std::string_view kSignature = "SD01RAW";
constexpr std::size_t kLinesAt = 20;   ///< i32
constexpr std::size_t kSamplesAt = 36; ///< i32
constexpr std::size_t kDateAt = 44;    ///< text
constexpr std::size_t kDateBytes = 20;
constexpr std::size_t kWavelengthAt = 64; ///< f32, nm
constexpr std::size_t kBackgroundAt = 84; ///< u16
constexpr std::size_t kDepthStepAt = 104; ///< f32, mm per bin in air
constexpr std::uint64_t kVectors = 2;     ///< after the A-scans

using HeaderBytes = std::array<char, kSdRawHeaderBytes>;

template <class T> T valueAt(const HeaderBytes& bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

struct Layout {
    std::uint64_t samples = 0;
    std::uint64_t lines = 0;
    std::uint64_t background = 0;

    std::uint64_t lineBytes() const { return samples * sizeof(std::uint16_t); }
    std::uint64_t scansAt() const { return kSdRawHeaderBytes + background * lineBytes(); }
    std::uint64_t offsetAt() const { return scansAt() + lines * lineBytes(); }
    std::uint64_t chirpAt() const { return offsetAt() + samples * sizeof(float); }
    std::uint64_t fileBytes() const { return offsetAt() + kVectors * samples * sizeof(float); }
};

std::string sizeError(const Layout& layout, std::uint64_t fileSize) {
    const bool cut = fileSize < layout.fileBytes();
    return fmt::format(
        "its header describes {} background spectra and {} A-scans of {} samples, "
        "{} bytes in all, but the file has {} bytes, {} {}; {}",
        layout.background, layout.lines, layout.samples, layout.fileBytes(), fileSize,
        cut ? layout.fileBytes() - fileSize : fileSize - layout.fileBytes(), cut ? "fewer" : "more",
        cut ? "it was cut off, copy it again" : "it is damaged, copy it again");
}

Layout layoutOf(const InputFile& file, const HeaderBytes& header) {
    constexpr std::int32_t kMost = 1 << 20;
    const auto lines = valueAt<std::int32_t>(header, kLinesAt);
    const auto samples = valueAt<std::int32_t>(header, kSamplesAt);
    if (lines < 1 || samples < 2 || lines > kMost || samples > kMost)
        throw fileError(file.path(), fmt::format("its header speaks of {} A-scans of {} samples; "
                                                 "it is damaged, copy it again",
                                                 lines, samples));
    Layout layout{static_cast<std::uint64_t>(samples), static_cast<std::uint64_t>(lines),
                  valueAt<std::uint16_t>(header, kBackgroundAt)};
    // NOTE: all known files have as many A-scans as samples, so it is not certain which number is
    // which. Where they differ, only one order gives the file's size.
    const Layout swapped{layout.lines, layout.samples, layout.background};
    if (swapped.fileBytes() == file.size()) layout = swapped;
    if (layout.fileBytes() != file.size())
        throw fileError(file.path(), sizeError(layout, file.size()));
    return layout;
}

std::vector<double> resamplingOf(const InputFile& file, const Layout& layout) {
    std::vector<float> stored(layout.samples);
    file.read(layout.chirpAt(), std::as_writable_bytes(std::span(stored)));
    const std::vector<double> chirp(stored.begin(), stored.end());
    if (const auto wrong = contradictionInMonotonic(chirp))
        throw fileError(file.path(), fmt::format("of its chirp, the wavenumber index of each "
                                                 "pixel, {}; it is damaged, copy it again",
                                                 *wrong));
    return inverseOfChirp(chirp);
}

bool plausible(double value, double least, double most) {
    return std::isfinite(value) && value >= least && value <= most;
}

void readWavelengths(const HeaderBytes& header, Spectrometer& facts, RecordingInfo& info,
                     std::int64_t samples) {
    const double centreM = 1e-9 * valueAt<float>(header, kWavelengthAt);
    if (!plausible(centreM, 200e-9, 5e-6)) {
        info.warnings.emplace_back("The header holds no plausible centre wavelength, so depth is "
                                   "unknown.");
        return;
    }
    facts.centreWavelengthM = centreM;
    const double stepM = 1e-3 * valueAt<float>(header, kDepthStepAt);
    if (!plausible(stepM, 0.1e-6, 100e-6)) return;
    facts.bandwidthM = bandwidthOfDepthStep(centreM, stepM, samples);
    info.notes.emplace_back("Depth per bin", fmt::format("{:.4g} um in air, from the header; it "
                                                         "gives the bandwidth",
                                                         stepM * 1e6));
}

std::string dateOf(const HeaderBytes& header) {
    std::string text(header.data() + kDateAt, kDateBytes);
    text.resize(std::min(text.find('\0'), text.size()));
    const bool printable = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
    return printable ? text : std::string();
}

} // namespace

bool isSdRaw(const InputFile& file) {
    std::string head(kSignature.size(), '\0');
    if (file.size() < head.size()) return false;
    file.read(0, std::as_writable_bytes(std::span(head)));
    return head == kSignature;
}

std::unique_ptr<Recording> openSdRaw(std::shared_ptr<const InputFile> file) {
    if (file->size() < kSdRawHeaderBytes)
        throw fileError(file->path(), fmt::format("it ends within its header of {} bytes; it was "
                                                  "cut off, copy it again",
                                                  kSdRawHeaderBytes));
    HeaderBytes header{};
    file->read(0, std::as_writable_bytes(std::span(header)));
    const Layout layout = layoutOf(*file, header);
    const SpectrumType type = *parseSpectrumType("<u2");
    const auto samples = static_cast<std::int64_t>(layout.samples);

    RecordingInfo info;
    info.path = file->path();
    info.format = "raw B-scan of a spectral-domain device (SD01RAW)";
    info.frameCount = 1;
    info.frame = spectraFrame(type.dtype(), static_cast<std::int64_t>(layout.lines), samples, 0.0);
    auto facts = std::make_shared<Spectrometer>();
    if (layout.background > 0) {
        facts->background = meanSpectrum(*file, kSdRawHeaderBytes, type,
                                         static_cast<std::int64_t>(layout.background), samples);
        info.notes.emplace_back(kBackgroundNote,
                                fmt::format("mean of {} spectra", layout.background));
    }
    facts->resampling = resamplingOf(*file, layout);
    readWavelengths(header, *facts, info, samples);
    info.frame.spectrometer = std::move(facts);
    if (const std::string date = dateOf(header); !date.empty())
        info.notes.emplace_back("Recorded", date);

    const RawSpectra spectra{.type = type,
                             .samples = samples,
                             .lines = static_cast<std::int64_t>(layout.lines),
                             .offset = layout.scansAt(),
                             .stride = layout.lines * layout.lineBytes()};
    return makeRawSpectra(std::move(info), std::move(file), spectra);
}

} // namespace echolux
