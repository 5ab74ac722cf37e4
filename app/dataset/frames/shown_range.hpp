// SPDX-License-Identifier: GPL-3.0-or-later
// The default range in which recorded images are shown, where their file does not say it.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/frame_spec.hpp"

namespace echolux {

/// For levels in dB: from 60 dB below the highest level of the first frame up to it. For pictures:
/// the range of 8 bit codes, else the lowest and the highest value of the first frame. In physical
/// values of `frame`. Values that are not finite do not count. Empty for beamformed images and for
/// images of amplitudes.
std::optional<ValueRange> shownRangeOf(const std::filesystem::path& path, ArraySource& source,
                                       const ArrayMapping& mapping, const FrameSpec& frame);

} // namespace echolux
