// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a fuzzer as a file.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace echolux::fuzz {

/// A file in memory, under one name for the whole process.
class FuzzedFile {
public:
    explicit FuzzedFile(const std::string& name)
        : m_path("/dev/shm/echolux-fuzz-" + std::to_string(::getpid()) + "-" + name) {}
    void write(const std::uint8_t* data, std::size_t size) const {
        std::FILE* file = std::fopen(m_path.c_str(), "wb");
        if (file == nullptr || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0)
            std::abort();
    }
    ~FuzzedFile() {
        std::error_code ignored;
        std::filesystem::remove(m_path, ignored);
    }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace echolux::fuzz
