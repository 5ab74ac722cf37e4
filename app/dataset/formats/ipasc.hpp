// SPDX-License-Identifier: GPL-3.0-or-later
// Photoacoustic time series in the format of IPASC, HDF5 as PACFISH writes it.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeIpasc(const Hdf5File& tree);

/// Each wavelength of light is a track. Throws Error where detectors, their places or the sampling
/// rate are missing, and for reconstructed images.
std::unique_ptr<Recording> openIpasc(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
