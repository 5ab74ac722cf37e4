// SPDX-License-Identifier: GPL-3.0-or-later
// The range in which recorded images are meant to be shown, where their file does not say it.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux {

/// Of levels in dB: 60 dB below the highest one of the first frame. Of pictures: the range of 8 bit
/// codes, else the lowest and highest value of the first frame. In physical values of `frame`; of
/// values that are not finite none counts. Nothing for images of echoes and of amplitudes.
std::optional<ValueRange> shownRangeOf(const std::filesystem::path& path, ArraySource& source,
                                       const ArrayMapping& mapping, const FrameSpec& frame);

} // namespace echolux
