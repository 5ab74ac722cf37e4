// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echolux {

/// Throws the Error of a file that cannot be written. `why` may be empty.
[[noreturn]] void refuseToWrite(const std::filesystem::path& place, const std::string& why = {});

/// A file that has another, hidden name in the folder of its place until commit() renames it. A
/// place that is a link stands for the file that it names. A place that is a device or a pipe is
/// written directly, and never removed.
class PartialFile {
public:
    /// Creates the file, empty, with the permissions of a file that it will replace. Throws Error
    /// where that is impossible.
    explicit PartialFile(std::filesystem::path place);
    PartialFile(PartialFile&& other) noexcept;
    PartialFile& operator=(PartialFile&&) = delete;
    /// Removes a file that was not committed.
    ~PartialFile();

    /// The name under which the file is written.
    const std::filesystem::path& name() const { return m_name; }
    const std::filesystem::path& place() const { return m_place; }
    /// Gives the file its place's name. Throws Error.
    void commit();
    /// Writes the whole content and commits it. Throws Error where the disk fails or is full; what
    /// was at the place is still there then.
    void finish(std::string_view head, std::string_view body = {});

private:
    std::filesystem::path m_place;
    std::filesystem::path m_name; ///< empty: committed, or moved from
};

/// Writes a file whole. A failure keeps an existing one. Throws Error.
void writeWhole(const std::filesystem::path& place, std::string_view head,
                std::string_view body = {});

/// Removes all partial files of this process, which ends then.
void removePartialFiles() noexcept;

} // namespace echolux
