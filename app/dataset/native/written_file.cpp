// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that belong to an open file (F_OFD_*).
// NOTE: HDF5 locks whole files by flock() while it opens them, readers too, and frees the lock of a
// single writer. These locks are of another kind, so they hinder no reader. The writer's lock is
// that of a reader, which bears others where a file system knows one kind alone (NFS).
#include "app/dataset/native/written_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

namespace echolux::native {
namespace {

struct flock lockOf(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return lock;
}

std::optional<int> descriptorOf(hid_t file) {
    void* descriptor = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) < 0) return std::nullopt;
    return *static_cast<int*>(descriptor);
}

} // namespace

void markBeingWritten(hid_t file) {
    struct flock lock = lockOf(F_RDLCK);
    const auto descriptor = descriptorOf(file);
    if (!descriptor) return;
    ::fcntl(*descriptor, F_SETFD, FD_CLOEXEC); // programs that are started would keep the lock
    ::fcntl(*descriptor, F_OFD_SETLK, &lock);
}

bool isBeingWritten(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false; // it can be replaced, but not looked at
    struct flock lock = lockOf(F_WRLCK);
    const bool known = ::fcntl(file, F_OFD_GETLK, &lock) == 0;
    ::close(file);
    return known && lock.l_type != F_UNLCK;
}

bool isDeleted(hid_t file) {
    struct stat facts {};
    const auto descriptor = descriptorOf(file);
    return descriptor && ::fstat(*descriptor, &facts) == 0 && facts.st_nlink == 0;
}

} // namespace echolux::native
