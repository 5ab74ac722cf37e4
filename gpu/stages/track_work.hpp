// SPDX-License-Identifier: GPL-3.0-or-later
// What `track` does, for the performance model.
#pragma once

#include "gpu/flow/bubble_tracks.hpp"
#include "gpu/stage/function_work.hpp"

namespace echolux {

/// Sizes of its kernel.
struct TrackKernel {
    const char* name;
    double frames;
    double bubbles; ///< per frame
    double tracks;
};

/// Counts FollowBubbles. All rows count as bubbles and all tracks as used, which is the most. How
/// many rows choose the same bubble depends on the data: bubbles that stand alone have no conflict,
/// so that no path is searched.
inline model::Kernel trackKernel(Backend backend, const TrackKernel& sizes) {
    constexpr double kTrack = sizeof(flow::Track);
    constexpr double kRow = sizeof(flow::TrackedBubble);
    constexpr double kBubble = sizeof(flow::Bubble);
    constexpr double kSteps = 8.0; // of the team, per frame
    const double pairs = sizes.bubbles * sizes.tracks;
    const model::Part link =
        oneByOne(backend, {.ffma = 2.0, .fmul = 5.0, .fadd = 14.0, .offsets = 30.0}, 1.0);
    const model::Part owner = oneByOne(backend, {.offsets = 4.0}); // of a column: half of all rows
    const model::Part filter =
        addedUp({oneByOne(backend, {.ffma = 11.0, .fadd = 8.0, .offsets = 60.0}, 1.0),
                 divisionWork(backend).times(2.0)});
    const model::Part newcomers = oneByOne(backend, {.fadd = 3.0, .offsets = 12.0});
    model::Part follow =
        addedUp({link.times(pairs), owner.times(0.5 * pairs), filter.times(sizes.tracks),
                 newcomers.times(sizes.bubbles + sizes.tracks)})
            .times(sizes.frames);
    follow.name = "follow";
    const double once = 2.0 * kTrack * sizes.tracks; // the states before and behind
    const double perFrame = kBubble * sizes.bubbles + kRow * sizes.tracks;
    follow.distinctBytes = once + perFrame * sizes.frames;
    follow.globalBytes =
        once + sizes.frames * (perFrame + 6.0 * kTrack * sizes.tracks +
                               (kBubble + 4.0 * 4.0 + 2.0) * pairs + 16.0 * sizes.bubbles);
    follow.barriers = 1.0 + kSteps * sizes.frames;
    return {sizes.name, teamLaunch(backend), {follow}};
}

} // namespace echolux
