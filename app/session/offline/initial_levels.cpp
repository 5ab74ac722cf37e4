// SPDX-License-Identifier: GPL-3.0-or-later
// Images a few lines and finds the range that shows them.
#include "app/session/offline/initial_levels.hpp"

#include "app/dataset/recording/live_frames.hpp"
#include "app/pipeline/runner.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"
#include "render/view/auto_range.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {
namespace {

constexpr std::int64_t kLines = 64;
constexpr std::int64_t kFrames = 4;       ///< the first frame may be dark or show an edge
constexpr std::int64_t kPeakLines = 4096; ///< lines of ultrasound
constexpr std::int64_t kPeakBytes = std::int64_t{64} << 20; ///< bytes of frames read for them

std::int64_t linesIn(const FrameSpec& frame) { return frame.count() / frame.axes.back().size; }

/// Lines spread evenly over the recording, without those that cannot be read.
std::vector<std::byte> spreadLines(Recording& recording, std::int64_t wanted,
                                   std::int64_t mostFrames) {
    const RecordingInfo& info = recording.info();
    KeptFrames there{0, info.frameCount - 1};
    if (LiveFrames* live = recording.live()) there = live->kept();
    const std::int64_t frames = std::min(mostFrames, there.count());
    const std::int64_t inFrame = linesIn(info.frame);
    const std::int64_t perFrame = std::min(inFrame, (wanted + frames - 1) / frames);
    const std::size_t lineBytes = info.frame.bytes() / static_cast<std::size_t>(inFrame);
    std::vector<std::byte> frame(info.frame.bytes());
    std::vector<std::byte> lines;
    for (std::int64_t f = 0; f < frames; ++f) {
        try {
            recording.readFrame(there.first + f * there.count() / frames, frame);
        } catch (const Error&) {
            continue; // reported when it is played
        }
        for (std::int64_t i = 0; i < perFrame; ++i) {
            const auto* from =
                frame.data() + static_cast<std::size_t>(i * inFrame / perFrame) * lineBytes;
            lines.insert(lines.end(), from, from + lineBytes);
        }
    }
    return lines;
}

std::vector<float> imageOf(const std::vector<std::byte>& lines, const FrameSpec& spec,
                           const PipelineConfig& config) {
    const SnapshotPtr snapshot = instantiate(config, spec);
    std::vector<float> pixels(snapshot->output().bytes() / sizeof(float));
    Runner runner(Backend::Cpu, 1);
    runner.apply(snapshot);
    runner.enqueue({.raw = lines.data(), .targets = {ViewTarget{pixels.data()}}});
    runner.drain();
    return pixels;
}

/// The image of lines spread over the recording; empty where there are none.
std::vector<float> imageOfLines(Recording& recording, std::int64_t wanted, std::int64_t mostFrames,
                                const PipelineConfig& config) {
    const FrameSpec& raw = recording.info().frame;
    auto few = frameOfLines(raw, wanted);
    if (!few) return {};
    const std::vector<std::byte> lines = spreadLines(recording, wanted, mostFrames);
    if (lines.empty()) return {};
    few->axes.front().size = static_cast<std::int64_t>(
        lines.size() / bytesOf(raw.dtype, static_cast<std::size_t>(raw.axes.back().size)));
    return imageOf(lines, *few, config);
}

void findSpectraLevels(Recording& recording) {
    const PipelineConfig config = shippedPipeline(defaultPipelineName(recording.info().frame));
    const std::vector<float> image =
        imageOfLines(recording, std::min(kLines, linesIn(recording.info().frame)), kFrames, config);
    if (const auto range = autoRange(image, Content::Decibels))
        recording.suggest({std::floor(range->first), std::ceil(range->second)});
}

void findPeak(Recording& recording) {
    PipelineConfig config;
    config.name = "samples";
    const std::string& values = stageTypeWith(Role::ReadsEchoes).id;
    config.stages.push_back({values, values, false, {}, {}});
    const auto frameBytes = static_cast<std::int64_t>(recording.info().frame.bytes());
    const std::int64_t frames = std::clamp<std::int64_t>(kPeakBytes / frameBytes, 1, kFrames);
    double peak = 0.0;
    for (const float value : imageOfLines(recording, kPeakLines, frames, config)) {
        if (std::isfinite(value)) peak = std::max(peak, std::abs(static_cast<double>(value)));
    }
    recording.setRecordedPeak(peak);
}

} // namespace

void findInitialLevels(Recording& recording) {
    const FrameSpec& raw = recording.info().frame;
    try {
        if (raw.spectrometer != nullptr) {
            findSpectraLevels(recording);
        } else if (!raw.converterRange) {
            findPeak(recording);
        }
    } catch (const Error&) { // reported where the image is made
    }
}

} // namespace echolux
