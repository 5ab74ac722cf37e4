// SPDX-License-Identifier: GPL-3.0-or-later
// When a frame was made and came, and where it lay.
#pragma once

#include "gpu/core/pose.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

class Recording;

/// What is known of a frame of a live source, while it comes and in a recording of it.
struct FrameStamp {
    std::int64_t number = -1;    ///< the source's own; -1: it does not count. A gap is a loss.
    std::int64_t deviceNs = -1;  ///< the source's own clock; -1: unknown
    std::int64_t arrivalNs = -1; ///< when it came to this program, since 1970; -1: unknown
    std::shared_ptr<const Pose> pose = {}; ///< null: unknown
    /// Frames that are known to be lost before this one, where the numbers do not tell because they
    /// begin anew or the source does not count.
    std::int64_t lostBefore = 0;
};

/// A recording that keeps stamps of its frames is one of these, too.
class StampedFrames {
public:
    virtual ~StampedFrames() = default;
    /// Stamps of `count` frames from `first` on, counted from 0; there are as many frames. What is
    /// damaged is unknown.
    virtual std::vector<FrameStamp> stamps(std::int64_t first, std::int64_t count) const = 0;
};

/// Empty where the recording keeps none.
std::vector<FrameStamp> stampsOf(const Recording& recording, std::int64_t first,
                                 std::int64_t count);

/// The rows of the 3 x 4 matrix that takes (lateral, elevation, depth, 1) of a frame, in m, to
/// where it lies; NaN for null.
std::array<double, 12> rowsOf(const Pose* pose);
/// Null where a number is not finite.
std::shared_ptr<Pose> poseOfRows(const std::array<double, 12>& rows);

/// How fast frames were made, by the source's clock and by their arrival; 0 where unknown. Frames
/// that the source lost between count as made.
struct StampedRate {
    double deviceHz = 0.0;
    double arrivalHz = 0.0;
};
/// `frames`: how many were recorded, from the frame of the stamp `first` to that of `last`.
StampedRate rateBetween(const FrameStamp& first, const FrameStamp& last, std::int64_t frames);

/// Seconds from the first frame to each, by the source's clock where all have one that rises, else
/// by their arrival; empty where neither is known of all.
std::vector<double> secondsOf(const std::vector<FrameStamp>& stamps);

} // namespace echolux
