// SPDX-License-Identifier: GPL-3.0-or-later
// The ini file that OCTproZ writes beside its raw data. Its curves are polynomials of x = m / (n -
// 1). Resampling: c0 + c1 x + c2 x^2 + c3 x^3 is the source position of output sample m. Phase:
// spectra are multiplied by exp(-j theta), where theta has the same form with d0 to d3.
#include "app/dataset/formats/octproz.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/frames/curve.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace echolux {

namespace {

constexpr std::uint64_t kMostMetaBytes = std::uint64_t{1} << 20U;
constexpr std::string_view kSystemGroup = "Virtual%20OCT%20System";
constexpr std::string_view kRawEnd = "_raw";

using Polynomial = std::array<double, 4>;

/// Values by "group/key" of a small text, see isOctprozMeta().
class Meta {
public:
    explicit Meta(const std::filesystem::path& path) : m_path(path) {
        const InputFile file(path);
        std::string text(file.size(), '\0');
        file.read(0, std::as_writable_bytes(std::span(text)));
        parse(text);
    }

    bool describesSizes() const { return text(kSystemGroup, "width").has_value(); }

    std::optional<std::string> text(std::string_view group, std::string_view key) const {
        const auto at = m_values.find(fmt::format("{}/{}", group, key));
        return at == m_values.end() ? std::nullopt : std::optional(at->second);
    }
    bool flag(std::string_view group, std::string_view key) const {
        return text(group, key).value_or("false") == "true";
    }
    /// Returns `fallback` where the key is missing. Throws where the value is no number.
    double number(std::string_view group, std::string_view key, double fallback) const {
        const auto value = text(group, key);
        if (!value) return fallback;
        double number = 0.0;
        const char* end = value->data() + value->size();
        const auto [at, error] = std::from_chars(value->data(), end, number);
        if (error != std::errc() || at != end)
            throw wrong(fmt::format("'{}' is '{}', which is no number", key, *value));
        return number;
    }
    /// Throws where the key is missing or its value is outside `least` to `most`.
    std::int64_t size(std::string_view key, std::int64_t least, std::int64_t most) const {
        if (!text(kSystemGroup, key))
            throw wrong(fmt::format("it does not say '{}' of [{}]", key, kSystemGroup));
        const double value = number(kSystemGroup, key, 0.0);
        if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
            value != static_cast<double>(static_cast<std::int64_t>(value)))
            throw wrong(fmt::format("'{}' is {:g}, not a whole number from {} to {}", key, value,
                                    least, most));
        return static_cast<std::int64_t>(value);
    }
    Polynomial polynomial(std::string_view prefix) const {
        Polynomial terms{};
        for (std::size_t i = 0; i < terms.size(); ++i)
            terms[i] = number("processing", fmt::format("{}{}", prefix, i), 0.0);
        return terms;
    }
    Error wrong(const std::string& what) const {
        return fileError(m_path, what + "; correct it, or import the raw file by its sizes");
    }

private:
    void parse(std::string_view text) {
        std::string group;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::string_view line = trimmed(text.substr(0, end));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
            if (line.size() > 1 && line.front() == '[' && line.back() == ']')
                group = line.substr(1, line.size() - 2);
            else if (const std::size_t equals = line.find('=');
                     equals != std::string_view::npos && line.front() != ';')
                m_values[fmt::format("{}/{}", group, trimmed(line.substr(0, equals)))] =
                    trimmed(line.substr(equals + 1));
        }
    }

    std::filesystem::path m_path;
    std::map<std::string, std::string> m_values;
};

std::vector<double> sampled(const Polynomial& terms, std::int64_t samples) {
    std::vector<double> values(static_cast<std::size_t>(samples));
    for (std::size_t m = 0; m < values.size(); ++m) {
        const double x = static_cast<double>(m) / static_cast<double>(samples - 1);
        values[m] = terms[0] + x * (terms[1] + x * (terms[2] + x * terms[3]));
    }
    return values;
}

/// A file of the curve's name beside the description. NOTE: the named path leads to any file of
/// the user, which a stranger's description could show.
std::filesystem::path curveFile(const std::string& named, const std::filesystem::path& meta) {
    const std::size_t name = named.find_last_of("/\\");
    return meta.parent_path() / named.substr(name == std::string::npos ? 0 : name + 1);
}

std::vector<double> resamplingOf(const Meta& meta, const std::filesystem::path& metaPath,
                                 std::int64_t samples, RecordingInfo& info) {
    if (!meta.flag("processing", "resampling")) return {};
    if (!meta.flag("processing", "custom_resampling"))
        return sampled(meta.polynomial("resampling_c"), samples);
    const std::string named =
        meta.text("processing", "custom_resampling_filepath").value_or(std::string());
    const std::filesystem::path path = curveFile(named, metaPath);
    const InputFile file(path);
    std::vector<double> curve = readTextTable(file).series(path);
    info.notes.emplace_back("Resampling curve", path.string());
    if (static_cast<std::int64_t>(curve.size()) == samples) return curve;
    info.warnings.push_back(fmt::format("The resampling curve of {} values was stretched to the {} "
                                        "samples of a line.",
                                        curve.size(), samples));
    return stretchedCurve(curve, samples);
}

/// An error in a curve must not keep the samples from being shown.
void takeResampling(const Meta& meta, const std::filesystem::path& metaPath, std::int64_t samples,
                    RecordingInfo& info, Spectrometer& facts) {
    try {
        std::vector<double> curve = resamplingOf(meta, metaPath, samples, info);
        if (curve.empty()) return;
        const auto wrong = contradictionInCurve(curve, samples);
        if (!wrong) {
            facts.resampling = std::move(curve);
            return;
        }
        info.warnings.push_back(
            fmt::format("Of the resampling curve {}, so it is left out.", *wrong));
    } catch (const Error& error) {
        info.warnings.push_back(fmt::format("The resampling curve is left out: {}", error.what()));
    }
}

