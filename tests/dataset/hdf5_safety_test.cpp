// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of others: chunks that Blosc and LZF compressed, headers that lie, and links and
// storage that would lead out of the file.
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "tests/dataset/sample_files.hpp"

#include <blosc.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Bytes = std::vector<unsigned char>;
using Values = std::vector<std::int16_t>;

constexpr hsize_t kFrames = 3;
constexpr hsize_t kPerFrame = 600;

/// Two frames of runs and one of noise, so that blocks are compressed and stored.
Values samples() {
    Values values(kFrames * kPerFrame);
    std::mt19937 random(7);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int16_t>(i < 2 * kPerFrame ? i / 40 : random());
    return values;
}

Bytes blosc(const Values& values, std::size_t first, const char* codec, int shuffle,
            std::size_t blockBytes = 0) {
    Bytes out(kPerFrame * 2 + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(5, shuffle, 2, kPerFrame * 2, &values[first], out.data(),
                                        out.size(), codec, blockBytes, 1);
    out.resize(static_cast<std::size_t>(std::max(size, 0)));
    return out;
}

/// LZF of one run of equal bytes: a plain byte, then references one byte back.
Bytes lzfRun(unsigned char byte, std::size_t length) {
    Bytes out{0, byte};
    for (std::size_t left = length - 1; left > 0;) {
        const std::size_t now = std::min<std::size_t>(left, 264);
        if (now < 9) { // plain
            out.push_back(static_cast<unsigned char>(now - 1));
            out.insert(out.end(), now, byte);
        } else {
            out.insert(out.end(), {0xE0, static_cast<unsigned char>(now - 9), 0});
        }
        left -= now;
    }
    return out;
}

/// Without a decoder of ours, for HDF5 makes no dataset with a filter that only decodes.
class Undecoded {
public:
    explicit Undecoded(H5Z_filter_t filter) {
        guardHdf5();
        if (filter == kFilterBlosc || filter == kFilterLzf) H5Zunregister(filter);
    }
    Undecoded(const Undecoded&) = delete;
    Undecoded& operator=(const Undecoded&) = delete;
    ~Undecoded() { registerDecoders(); }
};

class Hdf5Safety : public testing::Test {
protected:
    /// 'data', [frame][sample], one chunk a frame, each as given.
    void write(H5Z_filter_t filter, const std::vector<Bytes>& chunks, unsigned mask = 0,
               bool checksum = false) {
        const Undecoded off(filter);
        const hid_t file = H5Fcreate(m_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        const unsigned level = 4; // that deflate wants
        const hsize_t chunk[2]{1, kPerFrame};
        const hsize_t extent[2]{kFrames, kPerFrame};
        H5Pset_chunk(plist, 2, chunk);
        H5Pset_filter(plist, filter, H5Z_FLAG_OPTIONAL, 1, &level);
        if (checksum) H5Pset_fletcher32(plist);
        const hid_t space = H5Screate_simple(2, extent, nullptr);
        const hid_t data =
            H5Dcreate2(file, "data", H5T_NATIVE_INT16, space, H5P_DEFAULT, plist, H5P_DEFAULT);
        for (hsize_t i = 0; i < chunks.size(); ++i) {
            const hsize_t at[2]{i, 0};
            EXPECT_GE(
                H5Dwrite_chunk(data, H5P_DEFAULT, mask, at, chunks[i].size(), chunks[i].data()), 0);
        }
        H5Dclose(data);
        H5Sclose(space);
        H5Pclose(plist);
        H5Fclose(file);
    }

    /// What reading all of 'data', or its frames one by one, gives.
    Values readAll() {
        const auto array = Hdf5File::openReadOnly(m_path)->open("data");
        Values values(kFrames * kPerFrame);
        array->read(std::as_writable_bytes(std::span(values)));
        Values sliced(values.size());
        for (hsize_t i = 0; i < kFrames; ++i)
            array->readSlice(0, static_cast<std::int64_t>(i),
                             std::as_writable_bytes(std::span(sliced))
                                 .subspan(i * kPerFrame * 2, kPerFrame * 2));
        EXPECT_EQ(sliced, values);
        return values;
    }
    std::string refusal() {
        try {
            readAll();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "file.h5";
};

TEST_F(Hdf5Safety, BloscChunksOfEveryCodecAndShuffle) {
    const Values values = samples();
    for (const char* codec : {"blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"})
        for (const int shuffle : {BLOSC_NOSHUFFLE, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE})
            for (const std::size_t block : {std::size_t{0}, std::size_t{256}}) {
                std::vector<Bytes> chunks;
                for (std::size_t i = 0; i < kFrames; ++i)
                    chunks.push_back(blosc(values, i * kPerFrame, codec, shuffle, block));
                ASSERT_GT(chunks[2].size(), 0U) << codec;
                write(kFilterBlosc, chunks);
                EXPECT_EQ(readAll(), values) << codec << shuffle;
            }
}

TEST_F(Hdf5Safety, ChunksThatAFilterSkippedArePlain) {
    const Values values = samples();
    std::vector<Bytes> chunks;
    for (std::size_t i = 0; i < kFrames; ++i) {
        const auto* first = reinterpret_cast<const unsigned char*>(&values[i * kPerFrame]);
        chunks.emplace_back(first, first + kPerFrame * 2);
    }
    write(kFilterBlosc, chunks, 1);
    EXPECT_EQ(readAll(), values);
    chunks[1].resize(100);
    write(kFilterBlosc, chunks, 1);
    EXPECT_THAT(refusal(), HasSubstr("damaged"));
}

TEST_F(Hdf5Safety, BloscHeadersThatLieAreRefused) {
    const Values values = samples();
    const Bytes good = blosc(values, 0, "zstd", BLOSC_BITSHUFFLE, 256);
    const auto with = [&](std::size_t at, std::uint32_t word) {
        Bytes bad = good;
        std::memcpy(&bad[at], &word, sizeof word);
        return bad;
    };
    const auto size = static_cast<std::uint32_t>(good.size());
    std::vector<Bytes> bad{
        with(12, size + 1),
        with(12, size - 1),
        with(12, 0xFFFFFFFF),
        with(4, 0),
        with(4, kPerFrame * 2 - 2),
        with(4, 0x7FFFFF00),
        with(4, 0xFFFFFFFF),
        with(8, 0),
        with(8, 0x7FFFFFFF),
        with(8, 1),
        with(16, 0),
        with(16, size),
        with(20, 0xFFFFFFF0),
        with(0, 0x01010102),
        Bytes(good.begin(), good.begin() + 15),
        Bytes(good.begin(), good.end() - 9),
    };
    for (std::size_t i = 0; i < bad.size(); ++i) {
        write(kFilterBlosc, {good, bad[i], good});
        EXPECT_THAT(refusal(), HasSubstr("cannot be read")) << i;
        write(kFilterBlosc, {bad[i], good, good});
        EXPECT_THAT(refusal(), HasSubstr("cannot be read")) << i;
    }
}

TEST_F(Hdf5Safety, FlippedBytesOfBloscNeverReachOutside) {
    const Values values = samples();
    std::mt19937 random(3);
    for (const char* codec : {"blosclz", "lz4", "zlib", "zstd"})
        for (int i = 0; i < 60; ++i) {
            Bytes chunk = blosc(values, 0, codec, BLOSC_SHUFFLE, 256);
            for (unsigned n = 0; n <= random() % 3; ++n)
                chunk[random() % (i % 2 == 0 ? 40 : chunk.size())] =
                    static_cast<unsigned char>(random());
            write(kFilterBlosc, {chunk, chunk, chunk});
            refusal(); // opens or is refused; sanitizers see the rest
        }
}

TEST_F(Hdf5Safety, LzfIsDecodedWithinTheChunk) {
    const auto run = [](std::size_t length) { return lzfRun(5, length); };
    const std::size_t whole = kPerFrame * 2;
    write(kFilterLzf, {run(whole), run(whole), run(whole)});
    EXPECT_EQ(readAll(), Values(kFrames * kPerFrame, 0x0505));
    Bytes before{0, 5, 0x20, 1}; // a reference to before the first byte
    Bytes cut = run(whole);
    cut.pop_back();
    for (const Bytes& bad :
         {run(whole - 2), run(whole + 2), run(10 * whole), before, cut, Bytes{31}}) {
        write(kFilterLzf, {run(whole), bad, run(whole)});
        EXPECT_THAT(refusal(), HasSubstr("file is damaged"));
    }
}

TEST_F(Hdf5Safety, DeflatedChunksOfAnotherSizeAreRefused) {
    const auto deflated = [](std::size_t bytes) {
        const Bytes plain(bytes, 1);
        Bytes out(compressBound(bytes));
        uLongf size = out.size();
        compress(out.data(), &size, plain.data(), bytes);
        out.resize(size);
        return out;
    };
    const Bytes good = deflated(kPerFrame * 2);
    write(H5Z_FILTER_DEFLATE, {good, good, good});
    EXPECT_EQ(readAll(), Values(kFrames * kPerFrame, 0x0101));
    for (const std::size_t bytes :
         {std::size_t{10}, std::size_t{kPerFrame * 2 - 1}, std::size_t{1} << 20U}) {
        write(H5Z_FILTER_DEFLATE, {good, deflated(bytes), good});
        EXPECT_THAT(refusal(), HasSubstr("cannot be read")) << bytes;
    }
}

TEST_F(Hdf5Safety, OtherFiltersAreRefusedByName) {
    for (const auto& [filter, name] : std::vector<std::pair<H5Z_filter_t, std::string>>{
             {32026, "Blosc2"}, {32015, "Zstandard"}, {32008, "bitshuffle"}, {4242, "unknown"}}) {
        write(filter, {Bytes(kPerFrame * 2)}, 1);
        EXPECT_THAT(refusal(), AllOf(HasSubstr(std::to_string(filter)), HasSubstr(name),
                                     HasSubstr("h5repack")));
    }
}

TEST_F(Hdf5Safety, AClaimThatNoStoredByteCanFillIsRefused) {
    auto off = std::make_unique<Undecoded>(kFilterBlosc);
    const hid_t file = H5Fcreate(m_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[1]{1U << 30U};
    H5Pset_chunk(plist, 1, chunk);
    H5Pset_filter(plist, kFilterBlosc, H5Z_FLAG_OPTIONAL, 0, nullptr);
    const hid_t space = H5Screate_simple(1, chunk, nullptr);
    const hid_t data =
        H5Dcreate2(file, "data", H5T_NATIVE_INT16, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    const Bytes few(64, 2);
    const hsize_t at[1]{0};
    H5Dwrite_chunk(data, H5P_DEFAULT, 0, at, few.size(), few.data());
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(plist);
    H5Fclose(file);
    off.reset();
    EXPECT_THAT(refusal(), HasSubstr("only 64 bytes are stored"));
}

/// A zea-like file whose samples are reached through what `make` makes in place of raw_data.
class Hdf5Outside : public Hdf5Safety {
protected:
    template <class Make> std::string refusedWith(Make make) {
        quietHdf5();
        const auto other = m_folder / "other.h5";
        {
            Hdf5Builder file(other);
            file.add<float>("data", {1, 1, 4, 2, 1}, countedUp<float>(8));
        }
        {
            Hdf5Builder file(m_path);
            file.add<float>("scan/probe_geometry", {2, 3}, {0, 0, 0, 1e-3F, 0, 0});
            const hid_t group =
                H5Gcreate2(file.id(), "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            make(group, other.string());
            H5Gclose(group);
        }
        return refusalOf(m_path);
    }
    static void dataset(hid_t group, hid_t plist) {
        const hsize_t extent[5]{1, 1, 4, 2, 1};
        const hid_t space = H5Screate_simple(5, extent, nullptr);
        H5Dclose(H5Dcreate2(group, "raw_data", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, plist,
                            H5P_DEFAULT));
        H5Sclose(space);
        H5Pclose(plist);
    }
};

// NOTE: HDF5 makes no external links here any more; vectors/make_hdf5_links.py made these.
TEST_F(Hdf5Outside, ExternalLinksAreNotFollowed) {
    const auto folder = std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors";
    EXPECT_THAT(
        refusalOf(folder / "hdf5_external_link.h5"),
        AllOf(HasSubstr("'data/raw_data' is an external link"), HasSubstr("opens no other file")));
    EXPECT_THAT(refusalOf(folder / "hdf5_link_through.h5"),
                AllOf(HasSubstr("'data/raw_data' is a link"), HasSubstr("another file")));
}

TEST_F(Hdf5Outside, ExternalStorageIsNotRead) {
    EXPECT_THAT(refusedWith([](hid_t group, const std::string& other) {
                    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
                    H5Pset_external(plist, other.c_str(), 0, 32);
                    dataset(group, plist);
                }),
                AllOf(HasSubstr("'data/raw_data'"), HasSubstr("external files"),
                      HasSubstr("opens no other file")));
}

TEST_F(Hdf5Outside, VirtualDatasetsAreNotRead) {
    EXPECT_THAT(refusedWith([](hid_t group, const std::string& other) {
                    const hsize_t extent[5]{1, 1, 4, 2, 1};
                    const hid_t space = H5Screate_simple(5, extent, nullptr);
                    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
                    H5Pset_virtual(plist, space, other.c_str(), "/data", space);
                    H5Sclose(space);
                    dataset(group, plist);
                }),
                AllOf(HasSubstr("'data/raw_data'"), HasSubstr("virtual")));
}

TEST_F(Hdf5Outside, SoftLinksInCirclesAndIntoNothing) {
    for (const char* target : {"/data/raw_data", "/data/nothing", "/nowhere/at/all"})
        EXPECT_THAT(refusedWith([&](hid_t group, const std::string&) {
                        H5Lcreate_soft(target, group, "raw_data", H5P_DEFAULT, H5P_DEFAULT);
                    }),
                    AllOf(HasSubstr("'data/raw_data' is a link"), HasSubstr("circle")))
            << target;
}

} // namespace
} // namespace echolux::test
