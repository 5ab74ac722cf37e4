// SPDX-License-Identifier: GPL-3.0-or-later
// Raw spectra, usually one member per B-scan, lines one after another: apodization (reference)
// spectra, then A-scans. Where the header contradicts the number of bytes, the bytes count.
#include "app/dataset/container/archive_array.hpp"
#include "app/dataset/formats/thorlabs_parts.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/chirp.hpp"
#include "app/dataset/frames/raw_spectra.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/counted.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

constexpr std::int64_t kMostPixels = 1 << 20;
constexpr std::int64_t kMostStacked = 1 << 20; ///< B-scans of one member

/// The lines of one member.
struct MemberLines {
    const Archive::Member* member = nullptr;
    ThorlabsDataFile facts;
    std::int64_t lines = 0;
    bool whole = true; ///< no part of a line is left over
    bool apodizationOnly = false;
};

/// Where the lines of all B-scans lie.
struct ScanLayout {
    ElementType type;
    std::int64_t samples = 0;
    LineRegion scan;               ///< the A-scans of each B-scan
    std::int64_t stackedLines = 0; ///< from one B-scan of a member to the next
    std::vector<ArchiveArray::Place> places;
    std::optional<std::pair<const Archive::Member*, LineRegion>> apodization = {};

    std::uint64_t lineBytes() const { return static_cast<std::uint64_t>(samples) * type.size(); }
};

class SpectraReader {
public:
    SpectraReader(const ThorlabsArchive& file, RecordingInfo& info, bool real)
        : m_file(file), m_info(info), m_real(real) {}

    ScanLayout read(const std::vector<const Archive::Member*>& members) {
        ScanLayout layout;
        layout.type = typeOf(*members.front());
        layout.samples = samplesOf(*members.front());
        std::vector<MemberLines> scans;
        for (const Archive::Member* member : members) {
            MemberLines each = linesOf(*member, layout);
            if (each.apodizationOnly && members.size() > 1)
                takeApodization(each, layout);
            else
                scans.push_back(std::move(each));
        }
        if (scans.empty()) throw wrong("holds reference spectra only, no B-scan; copy it again");
        layout.scan = regionOf(scans, layout);
        const auto& apodization = scans.front().facts.apodization;
        if (!layout.apodization && apodization && apodization->lines() > 0)
            takeApodization(scans.front(), layout);
        place(scans, layout);
        return layout;
    }

private:
    Error wrong(const std::string& what) const { return fileError(m_info.path, "it " + what); }

    ElementType typeOf(const Archive::Member& member) const {
        if (m_real) return {.kind = ElementType::Kind::Real, .bytes = 4};
        int bytes = m_file.facts(member).bytesPerPixel;
        if (bytes == 0) bytes = m_file.header.bytesPerPixel;
        if (bytes == 0) bytes = 2;
        if (bytes != 1 && bytes != 2 && bytes != 4)
            throw wrong(fmt::format("has pixels of {} bytes, but Echolux reads 1, 2 and 4; save "
                                    "it again",
                                    bytes));
        return {.kind = m_file.header.rawIsSigned ? ElementType::Kind::Signed
                                                  : ElementType::Kind::Unsigned,
                .bytes = bytes};
    }

    std::int64_t samplesOf(const Archive::Member& member) const {
        std::int64_t samples = m_file.facts(member).sizeZ;
        if (samples == 0) samples = m_file.header.spectrometerElements;
        if (samples < 4 || samples > kMostPixels)
            throw wrong(fmt::format("has spectra of {} pixels by its Header.xml, which no "
                                    "spectrometer has; copy it again",
                                    samples));
        return samples;
    }

    MemberLines linesOf(const Archive::Member& member, const ScanLayout& layout) const {
        MemberLines result{.member = &member, .facts = m_file.facts(member)};
        const std::uint64_t size = m_file.archive->size(member);
        result.lines = static_cast<std::int64_t>(size / layout.lineBytes());
        result.whole = size % layout.lineBytes() == 0;
        const auto& apodization = result.facts.apodization;
        result.apodizationOnly = apodization && !result.facts.scan && apodization->lines() > 0 &&
                                 apodization->end >= result.lines;
        return result;
    }

