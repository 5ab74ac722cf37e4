// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses one track of a zea file and passes it to the reader of its kind.
#include "app/dataset/formats/zea.hpp"

#include "app/dataset/container/detect.hpp"
#include "app/dataset/formats/zea_images.hpp"
#include "app/dataset/formats/zea_scan.hpp"
#include "app/dataset/formats/zea_tree.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace echolux {

namespace {

void refuseWithoutTracks(const Hdf5File& tree) {
    constexpr const char* kHolds =
        "it is a zea file that holds neither channel data (raw_data) nor "
        "images (beamformed_data, envelope_data, image) nor maps";
    throw fileError(tree.path(), fmt::format("{}, but {}; choose the recording that it was made "
                                             "from",
                                             kHolds, tree.list()));
}

void noteFile(const Hdf5File& tree, const ZeaTracks& tracks, RecordingInfo& info) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kNotes{
        {{"description", "Description"},
         {"us_machine", "System"},
         {"acquisition_time", "Recorded"},
         {"zea_version", "zea"}}};
    for (const auto& [attribute, name] : kNotes)
        if (const auto text = tree.textAttribute("", attribute); text && !text->empty())
            info.notes.emplace_back(name, *text);
    if (!tracks.unread.empty())
        info.notes.emplace_back("Not shown", fmt::format("{} (data of zea that are neither channel "
                                                         "data nor an image nor a map)",
                                                         fmt::join(tracks.unread, ", ")));
    std::vector<std::string> without;
    for (const ZeaTrack& track : tracks.without) without.push_back(track.label);
    if (!without.empty())
        info.notes.emplace_back(
            "Without data",
            fmt::format("{} (transmit only, or data that is no image)", fmt::join(without, ", ")));
}

} // namespace

bool looksLikeZea(const Hdf5File& tree) { return detectTree(tree) == Hdf5Kind::Zea; }

std::unique_ptr<Recording> openZea(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    const ZeaTracks found = zeaTracks(*tree);
    if (found.tracks.empty()) refuseWithoutTracks(*tree);
    RecordingInfo info;
    info.path = tree->path();
    info.format = "zea HDF5";
    for (const ZeaTrack& track : found.tracks) info.tracks.push_back(track.label);
    info.track = chosenTrack(info.path, info.tracks, options);
    noteFile(*tree, found, info);
    const ZeaTrack& track = found.tracks[info.track];
    return track.kind == ZeaKind::Channels ? openZeaChannels(tree, track, found, std::move(info))
                                           : openZeaImages(tree, track, std::move(info));
}

} // namespace echolux
