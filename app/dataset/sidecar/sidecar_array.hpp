// SPDX-License-Identifier: GPL-3.0-or-later
// The array that a sidecar describes: one of the file, several put together, or headerless binary.
#pragma once

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/sidecar/sidecar_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace echolux {

/// `container` is null for headerless binary. `mapping.axes` as the sidecar names them; becomes
/// those of the result.
std::unique_ptr<ArraySource> openSidecarArray(const std::shared_ptr<const InputFile>& file,
                                              ArrayContainer* container, const Sidecar& sidecar,
                                              const SidecarNumbers& numbers, ArrayMapping& mapping);

/// The axes of one entry that are over where `named` axes have a name; none where it would matter
/// which of them are left out.
std::vector<std::size_t> spareAxes(const std::vector<std::int64_t>& shape, std::size_t named);

/// Zero, scale and range of the codes. Of pairs that become floats the zero goes to `mapping`.
void describeCodes(const SidecarNumbers& numbers, const Sidecar& sidecar, bool pairs,
                   FrameSpec& frame, ArrayMapping& mapping);

} // namespace echolux
