// SPDX-License-Identifier: GPL-3.0-or-later
// Partial files by POSIX, and the list of them.
#include "gpu/core/whole_file.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace echolux {
namespace {

/// The partial files that exist now.
struct PartialNames {
    std::mutex mutex;
    std::vector<std::filesystem::path> names;
    unsigned made = 0; ///< in all, for names that differ
};

PartialNames& partialNames() {
    static auto* const all = new PartialNames; // destructors of statics may still write files
    return *all;
}

void forget(const std::filesystem::path& name) {
    PartialNames& all = partialNames();
    const std::scoped_lock lock(all.mutex);
    std::erase(all.names, name);
}

/// Closes a file once.
class Descriptor {
public:
    Descriptor(const std::filesystem::path& file, int flags, mode_t mode = 0)
        : m_number(::open(file.c_str(), flags | O_CLOEXEC, mode)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    explicit operator bool() const { return m_number >= 0; }
    int number() const { return m_number; }
    bool close() { return m_number < 0 || ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return false;
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

/// False where the disk fails. Pipes and some file systems cannot be told to hurry.
bool reachesTheDisk(int file) {
    return ::fdatasync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

} // namespace

void refuseToWrite(const std::filesystem::path& place, const std::string& why) {
    throw Error(
        fmt::format("'{}' cannot be written{}; check the folder, its permissions and the free "
                    "space.",
                    place.string(), why.empty() ? "" : " (" + why + ")"));
}

PartialFile::PartialFile(std::filesystem::path place) : m_place(std::move(place)) {
    std::error_code none;
    if (std::filesystem::is_symlink(m_place, none)) {
        const auto target = std::filesystem::weakly_canonical(m_place, none);
        if (!none) m_place = target;
    }
    const std::filesystem::file_status status = std::filesystem::status(m_place, none);
    if (std::filesystem::is_directory(status)) refuseToWrite(m_place, "it is a folder");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        m_name = m_place;
        return;
    }
    PartialNames& all = partialNames();
    const std::scoped_lock lock(all.mutex);
    m_name = m_place;
    m_name.replace_filename(
        fmt::format(".{}.{}.{}.partial", m_place.filename().string(), ::getpid(), ++all.made));
    all.names.push_back(m_name); // first: what throws behind it would leave the file
    const Descriptor file(m_name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (!file) {
        const int why = errno;
        all.names.pop_back();
        refuseToWrite(m_place, std::generic_category().message(why));
    }
    if (std::filesystem::exists(status))
        ::fchmod(file.number(), static_cast<mode_t>(status.permissions()));
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : m_place(std::move(other.m_place)), m_name(std::exchange(other.m_name, {})) {}

PartialFile::~PartialFile() {
    if (m_name.empty() || m_name == m_place) return;
    std::error_code none;
    std::filesystem::remove(m_name, none);
    forget(m_name);
}

void PartialFile::finish(std::string_view head, std::string_view body) {
    Descriptor file(m_name, O_WRONLY | O_TRUNC);
    if (!file || !writeAll(file.number(), head) || !writeAll(file.number(), body) ||
        !reachesTheDisk(file.number()) || !file.close())
        refuseToWrite(m_place, std::generic_category().message(errno));
    commit();
}

void PartialFile::commit() {
    if (m_name != m_place) {
        std::error_code code;
        std::filesystem::rename(m_name, m_place, code);
        if (code) refuseToWrite(m_place, code.message());
        forget(m_name);
    }
    m_name.clear();
}

void writeWhole(const std::filesystem::path& place, std::string_view head, std::string_view body) {
    PartialFile(place).finish(head, body);
}

void removePartialFiles() noexcept {
    PartialNames& all = partialNames();
    const std::scoped_lock lock(all.mutex);
    std::error_code none;
    for (const auto& name : all.names) {
        // Libraries write beside them, too, under names that begin with theirs.
        const std::string begin = name.filename().string();
        const auto folder = name.has_parent_path() ? name.parent_path() : ".";
        for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
            if (entry.path().filename().string().starts_with(begin))
                std::filesystem::remove(entry.path(), none);
        }
    }
    all.names.clear();
}

} // namespace echolux
