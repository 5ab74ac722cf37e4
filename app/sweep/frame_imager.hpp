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

/// Images each frame as if it were the first one, or after the one before. One thread, on which it
/// also must be created: a GPU is chosen per thread.
class FrameImager {
public:
    /// Throws Error where the pipeline of `snapshot` has no view of that name. An empty name stands
    /// for the first view.
    /// `phasors`: images have them where the pipeline makes the view of a complex image.
    FrameImager(const BackendChoice& place, const Snapshot& snapshot, const std::string& view,
                bool phasors = false);
    /// `raw`: as many bytes as `snapshot->input`, of frame number `frame`; throws Error otherwise,
    /// and as MeasuredImage::of(). Levels are not limited to the displayed range where the
    /// amplitudes are known, see restoreLevels(). An image of a sector has its samples in beam
    /// space, see linesBehind(). `continues`: stages keep what they hold of the
    /// frames before, as while a recording plays.
    measure::MeasuredImage image(const SnapshotPtr& snapshot, std::span<const std::byte> raw,
                                 std::int64_t frame, bool continues = false);
    /// True where the view shows one place over time: it fills while frames come.
    bool isOverTime(const Snapshot& snapshot) const;

private:
    std::size_t m_view = 0;
    bool m_phasors = false;
    Runner m_runner;
};

} // namespace echolux
