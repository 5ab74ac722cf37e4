// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI-1 in one file (.nii, .nii.gz): a header of 348 bytes, then the samples.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True also for compressed files, and for the kinds that openNifti() refuses by name.
bool isNifti(const InputFile& file);

/// Throws Error for NIfTI-2, for pairs of files, and where the header contradicts itself or the
/// samples.
std::unique_ptr<Recording> openNifti(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& options);

} // namespace echolux
