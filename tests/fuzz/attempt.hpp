// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a fuzzer as a file, and what may be refused.
#pragma once

#include "gpu/core/error.hpp"
#include "tests/fuzz/targets.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace echolux::fuzz {

/// Calls `read`, which may refuse with a sentence.
template <class Read> void attempt(const Read& read) {
    try {
        read();
    } catch (const Error&) { // NOLINT: a sentence
    }
}

inline std::string_view textOf(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Takes `count` bytes, or what is left, from the front.
inline Bytes taken(Bytes& bytes, std::size_t count) {
    const Bytes front = bytes.first(count < bytes.size() ? count : bytes.size());
    bytes = bytes.subspan(front.size());
    return front;
}

/// What HDF5 does with damaged files is not ours (147 public files crash it), and the reader
/// process is there for it: targets leave them out.
inline bool holdsHdf5(Bytes bytes) {
    return textOf(bytes).find("\x89HDF\r\n\x1a\n") != std::string_view::npos;
}

/// A folder in memory for the whole process.
class FuzzedFolder {
public:
    FuzzedFolder() : m_path("/dev/shm/echolux-fuzzed-" + std::to_string(::getpid())) {
        std::filesystem::create_directory(m_path);
    }
    FuzzedFolder(const FuzzedFolder&) = delete;
    FuzzedFolder& operator=(const FuzzedFolder&) = delete;
    ~FuzzedFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// The file `name` with these bytes.
inline std::filesystem::path asFile(const char* name, Bytes bytes) {
    static const FuzzedFolder folder;
    std::filesystem::path path = folder.path() / name;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() ||
        std::fclose(file) != 0)
        std::abort();
    return path;
}

} // namespace echolux::fuzz
