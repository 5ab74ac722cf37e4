// SPDX-License-Identifier: GPL-3.0-or-later
// Fills in the volume of a frozen B-scan: reads and processes its missing B-scans without showing
// them.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/player.hpp"
#include "app/session/volume/volume_store.hpp"

#include <mutex>
#include <optional>

namespace echolux {

struct VolumeProgress {
    std::int64_t bscans = 0; ///< B-scans that are there
    std::int64_t of = 0;
    bool operator==(const VolumeProgress&) const = default;
};

/// A B-scan is missing where it has not come, belongs to another volume, or was made by another
/// pipeline. The player reads the missing ones in order after the shown frame. Stages with a state
/// use states of the sweep's own (Turn::Aside), as if the volume were played from its first B-scan.
class VolumeSweep {
public:
    VolumeSweep(Runner& runner, VolumeStore& volume) : m_runner(runner), m_volume(volume) {}

    // Pipeline thread.
    /// Starts the sweep for the volume of frame `shown`. Starts nothing where nothing is missing,
    /// or where the player has something to show; the player calls `rested` after that.
    void begin(Player& player, std::int64_t shown, std::int64_t frameCount);
    /// Enqueues a frame that the player delivered for the sweep. Returns its slot.
    int start(const RawFrame& raw);
    void frameDone(); ///< a frame of the sweep has been processed

    /// Any thread: the progress of the sweep; null while there is none.
    std::optional<VolumeProgress> progress(const Player& player) const;

private:
    Runner& m_runner;
    VolumeStore& m_volume;
    BscanSpan m_wanted;
    std::uint64_t m_number = 0; ///< the player's number of the sweep; 0: none

    mutable std::mutex m_mutex; ///< guards what follows
    VolumeProgress m_progress;
    std::uint64_t m_progressOf = 0; ///< the sweep's number
};

} // namespace echolux