void takeDispersion(const Meta& meta, std::int64_t samples, Spectrometer& facts) {
    if (!meta.flag("processing", "dispersion_compensation")) return;
    facts.dispersionRad = sampled(meta.polynomial("dispersion_compensation_d"), samples);
    for (double& phase : facts.dispersionRad) phase = -phase;
}

void takeNotes(const Meta& meta, const std::filesystem::path& metaPath, RecordingInfo& info) {
    info.notes.emplace_back("Description", metaPath.string());
    const auto add = [&](const char* name, std::string_view group, std::string_view key) {
        if (const auto text = meta.text(group, key); text && !text->empty())
            info.notes.emplace_back(name, *text);
    };
    add("Recorded", "General", "timestamp");
    add("Comment", "record", "description");
    add("Bit depth", kSystemGroup, "bit_depth");
    const auto state = [&](std::string_view key) {
        return meta.flag("processing", key) ? "on" : "off";
    };
    info.notes.emplace_back(
        "Processed with",
        fmt::format("background removal {}, window {}, fixed pattern removal {}, sinusoidal scan "
                    "correction {}, {} scale from {} to {}",
                    state("background_removal"), state("windowing"), state("fixed_pattern_removal"),
                    state("sinusoidal_scan_correction"),
                    meta.flag("processing", "log") ? "logarithmic" : "linear",
                    meta.text("processing", "min").value_or("?"),
                    meta.text("processing", "max").value_or("?")));
    if (meta.flag("processing", "fixed_pattern_removal"))
        info.notes.emplace_back("To see it as it was shown",
                                "switch fixed_pattern on, which takes flat reflectors away, too");
}

RawImport importOf(const Meta& meta) {
    constexpr std::int64_t kMost = 1 << 20;
    const std::int64_t bits = meta.size("bit_depth", 1, 32);
    const auto bytes = static_cast<int>((bits + 7) / 8);
    constexpr int kShift = 4;
    RawImport import;
    import.type.element = ElementType{.kind = ElementType::Kind::Unsigned, .bytes = bytes};
    import.samplesPerLine = meta.size("width", 4, kMost);
    import.linesPerBscan = meta.size("height", 1, kMost);
    const bool shifted = meta.flag("processing", "bitshift");
    import.shift = shifted ? kShift : 0;
    // Every second B-scan, beginning with the first, was recorded backwards.
    if (meta.flag("processing", "flip_bscans")) import.mirrored = Mirrored::Even;
    return import;
}

/// The range of codes of `bit_depth` bits that are stored `shift` bits higher.
ConverterRange converterRange(const Meta& meta, int shift) {
    const auto bits = static_cast<int>(meta.size("bit_depth", 1, 32));
    return {0.0, std::ldexp(std::ldexp(1.0, bits) - 1.0, shift)};
}

/// A buffer is the unit that OCTproZ writes at once. The last one may be incomplete.
void takeVolumes(const Meta& meta, const InputFile& raw, RawImport& import, RecordingInfo& info) {
    constexpr std::int64_t kMost = 1 << 20;
    const std::int64_t perBuffer = meta.size("depth", 1, kMost);
    const std::int64_t perVolume = meta.text(kSystemGroup, "buffers_per_volume")
                                       ? meta.size("buffers_per_volume", 1, kMost)
                                       : 1;
    const RawFit fit = checkRawImport(import, raw.size());
    if (!fit.fits) return;
    import.bscansPerVolume = std::min(perBuffer * perVolume, std::max<std::int64_t>(fit.bscans, 1));
    if (fit.bscans % perBuffer != 0)
        info.warnings.push_back(fmt::format("The file holds {}, no whole number of buffers "
                                            "of {}: it was cut off, or its description is not its "
                                            "own.",
                                            counted(fit.bscans, "B-scan"), perBuffer));
}

} // namespace

bool isOctprozMeta(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    const InputFile file(path);
    return file.size() <= kMostMetaBytes && looksLikeText(file) && Meta(path).describesSizes();
}

std::optional<std::filesystem::path> findOctprozMeta(const std::filesystem::path& raw) {
    const std::string stem = raw.stem().string();
    std::vector<std::filesystem::path> places;
    if (stem.ends_with(kRawEnd))
        places.push_back(raw.parent_path() /
                         (stem.substr(0, stem.size() - kRawEnd.size()) + "_meta.txt"));
    places.push_back(std::filesystem::path(raw).replace_extension(".ini"));
    for (const auto& place : places)
        if (place != raw && isOctprozMeta(place)) return place;
    return std::nullopt;
}

std::unique_ptr<Recording> openOctproz(std::shared_ptr<const InputFile> raw,
                                       const std::filesystem::path& metaPath) {
    const Meta meta(metaPath);
    RecordingInfo info;
    info.path = raw->path();
    info.format = "OCTproZ raw";
    RawImport import = importOf(meta);
    takeVolumes(meta, *raw, import, info);
    takeNotes(meta, metaPath, info);
    auto facts = std::make_shared<Spectrometer>();
    takeResampling(meta, metaPath, import.samplesPerLine, info, *facts);
    takeDispersion(meta, import.samplesPerLine, *facts);
    facts->sinusoidalScan = meta.flag("processing", "sinusoidal_scan_correction");
    info.frame.spectrometer = std::move(facts);
    info.frame.codeScale = std::ldexp(1.0, -import.shift);
    info.frame.converterRange = converterRange(meta, import.shift);
    return openRawImport(std::move(raw), import, std::move(info));
}

} // namespace echolux
