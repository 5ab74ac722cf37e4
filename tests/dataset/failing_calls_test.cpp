// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever call of HDF5, zlib, matio, libzip or the system fails, a recording opens with facts that
// agree, or a sentence names its file.
#include "tests/dataset/failing_calls.hpp"

#include "app/dataset/calibration/calibration.hpp"
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <zlib.h>

namespace echolux::test {
namespace {

thread_local FailingCall* failingNow = nullptr;

} // namespace

FailingCall::FailingCall(std::set<const void*>& done, int reason, Kind least)
    : m_done(done), m_reason(reason), m_least(least) {
    failingNow = this;
}

FailingCall::~FailingCall() { failingNow = nullptr; }

ECHOLUX_PLAIN bool FailingCall::here(const void* place, Kind kind) {
    FailingCall* now = failingNow;
    if (now == nullptr || kind < now->m_least) return false;
    if (!now->m_always && (now->m_failed || kind == Kind::Talking)) return false;
    failingNow = nullptr; // what follows may call functions that can fail
    const bool fails = now->m_done.insert(place).second;
    failingNow = now;
    if (!fails) return false;
    now->m_failed = true;
    if (now->m_told != nullptr) *now->m_told = place;
    errno = now->m_reason;
    return true;
}

int failEachCall(const std::function<void()>& run, int reason, FailingCall::Kind least) {
    std::set<const void*> done;
    for (int runs = 0;; ++runs) {
        FailingCall call(done, reason, least);
        run();
        if (!call.failed()) return runs;
    }
}

} // namespace echolux::test

#define ECHOLUX_FAILS(result, name, parameters, arguments, failure)                                \
    ECHOLUX_FAILS_AS(Library, result, name, parameters, arguments, failure)
#define ECHOLUX_FAILS_H5(name, parameters, arguments)                                              \
    ECHOLUX_FAILS(herr_t, name, parameters, arguments, -1)
#define ECHOLUX_FAILS_ID(name, parameters, arguments)                                              \
    ECHOLUX_FAILS(hid_t, name, parameters, arguments, -1)

ECHOLUX_FAILS_ID(H5Aget_space, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Aget_type, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Aopen, (hid_t at, const char* name, hid_t list), (at, name, list))
ECHOLUX_FAILS_ID(H5Aopen_by_name, (hid_t at, const char* of, const char* name, hid_t a, hid_t b),
                 (at, of, name, a, b))
ECHOLUX_FAILS_ID(H5Dget_create_plist, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Dget_space, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Dget_type, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Dopen2, (hid_t at, const char* name, hid_t list), (at, name, list))
ECHOLUX_FAILS_ID(H5Gopen2, (hid_t at, const char* name, hid_t list), (at, name, list))
ECHOLUX_FAILS_ID(H5Iget_file_id, (hid_t at), (at))
ECHOLUX_FAILS_ID(H5Oopen, (hid_t at, const char* name, hid_t list), (at, name, list))
ECHOLUX_FAILS_ID(H5Tget_member_type, (hid_t at, unsigned member), (at, member))
ECHOLUX_FAILS_ID(H5Tget_super, (hid_t at), (at))
ECHOLUX_FAILS(H5T_class_t, H5Tget_class, (hid_t at), (at), H5T_NO_CLASS)
ECHOLUX_FAILS(char*, H5Tget_member_name, (hid_t at, unsigned member), (at, member), nullptr)
ECHOLUX_FAILS(std::size_t, H5Tget_size, (hid_t at), (at), 0)
ECHOLUX_FAILS(void*, H5allocate_memory, (std::size_t bytes, hbool_t clear), (bytes, clear), nullptr)
ECHOLUX_FAILS(hssize_t, H5Sget_simple_extent_npoints, (hid_t at), (at), -1)
ECHOLUX_FAILS(int, H5Sget_simple_extent_ndims, (hid_t at), (at), -1)
ECHOLUX_FAILS(int, H5Pget_chunk, (hid_t at, int most, hsize_t* chunk), (at, most, chunk), -1)
ECHOLUX_FAILS(int, H5Pget_nfilters, (hid_t at), (at), -1)
ECHOLUX_FAILS(ssize_t, H5Rget_name,
              (hid_t at, H5R_type_t kind, const void* to, char* name, std::size_t size),
              (at, kind, to, name, size), -1)
ECHOLUX_FAILS_H5(H5Aiterate2,
                 (hid_t at, H5_index_t by, H5_iter_order_t order, hsize_t* position,
                  H5A_operator2_t visit, void* data),
                 (at, by, order, position, visit, data))
ECHOLUX_FAILS_H5(H5Aread, (hid_t at, hid_t type, void* to), (at, type, to))
ECHOLUX_FAILS_H5(H5Dget_chunk_info_by_coord,
                 (hid_t at, const hsize_t* where, unsigned* mask, haddr_t* address, hsize_t* size),
                 (at, where, mask, address, size))
