// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings, carried facts and arrays of files that a reader process parses.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Opens the recording in a process of its own. Throws what openHere() throws, and a sentence where
/// the process crashes or takes too long.
std::unique_ptr<Recording> openRemotely(const std::filesystem::path& path,
                                        const OpenOptions& options);

/// openContainer() in a process of its own.
std::shared_ptr<ArrayContainer> containerRemotely(const std::shared_ptr<const InputFile>& file);

} // namespace echolux
