// SPDX-License-Identifier: GPL-3.0-or-later
// Stores the description of headerless spectra beside them, and guesses a description.
#include "app/dataset/frames/raw_import.hpp"

#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "app/dataset/sidecar/kept_sidecar.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/dataset/sidecar/spectra_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>

namespace echolux {

namespace {

constexpr std::array<const char*, 4> kAxes{"volume", "bscan", "lateral", "sample"};

/// Spectra in an array that this sidecar describes; nothing where the sidecar says more than a
/// RawImport can hold.
std::optional<RawImport> importOfArray(const Sidecar& sidecar, ArrayContainer& container) {
    const SpectraSidecar& spectra = *sidecar.spectra;
    RawImport import;
    import.inArray = true;
    if (sidecar.arrays.size() > 1) return std::nullopt;
    if (!sidecar.arrays.empty()) import.array = sidecar.arrays.front();
    import.shape = container.open(import.array)->layout().shape;
    const bool usual =
        spectra.namedNone.empty() && spectra.axes.size() <= kAxes.size() &&
        spectra.axes.size() == import.shape.size() &&
        std::ranges::equal(spectra.axes |
                               std::views::transform([](SpectraAxis axis) { return nameOf(axis); }),
                           std::span(kAxes).last(spectra.axes.size()));
    const bool curves = !spectra.background.empty() || !spectra.resampling.empty() ||
                        !spectra.chirp.empty() || !spectra.dispersion.empty() ||
                        !spectra.wavelengthsM.empty() || !spectra.wavelengthPolynomial.empty();
    if (!usual || curves) return std::nullopt;
    takeSidecar(import, sidecar, {});
    return import;
}

/// The line minus its mean, scaled to length 1. All 0 where it is constant or not all finite.
std::vector<double> unitVector(const std::vector<float>& line) {
    std::vector<double> unit(line.size(), 0.0);
    const auto [least, most] = std::ranges::minmax(line);
    if (!(least < most)) return unit;
    double mean = 0.0;
    for (const float value : line) mean += value / static_cast<double>(line.size());
    double power = 0.0;
    for (std::size_t n = 0; n < line.size(); ++n) {
        unit[n] = line[n] - mean;
        power += unit[n] * unit[n];
    }
    if (!std::isfinite(power)) return std::vector<double>(line.size(), 0.0);
    for (double& value : unit) value /= std::sqrt(power);
    return unit;
}

/// How much the first lines resemble each other: the mean correlation of any two, about 0 to 1.
/// With the right length the shape of the spectrum repeats in each line. A slightly wrong length
/// shows in lines that are far apart.
double likenessOfLines(const InputFile& file, const RawImport& import) {
    constexpr std::int64_t kMostLines = 16;
    const auto samples = static_cast<std::size_t>(import.samplesPerLine);
    const std::uint64_t lineBytes = import.type.bytes(samples);
    const std::int64_t lines = std::min(import.linesPerBscan, kMostLines);
    if (lines < 2) return 0.0;
    std::vector<double> sum(samples, 0.0);
    double own = 0.0; // product of each line with itself
    for (std::int64_t i = 0; i < lines; ++i) {
        const std::uint64_t at = import.headerBytes + static_cast<std::uint64_t>(i) * lineBytes;
        const std::vector<double> unit =
            unitVector(meanSpectrum(file, at, import.type, 1, import.samplesPerLine));
        for (std::size_t n = 0; n < samples; ++n) {
            sum[n] += unit[n];
            own += unit[n] * unit[n];
        }
    }
    double all = 0.0;
    for (const double value : sum) all += value * value;
    return (all - own) / static_cast<double>(lines * (lines - 1));
}

/// Rounded, so that a line cut into equal parts, or several lines taken as one, do not win by
/// chance.
int ranked(double likeness) { return static_cast<int>(std::lround(20.0 * likeness)); }

/// `import` with the most usual number of lines that fits. `restIsHeader`: the remaining bytes are
/// its header.
std::optional<RawImport> fitting(RawImport import, std::uint64_t fileBytes, bool restIsHeader) {
    constexpr std::array<std::int64_t, 14> kLines{512, 1024, 256,  1000, 500, 2048, 128,
                                                  400, 200,  2000, 300,  100, 64,   32};
    constexpr std::uint64_t kMostHeader = 4096;
    for (const std::int64_t lines : kLines) {
        RawImport each = import;
        each.linesPerBscan = lines;
        RawFit fit = checkRawImport(each, fileBytes);
        if (restIsHeader && !fit.fits && fit.bscans > 0 && fit.restBytes <= kMostHeader) {
            each.headerBytes += fit.restBytes;
            fit = checkRawImport(each, fileBytes);
        }
        if (!fit.fits) continue;
        each.bscansPerVolume = std::min(import.bscansPerVolume, fit.bscans);
        return each; // the user may try other numbers of lines
    }
    return std::nullopt;
}

/// All sizes that fit, the most probable first.
std::vector<RawImport> fittingSizes(const InputFile& file, const RawImport& like,
                                    bool restIsHeader) {
    constexpr std::array<std::int64_t, 12> kSamples{512,  640,  768,  1000, 1024, 1280,
                                                    1344, 1536, 2000, 2048, 4096, 8192};
    struct Candidate {
        RawImport import;
        int likeness;
    };
    std::vector<Candidate> found;
    std::vector<std::uint64_t> headers{0};
    if (like.headerBytes != 0) headers.push_back(like.headerBytes);
    for (const std::uint64_t header : headers)
        for (const std::int64_t samples : kSamples) {
            RawImport import = like;
            import.headerBytes = header;
            import.samplesPerLine = samples;
            if (const auto fits = fitting(import, file.size(), restIsHeader))
                found.push_back({*fits, ranked(likenessOfLines(file, *fits))});
        }
    const auto rank = [](const Candidate& each) {
        const auto samples = static_cast<std::uint64_t>(each.import.samplesPerLine);
        return std::tuple(-each.likeness, !std::has_single_bit(samples), samples);
    };
    std::ranges::stable_sort(found, {}, rank);
    std::vector<RawImport> sizes;
    for (const Candidate& each : found) sizes.push_back(each.import);
    return sizes;
}

} // namespace

std::string toSidecar(const RawImport& import) {
    std::vector<SidecarEntry> entries = entriesOf(import);
    if (!import.array.empty()) entries.emplace_back("data.array", inQuotes(import.array));
    const std::size_t count =
        import.inArray ? std::min(import.shape.size(), kAxes.size()) : kAxes.size() - 1;
    entries.emplace_back(
        "data.axes", fmt::format("[\"{}\"]", fmt::join(std::span(kAxes).last(count), "\", \"")));
    if (!import.inArray)
        entries.emplace_back(
            "data.shape", fmt::format("[-1, {}, {}]", import.linesPerBscan, import.samplesPerLine));
    return sidecarText(entries, {"data", "spectrometer"});
}

std::vector<RawImport> suggestRawImports(const InputFile& file, const RawImport& like,
                                         std::size_t most) {
    std::vector<RawImport> sizes = fittingSizes(file, like, false);
    if (sizes.empty()) sizes = fittingSizes(file, like, true);
    if (sizes.size() > most) sizes.resize(most);
    return sizes;
}

std::unique_ptr<Recording> openSpectraImport(const std::shared_ptr<const InputFile>& file,
                                             const RawImport& import,
                                             std::shared_ptr<ArrayContainer> container) {
    if (!import.inArray) return openRawImport(file, import);
    if (!container) container = openContainer(file);
    if (!container) throw fileError(file->path(), "it holds no arrays that a sidecar can name");
    return openSpectra(file, container, parseSidecar(toSidecar(import), "your description"),
                       "Array");
}

std::filesystem::path rawImportPath(const std::filesystem::path& file) {
    return file.string() + ".toml";
}

std::filesystem::path writeRawImport(const std::filesystem::path& file, const RawImport& import) {
    const auto data = std::make_shared<const InputFile>(file);
    const RawFit fit = checkRawImport(import, data->size());
    if (!fit.fits)
        throw Error(
            fmt::format("The description of '{}' was not kept: {}", file.string(), fit.sentence));
    if (import.inArray) openSpectraImport(data, import);
    return keepSidecar(file, data->size(),
                       import.inArray ? "spectra as they were described"
                                      : "sizes of headerless spectra",
                       toSidecar(import));
}

std::optional<RawImport> readRawImport(const std::filesystem::path& file) {
    try {
        const auto data = std::make_shared<const InputFile>(file);
        const auto sidecar = findSidecar(file, data->size(), std::nullopt);
        if (!sidecar || !sidecar->spectra) return std::nullopt;
        if (!sidecar->dtype && !sidecar->spectra->packed)
            if (const auto container = openContainer(data))
                return importOfArray(*sidecar, *container);
        return describedImport(data, *sidecar);
    } catch (const Error&) { // reported where the file is opened
    }
    return std::nullopt;
}

} // namespace echolux
