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
