// SPDX-License-Identifier: GPL-3.0-or-later
// The readers that plugins bring. All functions may be called by any thread.
#pragma once

#include "app/dataset/recording/file_reader.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace echolux {

/// Checks the readers of a plugin and changes nothing. The function that it returns adds them, in
/// place of those that `plugin` (its path) brought before, and does not throw. Throws Error where a
/// reader has no code or no name, or the name of another one.
std::function<void()> takeReaders(std::span<const FileReader* const> readers,
                                  const std::string& plugin);

/// Opens the file by the first reader of a plugin that recognises it. Null where none does. Throws
/// Error that names reader and plugin where the reader fails, or gives a recording that cannot be.
std::unique_ptr<Recording> openByPlugin(const std::shared_ptr<const InputFile>& file,
                                        const OpenOptions& options);

} // namespace echolux
