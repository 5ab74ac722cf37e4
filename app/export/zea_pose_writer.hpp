// SPDX-License-Identifier: GPL-3.0-or-later
// The pose of frames in a zea file, as that of the probe.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/export/subject.hpp"

namespace echolux {

/// True where the planes of a volume must be written in reverse and with reversed elevations,
/// because a zea file holds rotations alone.
bool turnsElevation(const FrameSpec& frame);

/// Writes `probe_pose` into the group of metadata. Adds a remark where the pose cannot be written.
void writeZeaPose(hid_t metadata, const ExportSubject& subject);

} // namespace echolux
