// SPDX-License-Identifier: GPL-3.0-or-later
// Fills in the volume of a frozen B-scan: reads and processes what is missing of it, beside what is
// shown.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/player.hpp"
#include "app/session/volume/volume_store.hpp"

#include <mutex>
#include <optional>

namespace echolux {

struct VolumeProgress {
    std::int64_t bscans = 0; ///< that are there
    std::int64_t of = 0;
    bool operator==(const VolumeProgress&) const = default;
};

/// B-scans that another pipeline made, or that belong to another volume, or that have not come, are
/// missing. The player reads them in order after the shown frame; stages that carry a state from
/// frame to frame meet a past of the sweep's own, that of the volume played from its first B-scan.
class VolumeSweep {
public:
    VolumeSweep(Runner& runner, VolumeStore& volume) : m_runner(runner), m_volume(volume) {}

    // Pipeline thread.
    /// Of the volume that frame `shown` belongs to. Nothing comes where nothing is missing, or
    /// where the player has something to show: then its `rested` follows.
    void begin(Player& player, std::int64_t shown, std::int64_t frameCount);
    /// Enqueues a frame that the player delivered for the sweep, and returns its slot.
    int start(const RawFrame& raw);
    void frameDone(); ///< such a frame has been processed

    /// Any thread: null while no sweep is going on.
    std::optional<VolumeProgress> progress(const Player& player) const;

private:
    Runner& m_runner;
    VolumeStore& m_volume;
    BscanSpan m_wanted;
    std::uint64_t m_number = 0; ///< the player's; 0: none

    mutable std::mutex m_mutex; ///< guards what follows
    VolumeProgress m_progress;
    std::uint64_t m_progressOf = 0; ///< the sweep's number
};

} // namespace echolux
