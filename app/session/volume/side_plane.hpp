// SPDX-License-Identifier: GPL-3.0-or-later
// The plane across a volume at one lateral place, kept up to date in a mailbox of its own.
#pragma once

#include "app/session/stream/mailbox.hpp"
#include "gpu/volume/volume.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace echolux {

/// Makes images [elevation][depth]. Does no work while no place is chosen.
class SidePlane {
public:
    explicit SidePlane(Backend backend);

    // Pipeline thread.
    /// `volume` has the axes elevation, lateral, depth. Called with no frame in flight. Allocates
    /// where the size of the image changes. Frees the images of a volume without voxels.
    void configure(const FrameSpec& volume, const VolumeShape& shape);
    /// The volume has changed.
    void outdate() { m_outdated = true; }
    /// True where another place was chosen or the volume has changed since publish().
    bool isDue() const;
    /// Enqueues the image of `voxels`. Number `newest` is their newest B-scan. Does nothing where
    /// no place is chosen.
    void publish(const Exec& exec, const Half* voxels, std::int64_t newest);

    // Any thread.
    void show(std::optional<double> lateral); ///< in the unit of the lateral axis; null: no plane
    bool hasMoved() const { return m_moved; } ///< show() has not taken effect yet

    Mailbox& images() { return m_images; } ///< threads: see Mailbox

private:
    std::optional<std::int64_t> line() const;

    Mailbox m_images;
    FrameSpec m_volume;
    VolumeShape m_shape;
    std::shared_ptr<const FrameSpec> m_spec;
    bool m_outdated = false;
    std::uint64_t m_serial = 0;
    std::atomic<bool> m_moved{false};

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<double> m_lateral;
};

} // namespace echolux
