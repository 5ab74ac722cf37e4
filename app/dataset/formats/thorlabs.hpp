// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of Thorlabs' ThorImage OCT (.oct): a ZIP archive of raw spectra, images made of them,
// and Header.xml, which describes both.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where the archive has a Header.xml with root Ocity. Throws where that file is damaged.
bool isThorlabs(const std::shared_ptr<Archive>& archive);

/// Tracks are the raw spectra first, then the processed images. Throws Error where the header is
/// damaged, or where members are missing, too short or contradict each other.
std::unique_ptr<Recording> openThorlabs(std::shared_ptr<Archive> archive,
                                        const OpenOptions& options);

} // namespace echolux
