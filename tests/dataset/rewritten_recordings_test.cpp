// SPDX-License-Identifier: GPL-3.0-or-later
// Echolux recordings whose frames and stamps another program has stored in another way.
#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_format.hpp"
#include "tests/dataset/crafted_hdf5.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Extent = std::vector<hsize_t>;
using Filters = std::vector<H5Z_filter_t>;

constexpr H5Z_filter_t kShuffle = H5Z_FILTER_SHUFFLE;
constexpr H5Z_filter_t kDeflate = H5Z_FILTER_DEFLATE;
constexpr H5Z_filter_t kChecksum = H5Z_FILTER_FLETCHER32;

void copyAttributes(hid_t from, hid_t to) {
    const auto visit = [](hid_t at, const char* name, const H5A_info_t*, void* target) -> herr_t {
        const Hdf5Handle old(H5Aopen(at, name, H5P_DEFAULT));
        const Hdf5Handle type(H5Aget_type(old.get()));
        const Hdf5Handle space(H5Aget_space(old.get()));
        std::string bytes(H5Aget_storage_size(old.get()), '\0');
        H5Aread(old.get(), type.get(), bytes.data());
        const Hdf5Handle made(H5Acreate2(*static_cast<hid_t*>(target), name, type.get(),
                                         space.get(), H5P_DEFAULT, H5P_DEFAULT));
        H5Awrite(made.get(), type.get(), bytes.data());
        return 0;
    };
    H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &to);
}

/// Stores the same values and attributes in other chunks (none: in one piece) and filters.
void storeAgain(const std::filesystem::path& path, const char* name, const Extent& chunk,
                const Filters& filters) {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const Hdf5Handle old(H5Dopen2(file.get(), name, H5P_DEFAULT));
    const Hdf5Handle type(H5Dget_type(old.get()));
    const Extent extent = hdf5::extentOf(old.get());
    const auto rank = static_cast<int>(extent.size());
    std::size_t count = 1;
    for (const hsize_t each : extent) count *= each;
    std::string bytes(count * H5Tget_size(type.get()), '\0');
    H5Dread(old.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    H5Ldelete(file.get(), name, H5P_DEFAULT);
    const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
    if (!chunk.empty()) H5Pset_chunk(plist.get(), static_cast<int>(chunk.size()), chunk.data());
    const unsigned level = 4;
    for (const H5Z_filter_t filter : filters)
        H5Pset_filter(plist.get(), filter, H5Z_FLAG_OPTIONAL, filter == kDeflate ? 1 : 0, &level);
    const Extent most(extent.size(), H5S_UNLIMITED); // a chunk may be larger than the extent
    const Hdf5Handle space(
        H5Screate_simple(rank, extent.data(), chunk.empty() ? nullptr : most.data()));
    const Hdf5Handle made(H5Dcreate2(file.get(), name, type.get(), space.get(), H5P_DEFAULT,
                                     plist.get(), H5P_DEFAULT));
    H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    copyAttributes(old.get(), made.get());
}

TEST(RewrittenRecordings, OpenWhereFramesAreStoredOneByOne) {
    constexpr const char* kTogether = "not stored one by one";
    struct Case {
        const char* name;
        Extent chunk;
        Filters filters;
        const char* refusal; ///< empty: it opens
    };
    const std::vector<Case> cases{
        {"as it was", {1, 3, 3, 20}, {kShuffle, kDeflate}, ""},
        {"transmits apart", {1, 1, 3, 20}, {kShuffle, kDeflate}, ""},
        {"parts of another size", {1, 2, 3, 20}, {kShuffle, kDeflate}, ""},
        {"plain", {1, 3, 3, 20}, {}, ""},
        {"sorted only", {1, 3, 3, 20}, {kShuffle}, ""},
        {"sorted twice", {1, 3, 3, 20}, {kShuffle, kShuffle}, ""},
        {"deflated only", {1, 3, 3, 20}, {kDeflate}, ""},
        {"deflated, then sorted",
         {1, 3, 3, 20},
         {kDeflate, kShuffle},
         "shuffled after it was compressed"},
        {"with checksums", {1, 3, 3, 20}, {kChecksum}, ""},
        {"deflated twice", {1, 3, 3, 20}, {kDeflate, kDeflate}, "compressed more than once"},
        {"in one piece", {}, {}, kTogether},
        {"two frames together", {2, 3, 3, 20}, {kDeflate}, kTogether},
        {"channels apart", {1, 3, 1, 20}, {kDeflate}, kTogether},
        {"chunks larger than a frame", {1, 4, 3, 20}, {kDeflate}, kTogether}};
    const ReadsInside inside;
    const TemporaryFolder folder;
    const auto path = folder / "again.echolux.h5";
    const FrameSpec spec = sampleSpec(DType::I16, 3, 3, 20);
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        std::filesystem::remove(path);
        writeSample(path, spec, 3);
        storeAgain(path, native::kFrames, each.chunk, each.filters);
        const std::string said = refusalOf(path);
        EXPECT_THAT(said, HasSubstr(each.refusal));
        EXPECT_EQ(said.empty(), *each.refusal == '\0') << said;
        if (said.empty()) expectFrames(*openNative(path));
    }
}

