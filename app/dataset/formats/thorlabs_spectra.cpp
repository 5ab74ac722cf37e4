// SPDX-License-Identifier: GPL-3.0-or-later
// Raw spectra, usually one member per B-scan, lines one after another: apodization (reference)
// spectra, then A-scans. Where the header contradicts the number of bytes, the bytes count.
#include "app/dataset/container/archive_array.hpp"
#include "app/dataset/formats/thorlabs_parts.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/chirp.hpp"
#include "app/dataset/frames/raw_spectra.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/converter_range.hpp"
#include "app/dataset/recording/counted.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace echolux {

namespace {

constexpr std::int64_t kMostPixels = 1 << 20;
constexpr std::int64_t kMostStacked = 1 << 20; ///< B-scans of one member

/// The lines of one member.
struct MemberLines {
    std::string name;
    const Archive::Member* member = nullptr; ///< null: it is missing
    ThorlabsDataFile facts;
    std::int64_t lines = 0;
    bool whole = true; ///< no part of a line is left over
    bool apodizationOnly = false;
};

/// Where the lines of all B-scans lie.
struct ScanLayout {
    ElementType type;
    std::int64_t samples = 0;
    LineRegion scan;                         ///< the A-scans of each B-scan
    std::int64_t stackedLines = 0;           ///< from one B-scan of a member to the next
    std::vector<ArchiveArray::Place> places; ///< without a member: a gap
    ThorlabsDataFile facts;                  ///< of the first whole B-scan
    std::int64_t gaps = 0;
    std::optional<std::pair<const Archive::Member*, LineRegion>> apodization = {};

    std::uint64_t lineBytes() const { return static_cast<std::uint64_t>(samples) * type.size(); }
};

class SpectraReader {
public:
    SpectraReader(const ThorlabsArchive& file, RecordingInfo& info, bool real)
        : m_file(file), m_info(info), m_real(real) {}

    ScanLayout read(const std::vector<ThorlabsSpectra>& members) {
        ScanLayout layout;
        const std::string& held = std::ranges::find_if(members, [](const auto& each) {
                                      return each.member != nullptr;
                                  })->name;
        layout.type = typeOf(held);
        layout.samples = samplesOf(held);
        std::vector<MemberLines> scans;
        for (const ThorlabsSpectra& member : members) {
            MemberLines each = linesOf(member, layout);
            if (each.apodizationOnly && members.size() > 1)
                takeApodization(each, layout);
            else
                scans.push_back(std::move(each));
        }
        const MemberLines& first = firstWhole(scans);
        layout.facts = first.facts;
        layout.scan = regionOf(scans, first, layout);
        const auto& apodization = first.facts.apodization;
        if (!layout.apodization && apodization && apodization->lines() > 0)
            takeApodization(first, layout);
        place(scans, layout);
        return layout;
    }

private:
    Error wrong(const std::string& what) const { return fileError(m_info.path, "it " + what); }

    ElementType typeOf(const std::string& member) const {
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

    std::int64_t samplesOf(const std::string& member) const {
        std::int64_t samples = m_file.facts(member).sizeZ;
        if (samples == 0) samples = m_file.header.spectrometerElements;
        if (samples < 4 || samples > kMostPixels)
            throw wrong(fmt::format("has spectra of {} pixels by its Header.xml, which no "
                                    "spectrometer has; copy it again",
                                    samples));
        return samples;
    }

    MemberLines linesOf(const ThorlabsSpectra& member, const ScanLayout& layout) const {
        MemberLines result{
            .name = member.name, .member = member.member, .facts = m_file.facts(member.name)};
        const std::uint64_t size =
            member.member == nullptr ? 0 : m_file.archive->size(*member.member);
        result.lines = static_cast<std::int64_t>(size / layout.lineBytes());
        result.whole = size % layout.lineBytes() == 0;
        const auto& apodization = result.facts.apodization;
        result.apodizationOnly = apodization && !result.facts.scan && apodization->lines() > 0 &&
                                 apodization->end >= std::max(result.lines, result.facts.sizeX);
        return result;
    }

    /// The first B-scan with all lines that the header names; the first one that is there where
    /// none has them.
    const MemberLines& firstWhole(const std::vector<MemberLines>& scans) const {
        const auto there = std::ranges::find_if(
            scans, [](const MemberLines& each) { return each.member != nullptr; });
        if (there == scans.end())
            throw wrong("holds reference spectra only, no B-scan; copy it again");
        const auto whole = std::ranges::find_if(scans, [](const MemberLines& each) {
            return each.lines > 0 && each.whole && each.lines >= each.facts.sizeX;
        });
        return whole == scans.end() ? *there : *whole;
    }

    Error tooShort(const MemberLines& each, std::int64_t lines, const ScanLayout& layout) const {
        return wrong(fmt::format(
            "should hold {} of {} pixels in '{}', {} bytes, but there are {}; copy the file again",
            counted(lines, "line"), layout.samples, each.name,
            static_cast<std::uint64_t>(lines) * layout.lineBytes(),
            m_file.archive->size(*each.member)));
    }

    /// The region that the header states, unless all B-scans agree on other sizes.
    LineRegion regionOf(const std::vector<MemberLines>& scans, const MemberLines& first,
                        ScanLayout& layout) {
        const std::int64_t expected = first.facts.sizeX;
        const std::int64_t lines = first.lines;
        const bool agree = std::ranges::all_of(scans, [&](const MemberLines& each) {
            return each.member == nullptr || (each.whole && each.lines == lines);
        });
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
                            counted(expected, "line"), first.name, lines));
        LineRegion region{0, layout.stackedLines};
        const auto& apodization = first.facts.apodization;
        if (first.facts.scan)
            region = *first.facts.scan;
        else if (apodization && apodization->first == 0)
            region.first = apodization->end;
        const bool toTheEnd = region.end == expected || region.end > layout.stackedLines;
        if (toTheEnd && agree) region.end = layout.stackedLines;
        if (region.lines() < 1 || region.end > layout.stackedLines)
            throw wrong(fmt::format("has A-scans {} to {} by its Header.xml, but {} per B-scan; "
                                    "copy it again",
                                    region.first, region.end,
                                    counted(layout.stackedLines, "line")));
        return region;
    }

