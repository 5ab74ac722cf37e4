// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/recording/track_choice.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

std::size_t chosenTrack(const std::filesystem::path& path, const std::vector<std::string>& tracks,
                        const OpenOptions& options) {
    const std::size_t wanted = options.track.value_or(0);
    if (wanted < tracks.size()) return wanted;
    constexpr std::size_t kMostListed = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(tracks.size(), kMostListed); ++i)
        names += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", i + 1, tracks[i]);
    throw fileError(path,
                    fmt::format("track {} was asked for, but it holds {}{}; choose one of "
                                "these",
                                wanted + 1, names, tracks.size() > kMostListed ? ", ..." : ""));
}

} // namespace echolux
