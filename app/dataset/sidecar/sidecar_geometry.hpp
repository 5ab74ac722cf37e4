// SPDX-License-Identifier: GPL-3.0-or-later
// Makes an acquisition from a sidecar's probe, clock and waves.
#pragma once

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/sidecar/sidecar_numbers.hpp"
#include "gpu/core/acquisition.hpp"

#include <memory>
#include <vector>

namespace echolux {

/// Elements, faces and long axes. Throws Error where numbers are missing, superfluous or absurd.
Probe describedProbe(const SidecarNumbers& numbers, const Sidecar& sidecar,
                     const ArrayExtents& extents);

/// Sets the waves that `acquisition.probe` sends, and the channels that listen. Of transmits that
/// are given by the delays of their elements it returns the time in seconds from delay 0 until the
/// wave crosses the origin; of others nothing. `fs` is the sampling frequency in Hz.
std::vector<double> describeWaves(const SidecarNumbers& numbers, const Sidecar& sidecar,
                                  const ArrayExtents& extents, double fs, RecordingInfo& info,
                                  Acquisition& acquisition);

/// `fs` is the sampling frequency in Hz. Warnings are added to `info`.
Acquisition describedAcquisition(const SidecarNumbers& numbers, const Sidecar& sidecar,
                                 const ArrayExtents& extents, double fs, RecordingInfo& info);

/// The screen of the sidecar; null where there is none. Throws Error where it does not fit `probe`.
std::shared_ptr<const AberrationTruth>
describedAberration(const SidecarNumbers& numbers, const Sidecar& sidecar, const Probe& probe);

} // namespace echolux
