// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI-1 in one file (.nii, .nii.gz): a head of 348 bytes, then the samples.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Also where it is deflated, and where it is one of the kinds that openNifti() refuses by name.
bool isNifti(const InputFile& file);

/// Throws Error for NIfTI-2 and pairs of files, and where the head contradicts itself or the
/// samples.
std::unique_ptr<Recording> openNifti(std::shared_ptr<const InputFile> file,
                                     const OpenOptions& options);

} // namespace echolux
