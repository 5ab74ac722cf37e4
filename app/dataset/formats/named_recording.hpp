// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy archives (.npz) and MATLAB files of version 7.3 whose array names say what the arrays mean.
// `echolux export` writes such files.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where it has `rf` or `iq`, and `fs`; or `data`, `form`, `depth` and `lateral`.
bool isNamedArchive(const std::shared_ptr<Archive>& archive);
bool looksLikeNamedArrays(const Hdf5File& tree); ///< the same for MATLAB variables

/// Arrays, in SI units; in brackets the value where an array is missing. A value of 0 means
/// unknown. Signals:
///   rf or iq                 (frame,) transmit, element, sample; iq complex, or a last axis of 2
///   fs; f0 or fc             sampling and centre frequency
///   fd                       demodulation frequency of iq, also by the names fdemod,
///                            demodulation_frequency, modulation_frequency (f0, with a warning)
///   c                        speed of sound (1540 m/s, with a warning)
///   pitch, or x (, y, z), or elements   element positions; elements is N x 3 or 3 x N
///   long_axes                per element: 1 where it is a line along x, 2 along y (0)
///   wave                     per transmit: 0 plane, 1 diverging, 2 focused, 3 single element (0)
///   angles, elevation_angles rad, per transmit, of plane waves; one unsteered wave needs none
///   source                   N x 3, of other waves; for wave 3 the position of the element
///   apodization              transmit, element: weight of the element when it fires
///   t0                       time of sample 0 on the common clock; one, or one per transmit (0)
///   iq_phase_zero            time at which the mixer's phase is zero; shaped like t0 (0)
///   receive_elements, receive_weights   transmit, channel
///   frame_rate
/// For images see named_images.hpp. Throws Error where the arrays contradict each other.
std::unique_ptr<Recording> openNamedArchive(const std::shared_ptr<Archive>& archive);
std::unique_ptr<Recording> openNamedArrays(const std::shared_ptr<Hdf5File>& tree);

} // namespace echolux
