// SPDX-License-Identifier: GPL-3.0-or-later
// Tracks, events and flat files of zea.
#include "app/dataset/formats/zea_tree.hpp"

#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostTracks = 1024;

struct Base {
    std::string where; ///< "" at the root
    std::string label; ///< empty where it has no label
};

std::string below(const std::string& group, const std::string& name) {
    return group.empty() ? name : group + "/" + name;
}

/// Groups `prefix`0, `prefix`1, ... below `group`, in the order of their numbers.
std::vector<Base> numbered(const Hdf5File& tree, const std::string& group,
                           const std::string& prefix) {
    std::map<std::size_t, std::string> found;
    for (const std::string& name : tree.children(group, kMostTracks)) {
        std::size_t number = 0;
        const char* end = name.data() + name.size();
        if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
        const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, number);
        if (error == std::errc{} && stop == end && tree.isGroup(below(group, name)))
            found.try_emplace(number, name);
    }
    std::vector<Base> bases;
    for (const auto& [number, name] : found) {
        if (number != bases.size()) break; // zea numbers them without gaps
        const std::string where = below(group, name);
        bases.push_back({where, tree.text(where + "/label").value_or(name)});
    }
    if (bases.size() == 1 && !tree.text(bases[0].where + "/label")) bases[0].label.clear();
    return bases;
}

std::vector<Base> basesOf(const Hdf5File& tree) {
    std::vector<Base> bases;
    if (tree.isGroup("tracks")) bases = numbered(tree, "tracks", "track_");
    if (bases.empty()) bases = numbered(tree, "", "event_");
    if (bases.empty()) bases.push_back({});
    return bases;
}

struct KindName {
    ZeaKind kind;
    const char* name;
    const char* words;
};
constexpr std::array kKinds{
    KindName{ZeaKind::Channels, "raw_data", "channel data"},
    KindName{ZeaKind::Beamformed, "beamformed_data", "beamformed data"},
    KindName{ZeaKind::Envelope, "envelope_data", "envelope"},
    KindName{ZeaKind::Image, "image", "image"},
    KindName{ZeaKind::Image, "image_sc", "image after scan conversion"},
};

/// The unit that a map states; empty where it states none, which zea also writes as a dash.
std::string unitOf(const Hdf5File& tree, const std::string& map) {
    const std::string unit = tree.text(map + "/unit").value_or("");
    return unit == "\xe2\x80\x93" ? "" : unit;
}

std::optional<ZeaTrack> trackOf(const Hdf5File& tree, const Base& base, const KindName& kind) {
    ZeaTrack track{.kind = kind.kind,
                   .label = kind.words,
                   .base = base.where,
                   .scan = below(base.where, "scan"),
                   .array = below(base.where, std::string("data/") + kind.name),
                   .map = {}};
    if (!base.label.empty())
        track.label = kind.kind == ZeaKind::Channels ? base.label : base.label + ": " + kind.words;
    if (tree.isGroup(track.array)) {
        track.map = track.array;
        track.array += tree.isDataset(track.map + "/pixels") ? "/pixels" : "/values";
    }
    if (!tree.isDataset(track.array)) return std::nullopt;
    if (!track.map.empty()) track.unit = unitOf(tree, track.map);
    return track;
}

/// The unit that zea fixes for a map of this name; empty for other names.
std::string unitOfMap(const std::string& name) {
    constexpr std::array<std::pair<const char*, const char*>, 6> kUnits{
        {{"sos_map", "m/s"},
         {"attenuation_map", "dB/m/Hz"},
         {"strain_percentage_map", "%"},
         {"shear_wave_elastography_map", "m/s"},
         {"tissue_doppler", "m/s"},
         {"color_doppler", "m/s"}}};
    for (const auto& [known, unit] : kUnits)
        if (name == known) return unit;
    return {};
}

