// SPDX-License-Identifier: GPL-3.0-or-later
// A reader of files without a container, built in or of a plugin.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>
#include <string_view>

namespace echolux {

/// Any thread may call both functions.
struct FileReader {
    /// True where the content is of this format. It looks at the content, never at the name.
    bool (*recognises)(const InputFile& file) = nullptr;
    /// Called where recognises() is true. `options.track` chooses among several recordings in the
    /// file; the program applies the other options itself. Throws Error with one sentence (what,
    /// where, what to do), as fileError() makes it.
    std::unique_ptr<Recording> (*open)(std::shared_ptr<const InputFile> file,
                                       const OpenOptions& options) = nullptr;
    /// Of a plugin: its name for people, unlike that of any other reader.
    std::string_view name = {};
};

} // namespace echolux
