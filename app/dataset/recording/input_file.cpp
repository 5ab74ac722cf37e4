// SPDX-License-Identifier: GPL-3.0-or-later
// Reads at positions. Errors name the file.
#include "app/dataset/recording/input_file.hpp"

#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/printable.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echolux {

Error fileError(const std::filesystem::path& path, const std::string& what) {
    return Error(fmt::format("Cannot open '{}': {}.", printable(path.string()), printable(what)));
}

void checkLoadSize(const std::filesystem::path& path, const std::string& what,
                   std::uint64_t bytes) {
    if (bytes <= kMaxLoadBytes) return Opening::keep(what, bytes);
    throw fileError(path, fmt::format("{} would take {:.1f} GiB of memory, more than the {} GiB "
                                      "that a reader may use; store the frames as the slowest axis "
                                      "of an uncompressed file, or split the file",
                                      what, static_cast<double>(bytes) / (1U << 30U),
                                      kMaxLoadBytes >> 30U));
}

InputFile::InputFile(std::filesystem::path path) : m_path(std::move(path)) {
    // NOTE: without O_NONBLOCK, opening a named pipe would wait for its writer.
    m_handle = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_handle < 0) {
        const int reason = errno;
        if (reason == ENOENT)
            throw fileError(m_path, "there is no such file; check the path and its spelling");
        // NOTE: a reader process may not open what the user may.
        if (reason == EACCES && ::access(m_path.c_str(), R_OK) == 0)
            throw fileError(m_path, "it lies outside the folder of the recording; a recording may "
                                    "refer to files below its folder, and a sidecar to files one "
                                    "folder up, so copy it there");
        throw fileError(m_path,
                        fmt::format("the system says '{}'; check that you may read the file",
                                    std::strerror(reason)));
    }
    struct stat facts {};
    const bool known = ::fstat(m_handle, &facts) == 0;
    if (!known || !S_ISREG(facts.st_mode)) {
        ::close(m_handle);
        throw fileError(m_path, S_ISDIR(facts.st_mode)
                                    ? "it is a folder; choose a file in it"
                                    : "it is no regular file; choose a recording on a disk");
    }
    m_size = static_cast<std::uint64_t>(facts.st_size);
    Opening::addFile(facts.st_dev, facts.st_ino, m_size);
}

InputFile::~InputFile() { ::close(m_handle); }

void InputFile::read(std::uint64_t offset, std::span<std::byte> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t got = ::pread(m_handle, out.data() + done, out.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw fileError(m_path, fmt::format("reading failed with '{}'; check the disk",
                                                std::strerror(errno)));
        if (got == 0)
            throw fileError(m_path, fmt::format("it ends at byte {} where {} bytes from {} were "
                                                "needed; it was cut off, copy it again",
                                                offset + done, out.size(), offset));
        done += static_cast<std::size_t>(got);
    }
}

void InputFile::foresee(std::uint64_t offset, std::uint64_t bytes) const {
    ::posix_fadvise(m_handle, static_cast<off_t>(offset), static_cast<off_t>(bytes),
                    POSIX_FADV_WILLNEED);
}

} // namespace echolux
