// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses which of a file's recordings is opened.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// `options.track`, else the first track. Throws Error with a list of the tracks where this number
/// does not exist. Precondition: there is at least one track.
std::size_t chosenTrack(const std::filesystem::path& path, const std::vector<std::string>& tracks,
                        const OpenOptions& options);

} // namespace echolux
