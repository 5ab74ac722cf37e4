// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a file's recordings is opened.
#pragma once

#include "app/dataset/recording/recording.hpp"

namespace echolux {

/// `options.track`, else the first of `tracks`; throws, with the list of them, where there is none
/// of that number. At least one track is expected.
std::size_t chosenTrack(const std::filesystem::path& path, const std::vector<std::string>& tracks,
                        const OpenOptions& options);

} // namespace echolux
