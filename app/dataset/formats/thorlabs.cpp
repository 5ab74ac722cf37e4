// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what a Thorlabs archive holds and opens the wanted recording. Independent readers of the
// format agree on all facts that are used here.
#include "app/dataset/formats/thorlabs.hpp"

#include "app/dataset/container/text_array.hpp"
#include "app/dataset/formats/thorlabs_parts.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <system_error>
#include <utility>

namespace echolux {

namespace {

constexpr const char* kHeaderName = "Header.xml";
constexpr std::string_view kSpectral = "data/spectral";
constexpr std::string_view kData = ".data";
constexpr std::array kCameras{"", "_cam1"};

std::string headerText(Archive& archive, const Archive::Member& member, std::uint64_t most) {
    std::string text(std::min(most, archive.size(member)), '\0');
    archive.read(member, 0, std::as_writable_bytes(std::span(text)));
    return text;
}

/// The number 3 of "data/spectral3_cam1.data"; nothing for other names.
std::optional<std::int64_t> numberOf(const std::string& stored, const std::string& suffix) {
    const std::string name = normalMemberName(stored);
    const std::string end = suffix + std::string(kData);
    if (!name.starts_with(kSpectral) || !name.ends_with(end)) return std::nullopt;
    const std::string_view digits = std::string_view(name).substr(
        kSpectral.size(), name.size() - kSpectral.size() - end.size());
    std::int32_t number = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || at != digits.data() + digits.size() || number < 0)
        return std::nullopt;
    return number;
}

struct Track {
    std::string name;
    std::function<std::unique_ptr<Recording>(RecordingInfo)> open;
};

void addSpectra(const ThorlabsArchive& file, const std::string& suffix,
                std::vector<Track>& tracks) {
    const std::string camera = suffix.empty() ? "" : ", second camera";
    if (auto members = thorlabsSpectra(file, suffix); !members.empty())
        tracks.push_back({"raw spectra" + camera, [&file, suffix, members](RecordingInfo info) {
                              return openThorlabsSpectra(file, std::move(info), members, suffix,
                                                         false);
                          }});
    const std::string real = fmt::format("data/SpectralFloat{}.data", suffix);
    if (const Archive::Member* member = file.archive->find(real))
        tracks.push_back(
            {"spectra of a line" + camera, [&file, suffix, real, member](RecordingInfo info) {
                 return openThorlabsSpectra(file, std::move(info), {{real, member}}, suffix, true);
             }});
}

void addImages(const ThorlabsArchive& file, const std::string& suffix, std::vector<Track>& tracks) {
    const std::string camera = suffix.empty() ? "" : ", second camera";
    const auto add = [&](const char* stem, const char* name, bool complex) {
        const Archive::Member* member =
            file.archive->find(fmt::format("data/{}{}.data", stem, suffix));
        if (member == nullptr) return;
        tracks.push_back({name + camera, [&file, member, complex](RecordingInfo info) {
                              return openThorlabsImages(file, std::move(info), *member, complex);
                          }});
    };
    add("Intensity", "processed levels", false);
    add("Complex", "processed complex amplitudes", true);
}

} // namespace

ThorlabsDataFile ThorlabsArchive::facts(const std::string& name) const {
    const ThorlabsDataFile* found = header.find(name);
    return found == nullptr ? ThorlabsDataFile{} : *found;
}

std::vector<float> ThorlabsArchive::floats(const std::string& name, std::int64_t most) const {
    const Archive::Member* found = archive->find(name);
    if (found == nullptr) return {};
    const std::uint64_t size = archive->size(*found);
    if (size % sizeof(float) != 0 || size / sizeof(float) > static_cast<std::uint64_t>(most))
        throw fileError(archive->path(),
                        fmt::format("its entry '{}' of {} bytes does not hold the {} values of a "
                                    "spectrum; copy the file again",
                                    found->name, size, most));
    std::vector<float> values(size / sizeof(float));
    archive->read(*found, 0, std::as_writable_bytes(std::span(values)));
    return values;
}

std::vector<ThorlabsSpectra> thorlabsSpectra(const ThorlabsArchive& file,
                                             const std::string& suffix) {
    std::map<std::int64_t, ThorlabsSpectra> found;
    for (const Archive::Member& member : file.archive->members()) {
        const auto number = numberOf(member.name, suffix);
        if (!number) continue;
        if (!found.try_emplace(*number, ThorlabsSpectra{member.name, &member}).second)
            throw fileError(file.archive->path(),
                            fmt::format("it holds '{}' twice; copy the file again", member.name));
    }
    if (found.empty()) return {};
    const std::size_t there = found.size();
    for (const auto& [name, facts] : file.header.files)
        if (const auto number = numberOf(name, suffix))
            found.try_emplace(*number, ThorlabsSpectra{name});
    std::vector<ThorlabsSpectra> members;
    std::int64_t next = found.begin()->first;
    for (auto& [number, each] : found) {
        for (; next < number && members.size() <= 2 * there; ++next)
            members.push_back({fmt::format("data\\Spectral{}{}.data", next, suffix)});
        members.push_back(std::move(each));
        next = number + 1;
    }
    const auto lost = std::ranges::find(members, nullptr, &ThorlabsSpectra::member);
    if (members.size() > 2 * there)
        throw fileError(file.archive->path(),
                        fmt::format("its entry '{}' is missing; copy the file again", lost->name));
    return members;
}

bool isThorlabs(const std::shared_ptr<Archive>& archive) {
    const Archive::Member* member = archive->find(kHeaderName);
    constexpr std::uint64_t kBeginning = 4096;
    return member != nullptr && beginsThorlabsHeader(headerText(*archive, *member, kBeginning));
}

std::unique_ptr<Recording> openThorlabs(std::shared_ptr<Archive> archive,
                                        const OpenOptions& options) {
    ThorlabsArchive parts{.archive = std::move(archive), .header = {}};
    const std::filesystem::path& path = parts.archive->path();
    const Archive::Member& xml = *parts.archive->find(kHeaderName); // isThorlabs() has found it
    if (parts.archive->size(xml) > kMostThorlabsHeaderBytes)
        throw fileError(path, fmt::format("its Header.xml has {} bytes, which no scan needs; copy "
                                          "the file again",
                                          parts.archive->size(xml)));
    parts.header =
        parseThorlabsHeader(path, headerText(*parts.archive, xml, kMostThorlabsHeaderBytes));

    std::vector<Track> tracks;
    for (const char* camera : kCameras) addSpectra(parts, camera, tracks);
    for (const char* camera : kCameras) addImages(parts, camera, tracks);
    if (tracks.empty())
        throw fileError(path, "it holds neither spectra nor processed images; save the recording "
                              "with its raw data");
    RecordingInfo info;
    info.path = path;
    info.format = "Thorlabs .oct";
    info.notes = parts.header.notes;
    for (const Track& each : tracks) info.tracks.push_back(each.name);
    info.track = chosenTrack(path, info.tracks, options);
    return tracks[info.track].open(std::move(info));
}

} // namespace echolux
