// SPDX-License-Identifier: GPL-3.0-or-later
// Images of single raw frames, for measuring.
#pragma once

#include "app/measure/measured_image.hpp"
#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace echolux {

/// Images each frame as if it were the first one. One thread, on which it also must be created: a
/// GPU is chosen per thread.
class FrameImager {
public:
    /// Throws Error where the pipeline of `snapshot` has no view of that name. An empty name stands
    /// for the first view.
    FrameImager(const BackendChoice& place, const Snapshot& snapshot, const std::string& view);
    /// `raw`: as many bytes as `snapshot->input`, of frame number `frame`; throws Error otherwise,
    /// and as MeasuredImage::of(). Levels are not limited to the displayed range where the
    /// amplitudes are known, see restoreLevels().
    measure::MeasuredImage image(const SnapshotPtr& snapshot, std::span<const std::byte> raw,
                                 std::int64_t frame);

private:
    std::size_t m_view = 0;
    Runner m_runner;
};

} // namespace echolux