    void takeApodization(const MemberLines& each, ScanLayout& layout) const {
        LineRegion region = *each.facts.apodization;
        region.end = std::min(region.end, each.lines);
        if (each.member == nullptr)
            m_info.warnings.push_back(fmt::format("The reference spectra in '{}' are missing, so "
                                                  "they are not used; copy the file again.",
                                                  each.name));
        else if (region.lines() < 1)
            m_info.warnings.push_back(fmt::format("Header.xml puts the reference spectra outside "
                                                  "'{}', so they are not used.",
                                                  each.name));
        else
            layout.apodization = {each.member, region};
    }

    void place(const std::vector<MemberLines>& scans, ScanLayout& layout) {
        const std::uint64_t lineBytes = layout.lineBytes();
        std::string lost;
        for (const MemberLines& each : scans) {
            const bool isLost = each.lines < layout.scan.end;
            const std::int64_t held =
                std::clamp<std::int64_t>(each.lines / layout.stackedLines, 1, kMostStacked);
            Opening::keep("the places of its B-scans",
                          (layout.places.size() + static_cast<std::uint64_t>(held)) *
                              sizeof(ArchiveArray::Place));
            if (isLost) {
                if (lost.empty()) lost = each.name;
                ++layout.gaps;
            }
            for (std::int64_t b = 0; b < held; ++b)
                layout.places.push_back(
                    {isLost ? nullptr : each.member,
                     static_cast<std::uint64_t>(b * layout.stackedLines + layout.scan.first) *
                         lineBytes});
        }
        if (layout.gaps > 0)
            m_info.warnings.push_back(fmt::format(
                "{} of {} B-scans {} empty: missing or cut short in the file, first '{}'; copy it "
                "again.",
                layout.gaps, layout.places.size(), layout.gaps == 1 ? "stays" : "stay", lost));
    }

    const ThorlabsArchive& m_file;
    RecordingInfo& m_info;
    bool m_real;
};

/// The samples as F32. Those of a gap are no numbers.
class ArrayWithGaps : public ArraySource {
public:
    ArrayWithGaps(std::unique_ptr<ArraySource> source,
                  const std::vector<ArchiveArray::Place>& places)
        : m_source(std::move(source)) {
        m_layout = m_source->layout();
        m_layout.type = {.kind = ElementType::Kind::Real, .bytes = 4};
        for (const ArchiveArray::Place& place : places) m_isGap.push_back(place.member == nullptr);
    }
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override {
        const std::size_t slice = out.size() / m_isGap.size();
        for (std::size_t i = 0; i < m_isGap.size(); ++i)
            readSlice(0, static_cast<std::int64_t>(i), out.subspan(i * slice, slice));
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        const std::span values(reinterpret_cast<float*>(out.data()), out.size() / sizeof(float));
        if (m_isGap[static_cast<std::size_t>(index)]) {
            std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
            return;
        }
        const ElementType& type = m_source->layout().type;
        m_stored.resize(values.size() * type.size());
        m_source->readSlice(axis, index, m_stored);
        std::ranges::transform(toDoubles(type, m_stored), values.begin(),
                               [](double value) { return static_cast<float>(value); });
    }

private:
    std::unique_ptr<ArraySource> m_source;
    std::vector<bool> m_isGap;
    std::vector<std::byte> m_stored;
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
                                               const std::vector<ThorlabsSpectra>& members,
                                               const std::string& suffix, bool real) {
    ScanLayout layout = SpectraReader(file, info, real).read(members);
    const std::int64_t lines = layout.scan.lines();
    info.frameCount = std::ssize(layout.places);
    const DType stored = sampleTypeOf(layout.type, false);
    info.frame = spectraFrame(layout.gaps > 0 ? DType::F32 : stored, lines, layout.samples,
                              lineSpacingOf(file, layout.facts, lines));
    if (!real) info.frame.codeScale = file.header.electronsPerCount;
    info.firstFrameSound = layout.places.front().member != nullptr;
    if (layout.gaps > 0) info.frame.converterRange = fullRangeOf(stored);
    auto spectrometer = std::make_shared<Spectrometer>();
    takeReference(file, layout, suffix, *spectrometer, info);
    takeChirp(file, layout, suffix, *spectrometer);
    takeThorlabsWavelengths(file.header, layout.samples, *spectrometer, info);
    info.frame.spectrometer = std::move(spectrometer);
    takeThorlabsStack(file.header, layout.facts, info);
    if (file.header.electronsPerCount != 1.0)
        info.notes.emplace_back("Electrons per count",
                                fmt::format("{:g}", file.header.electronsPerCount));
    if (file.header.averagedAScans > 1)
        info.notes.emplace_back("A-scans at each place",
                                fmt::format("{}", file.header.averagedAScans));
    const ArrayLayout array{.type = layout.type, .shape = {info.frameCount, lines, layout.samples}};
    std::unique_ptr<ArraySource> source =
        std::make_unique<ArchiveArray>(file.archive, array, layout.places);
    if (layout.gaps > 0) source = std::make_unique<ArrayWithGaps>(std::move(source), layout.places);
    return makeArrayRecording(std::move(info), std::move(source),
                              {.axes = {ArrayAxis::Frame, ArrayAxis::Channel, ArrayAxis::Sample}});
}

} // namespace echolux
