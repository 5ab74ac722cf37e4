// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is read at any position, and the form of the sentence that refuses a file.
#pragma once

#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace echolux {

/// "Cannot open '/path/name': WHAT." `what` says what is wrong and, after a semicolon, what to do.
Error fileError(const std::filesystem::path& path, const std::string& what);

/// Most bytes of samples that a reader keeps in memory where a format cannot be read frame by
/// frame.
constexpr std::uint64_t kMaxLoadBytes = std::uint64_t{4} << 30;

/// Throws Error where more than kMaxLoadBytes would be needed. Called before anything is allocated.
void checkLoadSize(const std::filesystem::path& path, const std::string& what, std::uint64_t bytes);

class InputFile {
public:
    /// Throws where the path does not exist, is no regular file, or cannot be read.
    explicit InputFile(std::filesystem::path path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    const std::filesystem::path& path() const { return m_path; }
    std::uint64_t size() const { return m_size; }
    /// Fills `out` with the bytes from `offset` on. Throws where the file is too short.
    void read(std::uint64_t offset, std::span<std::byte> out) const;
    /// A hint that these bytes will be read soon: the system fetches them meanwhile. Returns at
    /// once.
    void foresee(std::uint64_t offset, std::uint64_t bytes) const;

private:
    std::filesystem::path m_path;
    int m_handle = -1;
    std::uint64_t m_size = 0;
};

} // namespace echolux