/// Chunks say by a mask which filters were left out for them.
TEST(RewrittenRecordings, ChunksThatFiltersSkippedAreWhole) {
    const TemporaryFolder folder;
    const auto path = folder / "masks.echolux.h5";
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    const std::vector<std::byte> frame = sampleFrame(spec, 1);
    const std::string plain(reinterpret_cast<const char*>(frame.data()), frame.size());
    std::string sorted;
    for (const std::size_t byte : {0, 1})
        for (std::size_t i = byte; i < plain.size(); i += 2) sorted += plain[i];
    struct Case {
        const char* name;
        unsigned mask; ///< 1: not sorted, 2: not deflated
        std::string stored;
        bool whole;
    };
    const std::vector<Case> cases{{"both", 0, deflated(sorted), true},
                                  {"deflated", 1, deflated(plain), true},
                                  {"sorted", 2, sorted, true},
                                  {"neither", 3, plain, true},
                                  {"too short and sorted", 2, sorted.substr(2), false},
                                  {"too short", 3, plain.substr(1), false},
                                  {"too long", 3, plain + "x", false},
                                  {"far too long", 3, repeated(plain, 40), false},
                                  {"inflates to less", 1, deflated(plain.substr(1)), false},
                                  {"inflates to more", 0, deflated(sorted + "x"), false},
                                  {"no stream", 0, sorted, false}};
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        std::filesystem::remove(path);
        writeSample(path, spec, 3);
        {
            const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
            const Hdf5Handle frames(H5Dopen2(file.get(), native::kFrames, H5P_DEFAULT));
            const hsize_t at[]{1, 0, 0, 0};
            ASSERT_GE(H5Dwrite_chunk(frames.get(), H5P_DEFAULT, each.mask, at, each.stored.size(),
                                     each.stored.data()),
                      0);
        }
        const auto recording = openNative(path);
        if (each.whole) {
            expectFrames(*recording);
            continue;
        }
        std::vector<std::byte> got(spec.bytes());
        EXPECT_THROW(recording->readFrame(1, got), Error);
        recording->readFrame(2, got);
        EXPECT_EQ(got, sampleFrame(spec, 2));
    }
}

void writeStampedSample(const std::filesystem::path& path) {
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    NativeWriter writer(path, spec, 25.0, {}, {.overwrite = true, .stamped = true});
    for (int i = 0; i < 3; ++i)
        writer.append(sampleFrame(spec, i), FrameStamp{.number = 0x1122334455667700 + i});
    writer.close();
}

std::vector<std::int64_t> numbersOfStamps(const std::filesystem::path& path) {
    std::vector<std::int64_t> numbers;
    const auto recording = openNative(path);
    for (const FrameStamp& stamp : stampsOf(*recording, 0, 3)) numbers.push_back(stamp.number);
    return numbers;
}

/// Only rows that are one chunk with one checksum are read.
TEST(RewrittenRecordings, StampsOfAnotherFormAreLeftOut) {
    const TemporaryFolder folder;
    const auto path = folder / "stamps.echolux.h5";
    const std::vector<std::int64_t> all{0x1122334455667700, 0x1122334455667701, 0x1122334455667702};
    struct Case {
        const char* name;
        Extent chunk;
        Filters filters;
        bool kept;
    };
    for (const Case& each :
         {Case{"as they were", {1}, {kChecksum}, true},
          Case{"two rows together", {2}, {kChecksum}, false},
          Case{"without checksums", {1}, {}, false}, Case{"sorted", {1}, {kShuffle}, false},
          Case{"sorted, with checksums", {1}, {kShuffle, kChecksum}, false},
          Case{"in one piece", {}, {}, false}}) {
        SCOPED_TRACE(each.name);
        writeStampedSample(path);
        storeAgain(path, native::kStamps, each.chunk, each.filters);
        EXPECT_EQ(numbersOfStamps(path), each.kept ? all : std::vector<std::int64_t>{});
    }
    writeStampedSample(path);
    Hdf5Editor(path).numbers(native::kStamps, {3}, {1, 2, 3});
    EXPECT_THAT(numbersOfStamps(path), IsEmpty());
}

TEST(RewrittenRecordings, ADamagedStampIsUnknownAndTheOthersStay) {
    const TemporaryFolder folder;
    const auto path = folder / "stamps.echolux.h5";
    writeStampedSample(path);
    std::string bytes = readFile(path);
    const auto at = bytes.find("\x01\x77\x66\x55\x44\x33\x22\x11");
    ASSERT_NE(at, std::string::npos);
    bytes[at] = '\x05';
    writeFile(path, bytes);
    EXPECT_EQ(numbersOfStamps(path),
              (std::vector<std::int64_t>{0x1122334455667700, -1, 0x1122334455667702}));
}

} // namespace
} // namespace echolux::test
