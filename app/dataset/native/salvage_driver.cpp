// SPDX-License-Identifier: GPL-3.0-or-later
// A read-only HDF5 file driver that reports a file without end. The library's own driver refuses a
// file that is shorter than its superblock says.
#include "app/dataset/native/salvage_driver.hpp"

#include "app/dataset/container/hdf5_guard.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echolux {

namespace {

constexpr haddr_t kMaxAddress = std::numeric_limits<std::int64_t>::max();
constexpr haddr_t kClaimedEnd = kMaxAddress / 2;

/// HDF5 casts between H5FD_t and this struct by address, so the library's part must come first.
struct SalvagedFile {
    H5FD_t library{};
    int descriptor = -1;
    haddr_t endOfAddresses = 0;

    ~SalvagedFile() {
        if (descriptor >= 0) ::close(descriptor);
    }
};

SalvagedFile& own(H5FD_t* file) { return *reinterpret_cast<SalvagedFile*>(file); }
const SalvagedFile& own(const H5FD_t* file) { return *reinterpret_cast<const SalvagedFile*>(file); }

H5FD_t* openFile(const char* name, unsigned /*flags*/, hid_t /*fapl*/, haddr_t /*maxAddress*/) {
    auto file = std::make_unique<SalvagedFile>();
    file->descriptor = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file->descriptor < 0) return nullptr;
    return reinterpret_cast<H5FD_t*>(file.release());
}

herr_t closeFile(H5FD_t* file) {
    delete &own(file);
    return 0;
}

int compareFiles(const H5FD_t* a, const H5FD_t* b) {
    struct stat first {};
    struct stat second {};
    ::fstat(own(a).descriptor, &first);
    ::fstat(own(b).descriptor, &second);
    const std::pair one(first.st_dev, first.st_ino);
    const std::pair other(second.st_dev, second.st_ino);
    return one == other ? 0 : one < other ? -1 : 1;
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
    *flags = H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t endOfAddresses(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).endOfAddresses; }

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
    own(file).endOfAddresses = address;
    return 0;
}

haddr_t endOfFile(const H5FD_t* /*file*/, H5FD_mem_t /*type*/) { return kClaimedEnd; }

herr_t readBytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*dxpl*/, haddr_t address,
                 std::size_t size, void* buffer) {
    auto* out = static_cast<char*>(buffer);
    while (size > 0) {
        const ssize_t got = ::pread(own(file).descriptor, out, size, static_cast<off_t>(address));
        if (got < 0) return -1;
        if (got == 0) break;
        out += got;
        address += static_cast<haddr_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    std::memset(out, 0, size);
    return 0;
}

herr_t refuseWrite(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*dxpl*/, haddr_t /*address*/,
                   std::size_t /*size*/, const void* /*buffer*/) {
    return -1;
}

H5FD_class_t driverClass() {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(512);
#endif
    driver.name = "echolux_salvage";
    driver.maxaddr = kMaxAddress;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.open = openFile;
    driver.close = closeFile;
    driver.cmp = compareFiles;
    driver.query = query;
    driver.get_eoa = endOfAddresses;
    driver.set_eoa = setEndOfAddresses;
    driver.get_eof = endOfFile;
    driver.read = readBytes;
    driver.write = refuseWrite;
    const H5FD_mem_t perType[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(perType), std::end(perType), driver.fl_map);
    return driver;
}

hid_t driverId() {
    static const H5FD_class_t kDriver = driverClass();
    static const hid_t kId = H5FDregister(&kDriver);
    return kId;
}

} // namespace

Hdf5Handle openSalvaged(const std::filesystem::path& path) {
    guardHdf5();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    if (H5Pset_driver(access.get(), driverId(), nullptr) < 0) return {};
    // NOTE: the pauses between attempts double. Eight give a writer time to finish a block; the
    // library's 100 would wait forever on damage.
    constexpr unsigned kAttempts = 8;
    if (H5Pset_metadata_read_attempts(access.get(), kAttempts) < 0) return {};
    return Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()));
}

} // namespace echolux
