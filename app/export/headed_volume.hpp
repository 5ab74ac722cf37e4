// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes in one file: a head of text lines, then the samples.
#pragma once

#include "app/export/subject.hpp"
#include "app/export/volume_grid.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// The head of a file, to its last byte before the samples.
using VolumeHead = std::string (*)(const ExportSubject& subject, const VolumeGrid& volume);
std::unique_ptr<FrameWriter> makeHeadedVolumeWriter(const ExportSubject& subject,
                                                    OutputFiles& files, VolumeHead head);

/// True where coordinates count towards the patient's left, back and head.
bool countsInPatient(const GridPlace& place);

/// What the formats have no fields for, by its key "echolux_...". A text ends with its line, so it
/// holds no line break.
std::vector<std::pair<std::string, std::string>> ownKeysOf(const ExportSubject& subject,
                                                           const GridPlace& place);

} // namespace echolux
