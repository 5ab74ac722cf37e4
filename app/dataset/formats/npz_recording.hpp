// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy archives (.npz) that say by the names of their arrays what they are.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Is it an archive with `rf` or `iq`, and `fs`?
bool isNpzRecording(const InputFile& file);

/// Arrays, in SI units:
///   rf or iq                 (frame,) transmit, element, sample; iq complex, or a last axis of 2
///   fs; f0 or fc             sampling and centre frequency
///   fd                       demodulation frequency of iq (f0)
///   c                        speed of sound (1540 m/s, with a warning)
///   pitch, or x (, y, z), or elements   places of elements; elements N x 3 or 3 x N
///   angles                   rad, of each plane wave; may be missing for one that is not steered
///   t0                       time of sample 0, common clock; one, or one for each transmit (0)
///   frame_rate
/// Throws Error where they contradict each other.
std::unique_ptr<Recording> openNpzRecording(const std::shared_ptr<const InputFile>& file);

} // namespace echolux
