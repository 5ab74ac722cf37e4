// SPDX-License-Identifier: GPL-3.0-or-later
// Reader processes: calls of the system that fail or are interrupted.
#include "tests/dataset/failing_calls.hpp"

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/guarded/confinement.hpp"
#include "app/dataset/guarded/reader_service.hpp"
#include "tests/dataset/read_by.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux::test {

std::function<void(int socket, int memory)> inItsPlace; // NOLINT: posix_spawn() has no other way

namespace {

std::array<int, 2> handedOver{-1, -1}; // NOLINT: what become 3 and 4

} // namespace
} // namespace echolux::test

ECHOLUX_FAILS_AS(Waiting, ssize_t, read, (int file, void* to, std::size_t bytes), (file, to, bytes),
                 -1)
ECHOLUX_FAILS_AS(Waiting, ssize_t, write, (int file, const void* from, std::size_t bytes),
                 (file, from, bytes), -1)
ECHOLUX_FAILS_AS(Waiting, ssize_t, pread, (int file, void* to, std::size_t bytes, off_t from),
                 (file, to, bytes, from), -1)
ECHOLUX_FAILS_AS(Talking, ssize_t, recv, (int file, void* to, std::size_t bytes, int flags),
                 (file, to, bytes, flags), -1)
ECHOLUX_FAILS_AS(Talking, ssize_t, send, (int file, const void* from, std::size_t bytes, int flags),
                 (file, from, bytes, flags), -1)
ECHOLUX_FAILS_AS(Waiting, int, poll, (pollfd * files, nfds_t count, int milliseconds),
                 (files, count, milliseconds), -1)
ECHOLUX_FAILS_AS(Waiting, pid_t, waitpid, (pid_t process, int* status, int options),
                 (process, status, options), -1)
ECHOLUX_FAILS_AS(System, int, waitid, (idtype_t kind, id_t process, siginfo_t* facts, int options),
                 (kind, process, facts, options), -1)
ECHOLUX_FAILS_AS(System, int, fstat, (int file, struct stat* to), (file, to), -1)
ECHOLUX_FAILS_AS(System, int, ftruncate, (int file, off_t bytes), (file, bytes), -1)
ECHOLUX_FAILS_AS(System, int, memfd_create, (const char* name, unsigned flags), (name, flags), -1)
ECHOLUX_FAILS_AS(System, int, socketpair, (int domain, int type, int protocol, int* ends),
                 (domain, type, protocol, ends), -1)
ECHOLUX_FAILS_AS(System, int, fcntl, (int file, int what, long value), (file, what, value), -1)
ECHOLUX_FAILS_AS(System, void*, mmap,
                 (void* at, std::size_t bytes, int rights, int flags, int file, off_t from),
                 (at, bytes, rights, flags, file, from), MAP_FAILED)
ECHOLUX_FAILS_AS(System, int, prctl, (int what, long a, long b, long c, long d), (what, a, b, c, d),
                 -1)
ECHOLUX_FAILS_AS(System, int, getrlimit, (int what, rlimit* limit), (what, limit), -1)
ECHOLUX_FAILS_AS(System, long, syscall,
                 (long number, long a, long b, long c, long d, long e, long f),
                 (number, a, b, c, d, e, f), -1)
ECHOLUX_FAILS_AS(System, int, clock_getcpuclockid, (pid_t process, clockid_t* clock),
                 (process, clock), ESRCH)
ECHOLUX_FAILS_AS(System, int, dladdr, (const void* at, Dl_info* facts), (at, facts), 0)

extern "C" {
int echolux_noted_adddup2(posix_spawn_file_actions_t* actions, int from,
                          int to) __asm__("posix_spawn_file_actions_adddup2");
int echolux_failing_posix_spawn(pid_t* process, const char* path,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* arguments,
                                char* const* environment) __asm__("posix_spawn");
}

ECHOLUX_PLAIN int echolux_noted_adddup2(posix_spawn_file_actions_t* actions, int from, int to) {
    static const auto real = reinterpret_cast<decltype(&echolux_noted_adddup2)>(
        ::dlsym(RTLD_NEXT, "posix_spawn_file_actions_adddup2"));
    if (to == 3 || to == 4) echolux::test::handedOver[static_cast<std::size_t>(to - 3)] = from;
    return real(actions, from, to);
}

