// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the description of headerless spectra beside them, and guesses what it could be.
#include "app/dataset/raw_import.hpp"

#include "app/dataset/whole_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <tuple>

namespace echolux {

namespace {

/// First line of each file that writeRawImport writes, by which it knows its own.
constexpr std::string_view kOwnMark = "# Written by Echolux: sizes of headerless spectra";

std::string asSidecar(const RawImport& import) {
    const SpectrumType& type = import.type;
    std::string text = fmt::format(
        "{}\n[data]\ndtype = \"{}\"\noffset = {}\ntrailer = {}\nshape = [-1, {}, {}]\n"
        "axes = [\"bscan\", \"lateral\", \"sample\"]\n",
        kOwnMark, type.element ? nameOf(*type.element) : std::string("packed12"),
        import.headerBytes, import.trailerBytes, import.linesPerBscan, import.samplesPerLine);
    if (import.shift != 0) text += fmt::format("shift = {}\n", import.shift);
    if (import.backgroundLines != 0)
        text += fmt::format("background_lines = {}\nbackground_per_bscan = {}\n",
                            import.backgroundLines, import.backgroundPerBscan);
    if (import.mirrored != Mirrored::None)
        text += fmt::format("mirrored_bscans = \"{}\"\n",
                            import.mirrored == Mirrored::Even ? "even" : "odd");
    text += fmt::format("[spectrometer]\nbscans_per_volume = {}\n", import.bscansPerVolume);
    for (const auto& [key, value] : {std::pair{"line_spacing", import.lineSpacingM},
                                     {"bscan_spacing", import.bscanSpacingM},
                                     {"bscan_rate", import.bscanRateHz},
                                     {"centre_wavelength", import.centreWavelengthM},
                                     {"bandwidth", import.bandwidthM}})
        if (value > 0.0) text += fmt::format("{} = {:e}\n", key, value);
    return text;
}

bool isOwn(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) && line == kOwnMark;
}

/// Correlation coefficient of two lines, 0 where one of them is constant.
double likeness(std::span<const double> a, std::span<const double> b) {
    const auto n = static_cast<double>(a.size());
    double sumA = 0.0, sumB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sumA += a[i];
        sumB += b[i];
    }
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i] - sumA / n;
        const double y = b[i] - sumB / n;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

/// How much neighbouring lines of the first B-scan resemble each other, -1 to 1: a spectrum's
/// shape comes back in each line, if lines are cut where they begin.
double likenessOfLines(const InputFile& file, const RawImport& import) {
    constexpr std::int64_t kMostLines = 16;
    const auto samples = static_cast<std::size_t>(import.samplesPerLine);
    const std::uint64_t lineBytes = import.type.bytes(samples);
    const std::int64_t lines = std::min(import.linesPerBscan, kMostLines);
    double sum = 0.0;
    std::vector<float> before;
    for (std::int64_t i = 0; i < lines; ++i) {
        const std::uint64_t at = import.headerBytes + static_cast<std::uint64_t>(i) * lineBytes;
        std::vector<float> line = meanSpectrum(file, at, import.type, 1, import.samplesPerLine);
        if (!before.empty())
            sum += likeness(std::vector<double>(before.begin(), before.end()),
                            std::vector<double>(line.begin(), line.end()));
        before = std::move(line);
    }
    return lines > 1 ? sum / static_cast<double>(lines - 1) : 0.0;
}

/// Rounded, so that a line cut into equal parts, or several taken as one, does not win by chance.
int ranked(double likeness) { return static_cast<int>(std::lround(20.0 * likeness)); }

} // namespace

std::vector<RawImport> suggestRawImports(const InputFile& file, const RawImport& like,
                                         std::size_t most) {
    constexpr std::array<std::int64_t, 12> kSamples{512,  640,  768,  1000, 1024, 1280,
                                                    1344, 1536, 2000, 2048, 4096, 8192};
    constexpr std::array<std::int64_t, 14> kLines{512, 1024, 256,  1000, 500, 2048, 128,
                                                  400, 200,  2000, 300,  100, 64,   32};
    struct Candidate {
        RawImport import;
        int likeness;
        std::int64_t order;
    };
    std::vector<Candidate> found;
    std::vector<std::uint64_t> headers{0};
    if (like.headerBytes != 0) headers.push_back(like.headerBytes);
    for (const std::uint64_t header : headers)
        for (const std::int64_t samples : kSamples) {
            RawImport import = like;
            import.headerBytes = header;
            import.samplesPerLine = samples;
            std::int64_t order = 0;
            std::optional<int> measured;
            for (const std::int64_t lines : kLines) {
                import.linesPerBscan = lines;
                ++order;
                const RawFit fit = checkRawImport(import, file.size());
                if (!fit.fits) continue;
                import.bscansPerVolume = std::min(like.bscansPerVolume, fit.bscans);
                if (!measured) measured = ranked(likenessOfLines(file, import));
                found.push_back({import, *measured, order});
                break; // the other numbers of lines are for the user to try
            }
        }
    std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) {
        return std::tuple(-a.likeness, a.import.samplesPerLine, a.order) <
               std::tuple(-b.likeness, b.import.samplesPerLine, b.order);
    });
    std::vector<RawImport> result;
    for (const Candidate& candidate : found)
        if (result.size() < most) result.push_back(candidate.import);
    return result;
}

std::filesystem::path rawImportPath(const std::filesystem::path& file) {
    return file.string() + ".toml";
}

std::filesystem::path writeRawImport(const std::filesystem::path& file, const RawImport& import) {
    const InputFile data(file);
    const RawFit fit = checkRawImport(import, data.size());
    if (!fit.fits)
        throw Error(
            fmt::format("The description of '{}' was not kept: {}", file.string(), fit.sentence));
    const std::filesystem::path path = rawImportPath(file);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)) && !isOwn(path))
        throw Error(fmt::format("'{}' stands there already and was not written here; move it away "
                                "or rename it first.",
                                path.string()));
    writeWhole(path, asSidecar(import));
    return path;
}

} // namespace echolux
