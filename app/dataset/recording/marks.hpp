// SPDX-License-Identifier: GPL-3.0-or-later
// What was marked while a live source was recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct RecordingMark {
    std::int64_t frame = 0; ///< the newest one of the file at that moment, from 0
    double seconds = 0.0;   ///< since the first frame came
    std::string text = {};  ///< may be empty

    bool operator==(const RecordingMark&) const = default;
};

/// Path of the events beside a recording: marks, changed sliders, what went wrong.
std::filesystem::path eventsOf(const std::filesystem::path& recording);

/// The marks among these events whose frame is one of `frameCount`, in the order of their frames.
/// What is no such line is skipped; without the file there are none. Reads its first 4 MiB.
std::vector<RecordingMark> readMarks(const std::filesystem::path& recording,
                                     std::int64_t frameCount);

} // namespace echolux
