// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about the samples of a native recording: axes, type, scale of codes, frequencies. They are
// attributes of the frames.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux::native {

void writeFrameFacts(hid_t frames, const FrameSpec& frame, double frameRateHz);
/// Throws Error where a fact is missing; whether they fit each other is not looked at.
void readFrameFacts(hid_t frames, RecordingInfo& info);

} // namespace echolux::native
