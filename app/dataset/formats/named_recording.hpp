// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy archives (.npz) and MATLAB files of version 7.3 that say by the names of their arrays what
// they are, as `echolux export` writes them.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Has it `rf` or `iq`, and `fs`; or `data`, `form`, `depth` and `lateral`?
bool isNamedArchive(const std::shared_ptr<Archive>& archive);
bool looksLikeNamedArrays(const Hdf5File& tree); ///< the same of MATLAB variables

/// Arrays, in SI units; a fact of 0 is one that nobody knows. Signals:
///   rf or iq                 (frame,) transmit, element, sample; iq complex, or a last axis of 2
///   fs; f0 or fc             sampling and centre frequency
///   fd                       demodulation frequency of iq (f0)
///   c                        speed of sound (1540 m/s, with a warning)
///   pitch, or x (, y, z), or elements   places of elements; elements N x 3 or 3 x N
///   wave                     of each transmit 0 plane, 1 diverging, 2 focused, 3 element (0)
///   angles, elevation_angles rad, of each plane wave; may be missing for one that is not steered
///   source                   N x 3, of each other wave; the element's place for wave 3
///   apodization              transmit, element: weight with which it fired
///   t0                       time of sample 0, common clock; one, or one for each transmit (0)
///   iq_phase_zero            when the mixer's phase was zero, the same (0)
///   receive_elements, receive_weights   transmit, channel
///   frame_rate
/// Images (named_images): see there. Throws Error where they contradict each other.
std::unique_ptr<Recording> openNamedArchive(const std::shared_ptr<Archive>& archive);
std::unique_ptr<Recording> openNamedArrays(const std::shared_ptr<Hdf5File>& tree);

} // namespace echolux