    Error tooShort(const MemberLines& each, std::int64_t lines, const ScanLayout& layout) const {
        return wrong(fmt::format(
            "should hold {} of {} pixels in '{}', {} bytes, but there are {}; copy the file again",
            counted(lines, "line"), layout.samples, each.member->name,
            static_cast<std::uint64_t>(lines) * layout.lineBytes(),
            m_file.archive->size(*each.member)));
    }

    /// The region that the header states, unless all B-scans agree on other sizes.
    LineRegion regionOf(const std::vector<MemberLines>& scans, ScanLayout& layout) {
        const MemberLines& first = scans.front();
        const std::int64_t expected = first.facts.sizeX;
        const std::int64_t lines = first.lines;
        const bool agree = std::ranges::all_of(
            scans, [&](const MemberLines& each) { return each.whole && each.lines == lines; });
        const bool fewer = lines < expected || !first.whole || lines == 0;
        if (fewer && (!agree || scans.size() == 1 || lines == 0))
            throw tooShort(first, std::max(expected, lines + 1), layout);
        const std::int64_t planes = std::max(first.facts.sizeY, m_file.header.pixels.sizeY);
        const bool stacked =
            expected > 0 && planes > 1 && lines > expected && lines % expected == 0;
        layout.stackedLines = stacked ? expected : lines;
        if (!stacked && expected > 0 && lines != expected)
            m_info.warnings.push_back(
                fmt::format("Header.xml speaks of {} per B-scan, but '{}' holds {}; these count.",
                            counted(expected, "line"), first.member->name, lines));
        LineRegion region{0, layout.stackedLines};
        const auto& apodization = first.facts.apodization;
        if (first.facts.scan)
            region = *first.facts.scan;
        else if (apodization && apodization->first == 0)
            region.first = apodization->end;
        const bool toTheEnd = region.end == expected || region.end > layout.stackedLines;
        if (toTheEnd && agree) region.end = layout.stackedLines;
        if (region.first < 0 || region.lines() < 1 || region.end > layout.stackedLines)
            throw wrong(fmt::format("has A-scans {} to {} by its Header.xml, but {} per B-scan; "
                                    "copy it again",
                                    region.first, region.end,
                                    counted(layout.stackedLines, "line")));
        return region;
    }

    void takeApodization(const MemberLines& each, ScanLayout& layout) const {
        LineRegion region = *each.facts.apodization;
        region.end = std::min(region.end, each.lines);
        if (region.lines() < 1)
            m_info.warnings.push_back(fmt::format("Header.xml puts the reference spectra outside "
                                                  "'{}', so they are not used.",
                                                  each.member->name));
        else
            layout.apodization = {each.member, region};
    }

    void place(const std::vector<MemberLines>& scans, ScanLayout& layout) {
        const std::uint64_t lineBytes = layout.lineBytes();
        std::int64_t cut = 0;
        for (const MemberLines& each : scans) {
            const std::int64_t held =
                std::clamp<std::int64_t>(each.lines / layout.stackedLines, 1, kMostStacked);
            if (each.lines < layout.scan.end) ++cut;
            Opening::keep("the places of its B-scans",
                          (layout.places.size() + static_cast<std::uint64_t>(held)) *
                              sizeof(ArchiveArray::Place));
            for (std::int64_t b = 0; b < held; ++b)
                layout.places.push_back(
                    {each.member,
                     static_cast<std::uint64_t>(b * layout.stackedLines + layout.scan.first) *
                         lineBytes});
        }
        if (cut > 0)
            m_info.warnings.push_back(
                fmt::format("{} shorter than the others and cannot be shown; "
                            "copy the file again.",
                            cut == 1 ? "One B-scan is" : fmt::format("{} B-scans are", cut)));
    }

    const ThorlabsArchive& m_file;
    RecordingInfo& m_info;
    bool m_real;
};

std::vector<float> meanOfLines(const ThorlabsArchive& file, const ScanLayout& layout) {
    const auto& [member, region] = *layout.apodization;
    std::vector<double> sum(static_cast<std::size_t>(layout.samples), 0.0);
    std::vector<std::byte> line(layout.lineBytes());
    for (std::int64_t i = region.first; i < region.end; ++i) {
        file.archive->read(*member, static_cast<std::uint64_t>(i) * layout.lineBytes(), line);
        const std::vector<double> values = toDoubles(layout.type, line);
        for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += values[n];
    }
    std::vector<float> mean(sum.size());
    std::ranges::transform(sum, mean.begin(), [&](double value) {
        return static_cast<float>(value / static_cast<double>(region.lines()));
    });
    return mean;
}

