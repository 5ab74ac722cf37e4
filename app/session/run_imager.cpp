// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_imager.hpp"

#include "app/pipeline/stacked_frames.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/preparation.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>

namespace echolux {

std::int64_t RunImager::framesFor(const Snapshot& single) const {
    const FrameSpec& frame = single.input;
    if (!canStack(single)) return 1;
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
        SnapshotPtr several = stackedSnapshot(single, frames);
        if (several == nullptr) {
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
