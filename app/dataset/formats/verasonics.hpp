// SPDX-License-Identifier: GPL-3.0-or-later
// Workspaces of Verasonics systems: RcvData with the structs that describe it (Trans, TX, TW,
// Receive, Event, SeqControl, Resource).
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace echolux {

/// True where it has RcvData, or the structs of a script that produces it.
bool looksLikeVerasonics(const MatVariables& variables);

/// Each buffer with acquisitions is a track. Throws Error where the structs contradict each other
/// or describe data that cannot be imaged.
std::unique_ptr<Recording> openVerasonics(const std::filesystem::path& path, MatVariables variables,
                                          const std::string& version, const OpenOptions& options);

} // namespace echolux
