// SPDX-License-Identifier: GPL-3.0-or-later
// Places that cannot be written, also by an administrator.
#pragma once

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

namespace echolux::testing_support {

/// PartialFile's names for `place` in this process are folders from now on.
inline void makeUnwritable(const std::filesystem::path& place) {
    constexpr int kFiles = 3000; // more than a program of tests writes
    for (int number = 1; number <= kFiles; ++number) {
        std::filesystem::path name = place;
        name.replace_filename(
            fmt::format(".{}.{}.{}.partial", place.filename().string(), ::getpid(), number));
        std::filesystem::create_directory(name);
    }
}
/// Takes that back.
inline void makeWritable(const std::filesystem::path& place) {
    for (const auto& entry : std::filesystem::directory_iterator(place.parent_path()))
        if (entry.path().extension() == ".partial") std::filesystem::remove_all(entry.path());
}

} // namespace echolux::testing_support