/// Reference spectra in codes. NOTE: the stored reference contains the dark level as the spectra
/// do, so it cancels when one is subtracted from the other.
void takeReference(const ThorlabsArchive& file, const ScanLayout& layout, const std::string& suffix,
                   Spectrometer& facts, RecordingInfo& info) {
    if (layout.apodization) {
        facts.background = meanOfLines(file, layout);
        info.notes.emplace_back(kBackgroundNote,
                                fmt::format("{} of '{}'",
                                            counted(layout.apodization->second.lines(), "line"),
                                            layout.apodization->first->name));
        return;
    }
    for (const std::string& end : {suffix, std::string()}) {
        std::vector<float> stored =
            file.floats("data/ApodizationSpectrum" + end + ".data", layout.samples);
        if (static_cast<std::int64_t>(stored.size()) != layout.samples) continue;
        for (float& value : stored)
            value = static_cast<float>(value / file.header.electronsPerCount);
        facts.background = std::move(stored);
        info.notes.emplace_back(kBackgroundNote, "the reference spectrum that the file holds");
        return;
    }
}

void takeChirp(const ThorlabsArchive& file, const ScanLayout& layout, const std::string& suffix,
               Spectrometer& facts) {
    std::vector<float> stored = file.floats("data/Chirp" + suffix + ".data", layout.samples);
    if (stored.empty()) stored = file.floats("data/Chirp.data", layout.samples);
    if (stored.empty()) return;
    if (static_cast<std::int64_t>(stored.size()) != layout.samples)
        throw fileError(file.archive->path(),
                        fmt::format("its chirp has {} values for spectra of {} pixels; copy the "
                                    "file again",
                                    stored.size(), layout.samples));
    const std::vector<double> chirp(stored.begin(), stored.end());
    if (const auto broken = contradictionInMonotonic(chirp))
        throw fileError(file.archive->path(),
                        fmt::format("of its chirp, the wavenumber index of each pixel, {}; copy "
                                    "the file again",
                                    *broken));
    facts.resampling = inverseOfChirp(chirp);
}

/// Distance between the middles of neighbouring A-scans; 0 = unknown.
double lineSpacingOf(const ThorlabsArchive& file, const ThorlabsDataFile& facts,
                     std::int64_t lines) {
    const double rangeMm =
        file.header.pixels.rangeXMm > 0.0 ? file.header.pixels.rangeXMm : facts.rangeXMm;
    return 1e-3 * rangeMm / static_cast<double>(lines);
}

} // namespace

std::unique_ptr<Recording> openThorlabsSpectra(const ThorlabsArchive& file, RecordingInfo info,
                                               const std::vector<const Archive::Member*>& members,
                                               const std::string& suffix, bool real) {
    ScanLayout layout = SpectraReader(file, info, real).read(members);
    const ThorlabsDataFile facts = file.facts(*layout.places.front().member);
    const std::int64_t lines = layout.scan.lines();
    info.frameCount = std::ssize(layout.places);
    info.frame = spectraFrame(sampleTypeOf(layout.type, false), lines, layout.samples,
                              lineSpacingOf(file, facts, lines));
    if (!real) info.frame.codeScale = file.header.electronsPerCount;
    auto spectrometer = std::make_shared<Spectrometer>();
    takeReference(file, layout, suffix, *spectrometer, info);
    takeChirp(file, layout, suffix, *spectrometer);
    takeThorlabsWavelengths(file.header, layout.samples, *spectrometer, info);
    info.frame.spectrometer = std::move(spectrometer);
    takeThorlabsStack(file.header, facts, info);
    if (file.header.electronsPerCount != 1.0)
        info.notes.emplace_back("Electrons per count",
                                fmt::format("{:g}", file.header.electronsPerCount));
    if (file.header.averagedAScans > 1)
        info.notes.emplace_back("A-scans at each place",
                                fmt::format("{}", file.header.averagedAScans));
    const ArrayLayout array{.type = layout.type, .shape = {info.frameCount, lines, layout.samples}};
    return makeArrayRecording(
        std::move(info),
        std::make_unique<ArchiveArray>(file.archive, array, std::move(layout.places)),
        {.axes = {ArrayAxis::Frame, ArrayAxis::Channel, ArrayAxis::Sample}});
}

} // namespace echolux
