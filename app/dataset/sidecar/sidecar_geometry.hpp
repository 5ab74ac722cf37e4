// SPDX-License-Identifier: GPL-3.0-or-later
// From what a sidecar says of probe, clock and waves to an acquisition.
#pragma once

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/sidecar/sidecar_numbers.hpp"
#include "gpu/core/acquisition.hpp"

#include <memory>

namespace echolux {

/// Elements, faces and long axes. Throws Error where numbers are missing, too many or absurd.
Probe describedProbe(const SidecarNumbers& numbers, const Sidecar& sidecar,
                     const ArrayExtents& extents);

/// The waves that `acquisition.probe` sends, and the channels that listen.
void describeWaves(const SidecarNumbers& numbers, const Sidecar& sidecar,
                   const ArrayExtents& extents, Acquisition& acquisition);

/// `fs`: sampling frequency, Hz. Warnings go to `info`.
Acquisition describedAcquisition(const SidecarNumbers& numbers, const Sidecar& sidecar,
                                 const ArrayExtents& extents, double fs, RecordingInfo& info);

/// Null where the sidecar says nothing. Throws Error for what does not fit `probe`.
std::shared_ptr<const AberrationTruth>
describedAberration(const SidecarNumbers& numbers, const Sidecar& sidecar, const Probe& probe);

} // namespace echolux
