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

/// `container` is null for headerless binary. `mapping.axes` are the axes of the sidecar on entry,
/// and those of the result on return.
std::unique_ptr<ArraySource> openSidecarArray(const std::shared_ptr<const InputFile>& file,
                                              ArrayContainer* container, const Sidecar& sidecar,
                                              const SidecarNumbers& numbers, ArrayMapping& mapping);

/// The axes with one entry that can be left out, where `named` axes have names. Empty where it
/// would matter which axes are left out.
std::vector<std::size_t> spareAxes(const std::vector<std::int64_t>& shape, std::size_t named);

/// Sets zero, scale and range of the codes. For pairs that become floats the zero is set in
/// `mapping`.
void describeCodes(const SidecarNumbers& numbers, const Sidecar& sidecar, bool pairs,
                   FrameSpec& frame, ArrayMapping& mapping);

} // namespace echolux
