// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of Thorlabs' ThorImage OCT (.oct): a ZIP archive of raw spectra, images made of them,
// and Header.xml, which describes both.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Is it a ZIP archive with Header.xml of root Ocity? Throws where the archive is damaged.
bool isThorlabs(const InputFile& file);

/// Its tracks are the raw spectra first, then the processed images. Throws Error where the header
/// is damaged, or where members are missing, too short or contradict each other.
std::unique_ptr<Recording> openThorlabs(std::shared_ptr<const InputFile> file,
                                        const OpenOptions& options);

} // namespace echolux
