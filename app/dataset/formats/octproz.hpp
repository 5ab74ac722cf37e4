// SPDX-License-Identifier: GPL-3.0-or-later
// OCTproZ recordings: NAME_raw.raw has no header; NAME_meta.txt beside it describes it.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace echolux {

/// True where the text describes an OCTproZ recording.
bool isOctprozMeta(const std::filesystem::path& path);

/// The description of `raw`: NAME_meta.txt beside NAME_raw.raw, otherwise NAME.ini. Empty where
/// neither exists and describes a recording.
std::optional<std::filesystem::path> findOctprozMeta(const std::filesystem::path& raw);

/// Frames are B-scans as recorded; B-scans that were recorded backwards are reversed. Resampling
/// curve and dispersion are read where the description has them switched on. Throws Error where
/// sizes are missing, impossible or do not fit the file.
std::unique_ptr<Recording> openOctproz(std::shared_ptr<const InputFile> raw,
                                       const std::filesystem::path& meta);

} // namespace echolux
