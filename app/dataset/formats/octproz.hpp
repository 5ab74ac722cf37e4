// SPDX-License-Identifier: GPL-3.0-or-later
// OCTproZ recordings: headerless NAME_raw.raw, described by NAME_meta.txt beside it.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace echolux {

/// Is it a text that describes an OCTproZ recording?
bool isOctprozMeta(const std::filesystem::path& path);

/// The description beside `raw`: NAME_meta.txt for NAME_raw.raw, else NAME.ini. Nothing where
/// none of them is there and describes a recording.
std::optional<std::filesystem::path> findOctprozMeta(const std::filesystem::path& raw);

/// Frames are B-scans as recorded; mirrored ones are turned round. The resampling curve and the
/// dispersion are taken over where the description has them switched on. Throws Error where
/// sizes are missing, impossible or do not fit the file.
std::unique_ptr<Recording> openOctproz(std::shared_ptr<const InputFile> raw,
                                       const std::filesystem::path& meta);

} // namespace echolux
