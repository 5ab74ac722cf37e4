// SPDX-License-Identifier: GPL-3.0-or-later
// The files that an export writes: all of them whole, or none.
#pragma once

#include "gpu/core/whole_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Files are written under other names in the target's folder. commit() renames them. Without
/// commit() nothing remains of them.
class OutputFiles {
public:
    /// Throws Error where the target exists and `replace` is false, is the recording, is no
    /// possible file, or cannot be written.
    OutputFiles(std::filesystem::path target, std::filesystem::path recording, bool replace);

    const std::filesystem::path& target() const { return m_target; }
    /// The name under which the target is written until commit(). The file exists and is empty at
    /// first.
    const std::filesystem::path& partial() const { return m_files.front().name(); }
    /// The same for a further file with the target's name and another ending. Throws Error as the
    /// constructor does.
    std::filesystem::path beside(const std::string& ending);
    /// A temporary file that is removed at the end in any case.
    std::filesystem::path scratch();
    std::vector<std::filesystem::path> commit();
    /// Throws the error of a target that cannot be written. `why` may be empty.
    [[noreturn]] void refuse(const std::string& why = {}) const { refuseToWrite(m_target, why); }

private:
    std::filesystem::path add(const std::filesystem::path& place);

    std::filesystem::path m_target;
    std::filesystem::path m_recording;
    bool m_replace = false;
    std::vector<PartialFile> m_files;
    std::vector<PartialFile> m_scratch;
};

/// Writes bytes to a partial file. Throws Error where the disk fails.
class ByteWriter {
public:
    ByteWriter(const OutputFiles& files, const std::filesystem::path& partial);
    void write(std::string_view bytes);
    void write(std::span<const std::byte> bytes);
    /// The bytes of one number.
    template <class T> void put(const T& value) {
        write(std::as_bytes(std::span<const T, 1>(&value, 1)));
    }
    void close();

private:
    const OutputFiles& m_files;
    std::ofstream m_stream;
};

} // namespace echolux
