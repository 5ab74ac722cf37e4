// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a recording in this process, whatever its file does to it.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// openRecording() without a reader process.
std::unique_ptr<Recording> openHere(const std::filesystem::path& path, const OpenOptions& options);

} // namespace echolux
