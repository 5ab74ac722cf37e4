// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign, missing and absurd files: one sentence each.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(BadFiles, MissingFolderEmptyUnreadable) {
    TemporaryFolder folder;
    EXPECT_THAT(refusalOf(folder / "missing.mat"), HasSubstr("no such file"));
    EXPECT_THAT(refusalOf(folder / ""), HasSubstr("folder"));
    writeFile(folder / "empty.raw", "");
    EXPECT_THAT(refusalOf(folder / "empty.raw"), HasSubstr("0 bytes"));
    EXPECT_THAT(refusalOf("/dev/zero"), HasSubstr("no regular file"));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(refusalOf(folder / "pipe"), HasSubstr("no regular file"));
}

TEST(BadFiles, Unreadable) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
    TemporaryFolder folder;
    writeFile(folder / "locked.npy", "x");
    std::filesystem::permissions(folder / "locked.npy", std::filesystem::perms::none);
    EXPECT_THAT(refusalOf(folder / "locked.npy"), HasSubstr("may read"));
}

TEST(BadFiles, ForeignContent) {
    TemporaryFolder folder;
    const auto refused = [&](const std::string& bytes) {
        writeFile(folder / "file.mat", bytes);
        return refusalOf(folder / "file.mat");
    };
    EXPECT_THAT(refused("hello"), AllOf(HasSubstr("no format"), HasSubstr("file.mat.toml")));
    EXPECT_THAT(refused("version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n"),
                HasSubstr("git lfs pull"));
    EXPECT_THAT(refused("    -1\n   151\n"), HasSubstr("vibration"));
    EXPECT_THAT(refused("NRRD0004\ntype: float\n"), HasSubstr("header has no end"));
    EXPECT_THAT(refused(std::string("II*\0abc", 7)), HasSubstr("TIFF page is damaged"));
    EXPECT_THAT(refused("\x89PNG\r\n\x1a\n"), HasSubstr("it is a picture"));
    EXPECT_THAT(refused("MATLAB 5.0 MAT-file, Platform"), HasSubstr("cut off"));
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    EXPECT_THAT(refused(header + std::string("\0\1IM", 4)), HasSubstr("no variable"));
    EXPECT_THAT(refused(header + std::string("\0\7IM", 4)), HasSubstr("0x0700"));
    EXPECT_THAT(refused(header + std::string("\0\2IM", 4)), HasSubstr("7.3"));
    const std::vector<std::int32_t> mat4{0, 2, 2, 0, 2};
    EXPECT_THAT(refused(bytesOfValues(mat4) + std::string("x\0", 2) + std::string(32, '\1')),
                HasSubstr("level 4"));
}

TEST(BadFiles, PicklesAndArchivesAreNamed) {
    using namespace std::string_literals;
    TemporaryFolder folder;
    const auto refused = [&](const std::string& bytes) {
        writeFile(folder / "file.bin", bytes);
        return refusalOf(folder / "file.bin");
    };
    // pickle.dumps({"data": [1]}, protocol) of Python 3
    const std::string old = "}q\0X\4\0\0\0dataq\1]q\2K\1as."s;
    const std::string framed = "\x95\x10\0\0\0\0\0\0\0}\x94\x8c\4data\x94]\x94K\1as."s;
    for (const std::string& pickle :
         {"\x80\2"s + old, "\x80\3"s + old, "\x80\4"s + framed, "\x80\5"s + framed}) {
        EXPECT_THAT(refused(pickle), AllOf(HasSubstr("pickle"), HasSubstr(".npz"),
                                           testing::Not(HasSubstr("sidecar"))));
        EXPECT_THAT(refused(pickle + "x"), HasSubstr("no format"));
    }
    // A header of POSIX.1-1988: name, mode, owner, group, size, time, sum, type, magic.
    std::string tar = "a.raw"s + std::string(95, '\0') + "0000644\0"s + "0000000\0"s +
                      "0000000\0"s + "00000000004\0"s + "00000000000\0"s + "        "s + "0"s +
                      std::string(100, '\0') + "ustar\00000"s;
    tar.resize(512, '\0');
    unsigned sum = 0;
    for (const char c : tar) sum += static_cast<unsigned char>(c);
    std::string digits = "0000000";
    for (std::size_t i = digits.size() - 1; i-- > 0; sum /= 8)
        digits[i] = static_cast<char>('0' + sum % 8);
    digits.back() = '\0';
    tar.replace(148, 8, digits + " ");
    EXPECT_THAT(refused(tar + std::string(1024, '\0')), HasSubstr("tar archive; unpack it"));
    tar[0] = 'b';
    EXPECT_THAT(refused(tar + std::string(1024, '\0')), HasSubstr("no format"));
}

TEST(BadFiles, ZarrStoresAreNamed) {
    TemporaryFolder folder;
    const auto old = folder / "old.zarr";
    const auto now = folder / "now.zarr";
    std::filesystem::create_directories(old);
    std::filesystem::create_directories(now / "a" / "c" / "0");
    writeFile(old / ".zarray", "{}");
    writeFile(old / "0.0", std::string(64, '\1'));
    writeFile(now / "zarr.json", "{}");
    writeFile(now / "a" / "zarr.json", "{}");
    writeFile(now / "a" / "c" / "0" / "1", std::string(64, '\1'));
    for (const auto& path :
         {old, old / "0.0", old / ".zarray", now, now / "a", now / "a" / "c" / "0" / "1"})
        EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("Zarr"), HasSubstr("NIfTI"))) << path;
    EXPECT_THAT(refusalOf(folder.path()), HasSubstr("it is a folder"));
}

TEST(BadFiles, ATrackOfAFileWithOneRecordingIsRefused) {
    TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 4);
    writeSample(folder / "one.echolux.h5", spec, 1);
    EXPECT_EQ(refusalOf(folder / "one.echolux.h5", {.track = 0}), "");
    EXPECT_THAT(refusalOf(folder / "one.echolux.h5", {.track = 1}),
                AllOf(HasSubstr("track 2 was asked for"), HasSubstr("one recording")));
}

TEST(BadFiles, Hdf5OfNothingKnown) {
    TemporaryFolder folder;
    const auto path = folder / "some.h5";
    { Hdf5Builder file(path); }
    EXPECT_THAT(refusalOf(path), HasSubstr("no dataset at all"));
    {
        Hdf5Builder file(path);
        file.add<float>("a/b", {2}, {1, 2});
    }
    EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("'a/b'"), HasSubstr("some.h5.toml")));
}

TEST(BadFiles, MatWithAbsurdDimensions) {
    // Written by hand: a variable of 2^31 x 2^31 doubles in 72 bytes.
    TemporaryFolder folder;
    std::string bytes = "MATLAB 5.0 MAT-file";
    bytes.resize(124, ' ');
    bytes += std::string("\0\1IM", 4);
    const std::vector<std::uint32_t> words{14,         56,         6,          8,      6, 0, 5, 8,
                                           0x7FFFFFFF, 0x7FFFFFFF, 0x00020001, 0x4652, 9, 8, 0, 0};
    bytes += bytesOfValues(words);
    writeFile(folder / "huge.mat", bytes);
    EXPECT_THAT(refusalOf(folder / "huge.mat"), HasSubstr("larger than any file"));
}

} // namespace
} // namespace echolux::test
