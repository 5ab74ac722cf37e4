// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks B-scans and images them together.
#include "app/session/run_imager.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/preparation.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>

namespace echolux {
namespace {

FrameSpec stacked(FrameSpec frame, std::int64_t bscans) {
    frame.axes.insert(frame.axes.begin(), {AxisName::Elevation, bscans, 1.0, 0.0, ""});
    return frame;
}

bool isAlone(const StageState& stage) {
    return stage.bypass ||
           (!stage.plan.mixesBscans && stage.plan.stateBytes == 0 && !stage.readsFrameBefore());
}

/// True where the images of a stack equal those of its frames. Defaults may depend on the number of
/// lines.
bool imagesAlike(const Snapshot& single, const Snapshot& several) {
    const std::int64_t frames = several.input.axes.front().size;
    return several.output().count() == frames * single.output().count() &&
           std::ranges::equal(single.stages, several.stages,
                              [](const StageState& a, const StageState& b) {
                                  return a.params == b.params && (a.bypass || isAlone(b));
                              });
}

} // namespace

std::int64_t RunImager::framesFor(const Snapshot& single) const {
    const FrameSpec& frame = single.input;
    if (frame.spectrometer == nullptr || frame.axes.size() != 2 || single.views.size() != 1 ||
        !std::ranges::all_of(single.stages, isAlone)) {
        return 1;
    }
    auto most = static_cast<std::uint64_t>(m_runBytes / frame.bytes());
    // A run must not exceed a volume.
    if (frame.stack.bscansPerVolume > 1)
        most = std::min(most, static_cast<std::uint64_t>(frame.stack.bscansPerVolume));
    return static_cast<std::int64_t>(std::max<std::uint64_t>(std::bit_floor(most), 1));
}

std::int64_t RunImager::prepare(const Snapshot& single) {
    m_frames = 1;
    const std::int64_t frames = framesFor(single);
    if (frames == 1) {
        release();
        return 1;
    }
    const Preparation preparation;
    try {
        SnapshotPtr several = withInput(single, stacked(single.input, frames));
        if (!imagesAlike(single, *several)) {
            release();
            return 1;
        }
        m_runner.apply(std::move(several));
    } catch (const Error& error) {
        spdlog::info("Frames are imaged one by one: {}", error.what());
        release();
        return 1;
    }
    m_frames = frames;
    return frames;
}

void RunImager::release() {
    m_frames = 1;
    m_runner.release();
}

int RunImager::enqueue(const RawFrame& run) {
    return m_runner.enqueue({.raw = run.samples, .frame = run.index / run.count});
}

const float* RunImager::images(int slot) const { return m_runner.viewOutput(slot, 0).as<float>(); }

} // namespace echolux
