// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums of files, and giving them up.
#include "app/desktop/workbench/file_hash.hpp"
#include "tests/desktop/open_window.hpp"

#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace echolux {
namespace {

const char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(FileHash, IsSha256) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("abc.txt");
    testing_support::writeFile(path, "abc");
    EXPECT_EQ(fileSha256(path), kAbc);
    EXPECT_EQ(fileSha256(folder.filePath("nowhere")), "");
    FileHash hash(path);
    EXPECT_EQ(hash.wait(), QString(kAbc));
    FileHash missing(folder.filePath("nowhere"));
    EXPECT_EQ(missing.wait(), QString(""));
}

TEST(FileHash, WaitingAndReadingEndWhenAsked) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("large");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    ASSERT_TRUE(file.resize(qint64{64} << 30)); // sparse: minutes of reading
    FileHash hash(path);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(hash.wait(stop.get_token()), std::nullopt);
}

} // namespace
} // namespace echolux
