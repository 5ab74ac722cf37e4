// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of frames.
#include "app/dataset/recording/ensemble.hpp"

#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace echolux {

std::int64_t EnsembleWindows::firstOf(std::int64_t frame) const {
    return std::clamp<std::int64_t>(frame / each, 0, count() - 1) * each;
}

EnsembleWindows windowsOf(const RecordingInfo& info, std::int64_t frames,
                          std::string_view pipeline) {
    const EnsembleWindows windows{frames, info.frameCount};
    if (windows.count() > 0) return windows;
    throw Error(fmt::format("{} has {}, but the pipeline '{}' takes {} at once; write a smaller "
                            "ensemble under [recording], or open a longer recording.",
                            info.path.filename().string(), counted(info.frameCount, "frame"),
                            pipeline, windows.each));
}

void readFrames(Recording& recording, std::int64_t first, std::span<std::byte> out) {
    const std::size_t each = recording.info().frame.bytes();
    for (std::size_t at = 0; at + each <= out.size(); at += each)
        recording.readFrame(first + static_cast<std::int64_t>(at / each), out.subspan(at, each));
}

} // namespace echolux
