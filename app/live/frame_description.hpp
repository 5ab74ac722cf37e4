// SPDX-License-Identifier: GPL-3.0-or-later
// What shared memory says about its frames: the bytes of a file that Echolux opens.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace echolux {

/// An Echolux recording of one frame, of zeros: equal sources have equal descriptions. Throws Error
/// where it cannot be written.
std::string descriptionOf(const RecordingInfo& info);

/// The facts that `description` gives about a frame with these samples: it is a sidecar, or an
/// Echolux recording of one frame. Throws Error where it cannot be opened.
RecordingInfo describedFrame(std::span<const std::byte> description,
                             std::span<const std::byte> frame);

} // namespace echolux
