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

/// Images [elevation][depth]. Costs nothing while no place is chosen.
class SidePlane {
public:
    explicit SidePlane(Backend backend);

    // Pipeline thread.
    /// `volume`: axes elevation, lateral, depth. Nothing in flight. Allocates where the size of the
    /// image is another; images of a volume without voxels are given back.
    void configure(const FrameSpec& volume, const VolumeShape& shape);
    /// The volume has changed.
    void outdate() { m_outdated = true; }
    /// Another place was chosen, or the volume has changed since publish().
    bool isDue() const;
    /// Enqueues the image of `voxels`, the newest of whose B-scans is number `newest`; no-op where
    /// no place is chosen.
    void publish(const Exec& exec, const Half* voxels, std::int64_t newest);

    // Any thread.
    void show(std::optional<double> lateral); ///< in the unit of the lateral axis; null: nowhere
    bool hasMoved() const { return m_moved; } ///< show() is still to be done

    Mailbox& images() { return m_images; } ///< as Mailbox says

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
