// SPDX-License-Identifier: GPL-3.0-or-later
// The pose of the probe in a zea file: metadata/probe_pose.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Sets the pose of `info.frame`, with a warning where the probe moved. Throws Error where its
/// tables do not fit each other.
void takeZeaPose(const std::shared_ptr<Hdf5File>& tree, RecordingInfo& info);

} // namespace echolux
