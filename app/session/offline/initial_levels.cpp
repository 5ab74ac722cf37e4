// SPDX-License-Identifier: GPL-3.0-or-later
// A few lines through the chain, and the range that shows them.
#include "app/session/offline/initial_levels.hpp"

#include "app/pipeline/runner.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "gpu/core/error.hpp"
#include "render/view/auto_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {
namespace {

constexpr std::int64_t kLines = 64;
constexpr std::int64_t kFrames = 4; ///< the first may be dark, or show an edge

/// Evenly spread over the recording, less what cannot be read.
std::vector<std::byte> spreadLines(Recording& recording, std::int64_t wanted) {
    const RecordingInfo& info = recording.info();
    const std::int64_t frames = std::min(kFrames, info.frameCount);
    const std::int64_t perFrame = (wanted + frames - 1) / frames;
    const std::int64_t there = info.frame.count() / info.frame.axes.back().size;
    const std::size_t lineBytes = info.frame.bytes() / static_cast<std::size_t>(there);
    std::vector<std::byte> frame(info.frame.bytes());
    std::vector<std::byte> lines;
    for (std::int64_t f = 0; f < frames; ++f) {
        try {
            recording.readFrame(f * info.frameCount / frames, frame);
        } catch (const Error&) {
            continue; // told of where it is played
        }
        for (std::int64_t i = 0; i < perFrame; ++i) {
            const auto* from =
                frame.data() + static_cast<std::size_t>(i * there / perFrame) * lineBytes;
            lines.insert(lines.end(), from, from + lineBytes);
        }
    }
    return lines;
}

std::vector<float> imageOf(const std::vector<std::byte>& lines, const FrameSpec& spec) {
    const SnapshotPtr snapshot = instantiate(shippedPipeline(defaultPipelineName(spec)), spec);
    std::vector<float> pixels(static_cast<std::size_t>(snapshot->output().count()));
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    runner.enqueue({lines.data(), pixels.data(), nullptr});
    runner.drain();
    return pixels;
}

} // namespace

void findInitialLevels(Recording& recording) {
    const FrameSpec& raw = recording.info().frame;
    if (raw.spectrometer == nullptr) return;
    try {
        auto few = frameOfLines(raw, kLines);
        if (!few) return;
        const std::vector<std::byte> lines = spreadLines(recording, few->axes.front().size);
        if (lines.empty()) return;
        few->axes.front().size = static_cast<std::int64_t>(
            lines.size() / bytesOf(raw.dtype, static_cast<std::size_t>(raw.axes.back().size)));
        if (const auto range = autoRange(imageOf(lines, *few), Content::Decibels))
            recording.suggest({std::floor(range->first), std::ceil(range->second)});
    } catch (const Error&) { // told of where the image is made
    }
}

} // namespace echolux