int echolux_failing_posix_spawn(pid_t* process, const char* path,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const* arguments,
                                char* const* environment) {
    using namespace echolux::test;
    static const auto real =
        reinterpret_cast<decltype(&echolux_failing_posix_spawn)>(::dlsym(RTLD_NEXT, "posix_spawn"));
    if (FailingCall::here(__builtin_return_address(0), FailingCall::Kind::System)) return EAGAIN;
    if (!inItsPlace) return real(process, path, actions, attributes, arguments, environment);
    *process = ::fork();
    if (*process != 0) return *process > 0 ? 0 : errno;
    ::dup2(handedOver[0], 3);
    ::dup2(handedOver[1], 4);
    inItsPlace(3, 4);
    ::_exit(0);
}

namespace echolux::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::SizeIs;

/// Frames in order, which are read ahead, and back; stamps, carried facts, and an array.
void useAll(const std::filesystem::path& path, const std::filesystem::path& array) {
    const auto recording = openRecording(path);
    std::vector<std::byte> frame(recording->info().frame.bytes());
    for (const std::int64_t i : {0, 1, 2, 19, 3, 0}) {
        recording->readFrame(i, frame);
        ASSERT_EQ(frame, sampleFrame(recording->info().frame, i)) << i;
    }
    EXPECT_THAT(stampsOf(*recording, 0, 20), SizeIs(20));
    carriedFacts(*recording);
    const auto container = openContainer(std::make_shared<const InputFile>(array));
    ASSERT_NE(container, nullptr);
    EXPECT_EQ(readNumbers(array, *container->open(""), ""), countedUp<double>(12));
}

/// The same, or a sentence.
void useAllOrSayWhy(const std::filesystem::path& path, const std::filesystem::path& array) {
    try {
        useAll(path, array);
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    AnyOf(HasSubstr(path.filename().string()), HasSubstr(array.filename().string()),
                          HasSubstr("The reader of recordings cannot")));
    }
}

TEST_F(Processes, CallsThatASignalInterruptsAreRepeated) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    const auto array = arrayIn(folder);
    const ReadBy here([](int socket, int memory) { serveReader(socket, memory); });
    const InterruptedCalls interrupted; // in the child, too
    useAll(path, array);
}

TEST_F(Processes, CallsThatFailHereAreSentences) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    const auto array = arrayIn(folder);
    const int runs =
        failEachCall([&] { useAllOrSayWhy(path, array); }, EIO, FailingCall::Kind::System);
    EXPECT_GT(runs, 10);
    useAll(path, array);
}

TEST_F(Processes, CallsThatFailThereAreSentences) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    const auto array = arrayIn(folder);
    auto* place = static_cast<const void**>(
        ::mmap(nullptr, sizeof(void*), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(place, MAP_FAILED);
    std::set<const void*> done;
    const ReadBy here([&](int socket, int memory) {
        FailingCall call(done, EIO, FailingCall::Kind::System);
        call.tellPlace(place);
        serveReader(socket, memory);
    });
    do {
        *place = nullptr;
        useAllOrSayWhy(path, array);
        done.insert(*place);
    } while (*place != nullptr);
    EXPECT_GT(done.size(), kSanitized ? 2U : 5U);
    ::munmap(place, sizeof(void*));
}

TEST(AtWorkNotes, SayWhoDoesWhat) {
    AtWork note{};
    const std::array parsers{"its reader", "HDF5", "matio", "DCMTK", "libtiff", "libzip"};
    for (std::size_t i = 0; i < parsers.size() + 1; ++i) {
        note.parser = static_cast<std::uint8_t>(i);
        EXPECT_EQ(whoWorks(note), i < parsers.size() ? parsers[i] : "its reader");
    }
    const std::array doings{"opening it",
                            "reading what it says besides",
                            "opening it",
                            "finding its frames",
                            "reading frame 12 of it",
                            "finding its frames",
                            "finding its frames",
                            "reading an array of it",
                            "reading an array of it",
                            "reading an array of it",
                            "opening it"};
    note.frame = 11;
    for (std::size_t i = 0; i < doings.size(); ++i) {
        note.ask = static_cast<std::uint8_t>(i);
        EXPECT_EQ(doingOf(note), doings[i]) << i;
    }
}

TEST(Memory, IsLimitedInAReaderAlone) {
    rlimit now{};
    ::getrlimit(RLIMIT_DATA, &now);
    EXPECT_EQ(memoryInWords() == "all memory", now.rlim_cur == RLIM_INFINITY);
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{.rlim_cur = 1'500'000'000, .rlim_max = 1'500'000'000};
        ::setrlimit(RLIMIT_DATA, &limit);
        ::_exit(memoryInWords() == "1.5 GB" ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace
} // namespace echolux::test