ECHOLUX_FAILS_H5(H5Dget_chunk_storage_size, (hid_t at, const hsize_t* where, hsize_t* size),
                 (at, where, size))
ECHOLUX_FAILS_H5(H5Dread, (hid_t at, hid_t type, hid_t memory, hid_t space, hid_t list, void* to),
                 (at, type, memory, space, list, to))
ECHOLUX_FAILS_H5(H5Dread_chunk,
                 (hid_t at, hid_t list, const hsize_t* where, std::uint32_t* mask, void* to),
                 (at, list, where, mask, to))
ECHOLUX_FAILS_H5(H5Fget_filesize, (hid_t at, hsize_t* size), (at, size))
ECHOLUX_FAILS_H5(H5Fget_vfd_handle, (hid_t at, hid_t list, void** handle), (at, list, handle))
ECHOLUX_FAILS_H5(H5Lget_info, (hid_t at, const char* name, H5L_info_t* to, hid_t list),
                 (at, name, to, list))
ECHOLUX_FAILS_H5(H5Pset_driver, (hid_t at, hid_t driver, const void* facts), (at, driver, facts))
ECHOLUX_FAILS_H5(H5Pset_metadata_read_attempts, (hid_t at, unsigned attempts), (at, attempts))
ECHOLUX_FAILS_H5(H5Sselect_hyperslab,
                 (hid_t at, H5S_seloper_t how, const hsize_t* start, const hsize_t* stride,
                  const hsize_t* count, const hsize_t* block),
                 (at, how, start, stride, count, block))
ECHOLUX_FAILS_H5(H5Tconvert,
                 (hid_t from, hid_t to, std::size_t count, void* values, void* background,
                  hid_t list),
                 (from, to, count, values, background, list))
ECHOLUX_FAILS(int, inflateInit_, (z_stream * stream, const char* version, int size),
              (stream, version, size), Z_MEM_ERROR)
ECHOLUX_FAILS(int, inflateInit2_, (z_stream * stream, int bits, const char* version, int size),
              (stream, bits, version, size), Z_MEM_ERROR)
ECHOLUX_FAILS(int, compress2,
              (Bytef * to, uLongf* length, const Bytef* from, uLong bytes, int level),
              (to, length, from, bytes, level), Z_MEM_ERROR)
ECHOLUX_FAILS(mat_t*, Mat_Open, (const char* path, int mode), (path, mode), nullptr)
ECHOLUX_FAILS(char* const*, Mat_VarGetStructFieldnames, (const matvar_t* at), (at), nullptr)
ECHOLUX_FAILS(matvar_t*, Mat_VarGetStructFieldByIndex,
              (const matvar_t* at, std::size_t field, std::size_t index), (at, field, index),
              nullptr)
ECHOLUX_FAILS(matvar_t*, Mat_VarGetCell, (matvar_t * at, int index), (at, index), nullptr)
ECHOLUX_FAILS(int, zip_stat_index,
              (zip_t * archive, zip_uint64_t index, zip_flags_t flags, zip_stat_t* to),
              (archive, index, flags, to), -1)
ECHOLUX_FAILS(zip_int8_t, zip_fseek, (zip_file_t * file, zip_int64_t offset, int whence),
              (file, offset, whence), -1)
ECHOLUX_FAILS(zip_int64_t, zip_fread, (zip_file_t * file, void* to, zip_uint64_t bytes),
              (file, to, bytes), -1)
// What writes.
ECHOLUX_FAILS_ID(H5Fcreate, (const char* path, unsigned flags, hid_t a, hid_t b),
                 (path, flags, a, b))
ECHOLUX_FAILS_H5(H5Dset_extent, (hid_t at, const hsize_t* extent), (at, extent))
ECHOLUX_FAILS_H5(H5Dwrite_chunk,
                 (hid_t at, hid_t list, std::uint32_t mask, const hsize_t* where, std::size_t bytes,
                  const void* from),
                 (at, list, mask, where, bytes, from))
ECHOLUX_FAILS_H5(H5Dflush, (hid_t at), (at))
ECHOLUX_FAILS(int, H5Idec_ref, (hid_t at), (at), (real(at), -1)) // what it closes is closed
ECHOLUX_FAILS_H5(H5Fflush, (hid_t at, H5F_scope_t scope), (at, scope))
ECHOLUX_FAILS(zip_source_t*, zip_source_buffer,
              (zip_t * archive, const void* from, zip_uint64_t bytes, int owned),
              (archive, from, bytes, owned), nullptr)
ECHOLUX_FAILS(zip_int64_t, zip_file_add,
              (zip_t * archive, const char* name, zip_source_t* source, zip_flags_t flags),
              (archive, name, source, flags), -1)
ECHOLUX_FAILS(zip_t*, zip_open, (const char* path, int flags, int* error), (path, flags, error),
              nullptr)

