// SPDX-License-Identifier: GPL-3.0-or-later
// What a process without rights can and cannot do.
#include "app/dataset/guarded/confinement.hpp"
#include "app/dataset/recording/printable.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux::test {
namespace {

bool canRead(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte = 0;
    return file >= 0 && ::read(file, &byte, 1) == 1;
}

/// True where `can` returns true in a process without rights that may read these.
bool confined(const std::vector<std::filesystem::path>& readable,
              const std::function<bool()>& can) {
    const pid_t child = ::fork();
    if (child == 0) {
        confine(readable, 0);
        ::_exit(can() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "it ended by a signal";
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

class Confinement : public testing::Test {
protected:
    void SetUp() override {
        if (kSanitized) GTEST_SKIP() << "sanitizers need their rights";
        writeFile(m_folder / "in.txt", "x");
        writeFile(m_elsewhere / "out.txt", "x");
        writeFile(m_elsewhere / "other.txt", "x");
    }
    bool can(const std::function<bool()>& what) const { return confined({m_folder.path()}, what); }

    TemporaryFolder m_folder;
    TemporaryFolder m_elsewhere;
};

TEST_F(Confinement, ReadsAndComputes) {
    EXPECT_TRUE(can([&] { return canRead(m_folder / "in.txt"); }));
    EXPECT_TRUE(can([] {
        bool ran = false;
        std::thread([&] { ran = true; }).join();
        return ran;
    }));
    EXPECT_TRUE(can([] { return std::vector<char>(std::size_t{100} << 20U, 1).back() == 1; }));
}

TEST_F(Confinement, ReadsNothingElsewhere) {
    if (!hasLandlock()) GTEST_SKIP() << "this kernel has no Landlock";
    EXPECT_FALSE(can([&] { return canRead(m_elsewhere / "out.txt"); }));
    EXPECT_FALSE(can([] { return canRead("/etc/passwd"); }));
    const auto reads = [&](const char* name) {
        return confined({m_elsewhere / "out.txt"}, [&] { return canRead(m_elsewhere / name); });
    };
    EXPECT_TRUE(reads("out.txt"));
    EXPECT_FALSE(reads("other.txt"));
}

TEST_F(Confinement, WritesNothing) {
    for (const int flags : {O_WRONLY, O_RDWR, O_WRONLY | O_CREAT, O_RDONLY | O_TRUNC}) {
        EXPECT_FALSE(can([&] {
            return ::open((m_folder / "in.txt").c_str(), flags, 0600) >= 0 ||
                   ::openat(AT_FDCWD, (m_folder / "new.txt").c_str(), flags | O_CREAT, 0600) >= 0;
        })) << flags;
    }
    EXPECT_FALSE(can([&] { return ::unlink((m_folder / "in.txt").c_str()) == 0; }));
    EXPECT_EQ(readFile(m_folder / "in.txt"), "x");
}

TEST_F(Confinement, ReachesNothing) {
    const pid_t parent = ::getpid();
    EXPECT_FALSE(can([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }));
    EXPECT_FALSE(can([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }));
    EXPECT_FALSE(can([&] { return ::kill(parent, 0) == 0; }));
    EXPECT_FALSE(can([&] { return ::fcntl(0, F_SETOWN, parent) == 0; }));
    EXPECT_FALSE(can([] { return ::fork() >= 0; }));
    EXPECT_FALSE(can([] {
        return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
               MAP_FAILED;
    }));
    EXPECT_TRUE(can([] { // /bin/true would end with 0
        char* const none[] = {nullptr};
        ::execve("/bin/true", none, none);
        return true;
    }));
}

TEST_F(Confinement, MemoryHasALimit) {
    const auto takes = [](std::size_t megabytes) {
        return std::malloc(megabytes << 20U) != nullptr;
    };
    EXPECT_FALSE(can([&] { return takes(3000); })); // while a small file is opened
    EXPECT_TRUE(can([&] {
        allowMemoryOfFrames();
        return takes(3000);
    }));
    EXPECT_FALSE(can([&] {
        allowMemoryOfFrames();
        return takes(32000);
    }));
}

TEST(Printable, LeavesOutWhatCommandsATerminal) {
    EXPECT_EQ(printable("1;\x1b]0;PWNED\x07\x1b[31m"), "1;?]0;PWNED??[31m");
    EXPECT_EQ(printable("a\tb\nc\x7f"), "a b c?");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m \xc3\xa9 \xe2\x80\xae"
                        "fdp \xe2\x80\x93 \xe2\x81\xa6"),
              "?31m \xc3\xa9 ?fdp \xe2\x80\x93 ?");
    EXPECT_EQ(printable("\xc2"), "\xc2");
    EXPECT_EQ(printable("\xe2\x80"), "\xe2\x80");
}

} // namespace
} // namespace echolux::test
