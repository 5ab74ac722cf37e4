// SPDX-License-Identifier: GPL-3.0-or-later
// Tables beside the frames of a native recording: one row for each frame.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux::native {

/// Numbers of the frames of `recording` that the frames were made of.
Hdf5Handle createRawFrames(hid_t file, const std::string& recording);
void appendRawFrame(hid_t rawFrames, std::int64_t row, std::int64_t number);

Hdf5Handle createStamps(hid_t file);
void appendStamp(hid_t stamps, std::int64_t row, const FrameStamp& stamp);

/// Null where the file has no stamps, or none of this form.
Hdf5Handle openStamps(hid_t file);
/// What is damaged or missing is unknown.
std::vector<FrameStamp> readStamps(hid_t stamps, std::int64_t first, std::int64_t count);

/// Corrects the rate that the source stated by that of its frames, and says so. `first` and `last`:
/// of the first and the last frame.
void takeRate(RecordingInfo& info, const FrameStamp& first, const FrameStamp& last);

} // namespace echolux::native