namespace echolux::test {
namespace {

/// A recording, and who writes it.
struct FaultSample {
    const char* name;
    void (*write)(const std::filesystem::path&);
};

void PrintTo(const FaultSample& sample, std::ostream* out) { *out << sample.name; }

void copyVector(const std::filesystem::path& path) {
    std::filesystem::copy_file(uffVector(path.filename()), path);
}

template <bool kIq> void writePicmus(const std::filesystem::path& path) {
    addPicmus(Hdf5Editor(path), kIq);
}

void writeStamped(const std::filesystem::path& path) {
    const FrameSpec spec = sampleSpec(DType::I16, 2, 3, 20);
    NativeWriterOptions options;
    options.stamped = true;
    options.rawFile = "raw.echolux.h5";
    NativeWriter writer(path, spec, 25.0, sampleProvenance(), options);
    for (int i = 0; i < 3; ++i) writer.append(sampleFrame(spec, i), FrameStamp{.number = i});
    writer.close();
}

void writeSpectra(const std::filesystem::path& path) {
    writeSample(path, spectraSpec(DType::U16, 3, 16), 3);
}

/// Cut off within its last frame, so that it is salvaged.
void writeCutOff(const std::filesystem::path& path) {
    writeSample(path, sampleSpec(DType::I16, 2, 3, 200), 4);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2000);
}

/// Complex numbers and compressed ones, described by a sidecar.
void writeDescribed(const std::filesystem::path& path) {
    Hdf5Builder(path).add<std::int16_t>("rf", {2, 3, 4, 32}, countedUp<std::int16_t>(768), true);
    writeFile(path.string() + ".toml",
              "probe.pitch = 0.3e-3\ntransmit.angles_deg = [0, 1, 2]\n"
              "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
              "[data]\narray = \"rf\"\naxes = [\"frame\", \"transmit\", \"channel\", "
              "\"sample\"]\n");
}

/// `run` does what it should, or a sentence names the file.
void saysWhy(const std::filesystem::path& path, const std::function<void()>& run) {
    try {
        run();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path.filename().string()), std::string::npos)
            << error.what();
    }
}

class FailingCalls : public testing::TestWithParam<FaultSample> {};

/// NOTE: HDF5 itself loses memory where a call of it fails half-way.
TEST_P(FailingCalls, RecordingOpensOrSaysWhy) {
    const Hdf5MayLeak mayLeak;
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / GetParam().name;
    GetParam().write(path);
    ASSERT_TRUE(opensOrSaysWhy(path));
    const int runs = failEachCall([&] { opensOrSaysWhy(path); });
    EXPECT_GT(runs, 5);
    EXPECT_TRUE(opensOrSaysWhy(path)) << "after the failures";
}
INSTANTIATE_TEST_SUITE_P(Files, FailingCalls,
                         testing::Values(FaultSample{"uff_sector_and_lines.uff", copyVector},
                                         FaultSample{"zea_told.hdf5", copyVector},
                                         FaultSample{"zea_images.hdf5", copyVector},
                                         FaultSample{"verasonics_frames_v73.mat", copyVector},
                                         FaultSample{"verasonics_walking_v5.mat", copyVector},
                                         FaultSample{"must_cells.mat", copyVector},
                                         FaultSample{"picmus_rf.hdf5", writePicmus<false>},
                                         FaultSample{"picmus_iq.hdf5", writePicmus<true>},
                                         FaultSample{"task_force.uff",
                                                     [](const std::filesystem::path& path) {
                                                         addTaskForce(Hdf5Editor(path));
                                                     }},
                                         FaultSample{"stamped.echolux.h5", writeStamped},
                                         FaultSample{"spectra.echolux.h5", writeSpectra},
                                         FaultSample{"cut_off.echolux.h5", writeCutOff},
                                         FaultSample{"described.h5", writeDescribed}));

/// Where a call fails while a recording is written, a sentence names it, and what is there is none
/// or opens.
TEST(FailingWrites, RecordingIsWholeOrNone) {
    const Hdf5MayLeak mayLeak;
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "written.echolux.h5";
    for (const int reason : {ENOSPC, 0}) {
        const int runs = failEachCall(
            [&] {
                std::filesystem::remove(path);
                saysWhy(path, [&] { writeStamped(path); });
                if (std::filesystem::exists(path)) opensOrSaysWhy(path);
            },
            reason);
        EXPECT_GT(runs, 5);
    }
}

TEST(FailingWrites, CalibrationIsWholeOrNone) {
    const ReadsInside inside;
    const TemporaryFolder folder;
    const Calibration written{.resampling = {0, 1.5, 2}, .dispersionRad = {0, 1, 2}};
    const std::filesystem::path path = folder / "written.npz";
    const int runs = failEachCall([&] {
        std::filesystem::remove(path);
        saysWhy(path, [&] {
            saveCalibration(path, written);
            EXPECT_EQ(loadCalibration(path).resampling, written.resampling);
        });
    });
    EXPECT_GT(runs, 5);
}

} // namespace
} // namespace echolux::test
