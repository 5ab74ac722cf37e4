// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses among the objects of a UFF file of USTB.
#include "app/dataset/formats/ustb.hpp"

#include "app/dataset/formats/ustb_objects.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace echolux {

namespace {

constexpr std::array<std::string_view, 5> kKnownVersions{"v1.0.0", "v1.0.1", "v1.1.0", "v1.1.1",
                                                         "v1.2.0"};

std::optional<std::string> versionOf(const Hdf5File& tree) {
    auto version = tree.textAttribute("", "version");
    while (version && !version->empty() && version->back() == ' ') version->pop_back();
    return version;
}

/// True where the text is a version as USTB writes it: "v1.2.0". PICMUS writes "v.0.0.40" instead.
bool isVersion(const std::string& text) {
    return text.size() > 1 && text[0] == 'v' &&
           std::isdigit(static_cast<unsigned char>(text[1])) != 0;
}

/// A list such as 'scan' (uff.linear_scan), ... of all objects in the file.
std::string objectsIn(const Hdf5File& tree) {
    constexpr std::size_t kMostListed = 8;
    std::string text;
    std::size_t listed = 0;
    for (const std::string& name : tree.children("")) {
        const std::string type = ustbClassOf(tree, name);
        if (type.empty()) continue;
        if (listed == kMostListed) return text + ", ...";
        text += fmt::format("{}'{}' ({})", listed == 0 ? "" : ", ", name, type);
        ++listed;
    }
    return text;
}

} // namespace

bool looksLikeUstb(const Hdf5File& tree) {
    const std::vector<std::string> names = tree.children("");
    const auto isObject = [&](const std::string& name) { return !ustbClassOf(tree, name).empty(); };
    if (std::ranges::any_of(names, isObject)) return true;
    // NOTE: no other format than USTB's own has `version` at the root beside such a group.
    const auto version = versionOf(tree);
    if (version && isVersion(*version) && tree.isGroup("channel_data")) return true;
    return !ustbObjects(tree, "uff.channel_data").empty() ||
           !ustbObjects(tree, "uff.beamformed_data").empty();
}

std::unique_ptr<Recording> openUstb(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    RecordingInfo info;
    info.path = tree->path();
    const auto version = versionOf(*tree);
    info.format = version ? fmt::format("USTB UFF ({})", *version) : "USTB UFF";
    if (version && std::ranges::count(kKnownVersions, *version) == 0) {
        if (!version->starts_with("v1."))
            throw fileError(info.path,
                            fmt::format("its UFF version is '{}', but Echolux reads {} to {}; "
                                        "write it again with a USTB of that time, or with "
                                        "pyuff_ustb",
                                        *version, kKnownVersions.front(), kKnownVersions.back()));
        info.warnings.push_back(fmt::format("The file has the UFF version '{}', which is newer "
                                            "than those that are known; check the image.",
                                            *version));
    }
    std::vector<std::string> objects = ustbObjects(*tree, "uff.channel_data");
    const std::size_t channelData = objects.size();
    for (std::string& images : ustbObjects(*tree, "uff.beamformed_data"))
        objects.push_back(std::move(images));
    if (objects.empty()) {
        const std::string others = objectsIn(*tree);
        throw fileError(info.path,
                        fmt::format("it is a UFF file of USTB with neither channel data nor "
                                    "beamformed data{}; write the channel_data object into it",
                                    others.empty() ? "" : ", but " + others));
    }
    info.track = chosenTrack(info.path, objects, options);
    const std::size_t chosen = info.track;
    const Hdf5Values object(tree, objects[chosen]);
    info.tracks = std::move(objects);
    return chosen < channelData ? openUstbChannelData(object, std::move(info))
                                : openUstbImages(object, std::move(info));
}

} // namespace echolux