/// "color doppler" of "color_doppler".
std::string wordsOf(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

/// The maps of a group with `values`: one for each of its labels, or the only one.
std::vector<ZeaTrack> mapsOf(const Hdf5File& tree, const Base& base, const std::string& name) {
    const std::string group = below(base.where, "data/" + name);
    // NOTE: channels whose delays were taken off have values and labels, as maps do.
    if (name == "aligned_data" || !tree.isGroup(group) || !tree.isNumeric(group + "/values"))
        return {};
    ZeaTrack track{.kind = ZeaKind::Map,
                   .label = (base.label.empty() ? "" : base.label + ": ") + wordsOf(name),
                   .base = base.where,
                   .scan = below(base.where, "scan"),
                   .array = group + "/values",
                   .map = group,
                   .unit = unitOf(tree, group)};
    if (track.unit.empty()) track.unit = unitOfMap(name);
    std::vector<std::string> labels;
    if (tree.isDataset(group + "/labels")) {
        const Hdf5Handle dataset(H5Dopen2(tree.id(), (group + "/labels").c_str(), H5P_DEFAULT));
        if (dataset && !dataObstacle(dataset.get())) labels = textsOfDataset(dataset.get());
    }
    std::vector<ZeaTrack> maps;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        maps.push_back(track);
        maps.back().label += ": " + labels[i];
        maps.back().place = i;
    }
    if (maps.empty()) maps.push_back(track);
    for (ZeaTrack& map : maps)
        if (!map.unit.empty()) map.label += " (" + map.unit + ")";
    return maps;
}

/// Adds the maps of a base, and the names of data that are none.
void addMaps(const Hdf5File& tree, const Base& base, std::vector<ZeaTrack>& maps,
             ZeaTracks& result) {
    const std::string data = below(base.where, "data");
    if (!tree.isGroup(data)) return;
    for (const std::string& name : tree.children(data, kMostTracks)) {
        if (std::ranges::any_of(kKinds, [&](const KindName& kind) { return name == kind.name; }))
            continue;
        std::vector<ZeaTrack> found;
        try {
            found = mapsOf(tree, base, name);
        } catch (const Error&) { // a link that leads out of the file, or a damaged header
        }
        if (found.empty()) result.unread.push_back(wordsOf(name));
        std::ranges::move(found, std::back_inserter(maps));
    }
}

} // namespace

ZeaTracks zeaTracks(const Hdf5File& tree) {
    ZeaTracks result;
    std::vector<ZeaTrack> images;
    std::vector<ZeaTrack> maps;
    for (const Base& base : basesOf(tree)) {
        bool any = false;
        for (const KindName& kind : kKinds) {
            auto track = trackOf(tree, base, kind);
            if (!track) continue;
            any = true;
            (kind.kind == ZeaKind::Channels ? result.tracks : images).push_back(std::move(*track));
        }
        const std::size_t before = maps.size();
        addMaps(tree, base, maps, result);
        if (!any && maps.size() == before)
            result.without.push_back({.label = base.label.empty() ? base.where : base.label,
                                      .base = base.where,
                                      .scan = below(base.where, "scan"),
                                      .array = {},
                                      .map = {}});
    }
    for (std::vector<ZeaTrack>* more : {&images, &maps})
        std::ranges::move(*more, std::back_inserter(result.tracks));
    return result;
}

std::string ZeaFields::nameOf(const std::string& name) const { return below(m_group, name); }

ZeaFields::Table ZeaFields::table(const std::string& name) const {
    constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;
    const std::string where = nameOf(name);
    if (!m_tree->isNumeric(where)) return {};
    const auto source = m_tree->open(where);
    const ArrayLayout& layout = source->layout();
    if (layout.type.components != 1 || layout.count() > kMostNumbers)
        throw fileError(m_tree->path(), fmt::format("'{}' is {}, too much for a table of settings; "
                                                    "the file is damaged",
                                                    where, layout.describe()));
    return {layout.shape, readNumbers(m_tree->path(), *source, where)};
}

std::optional<double> ZeaFields::number(const std::string& name) const {
    const Table found = table(name);
    if (found.empty()) return std::nullopt;
    if (found.values.size() != 1 || !std::isfinite(found.values.front()))
        throw fileError(m_tree->path(),
                        fmt::format("'{}' is no single number; correct it", nameOf(name)));
    return found.values.front();
}

} // namespace echolux
