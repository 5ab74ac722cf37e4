// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the program echolux-reader, which stands beside this program or library.
#include "app/dataset/guarded/reader_process.hpp"

#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/printable.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux {

namespace {

std::atomic<bool> g_readsHere{false};

double steadySeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Processor time that the process has used, in s.
double usedBy(pid_t process) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
        return 0.0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Where the program may be, relative to the folder of this program or library: in the same folder,
/// where it is installed, beside a form of the library for CUDA, and where it is built.
constexpr std::array kReaderPlaces{"echolux-reader",
                                   "../libexec/echolux/echolux-reader",
                                   "../../libexec/echolux/echolux-reader",
                                   "../echolux-reader",
                                   "../app/echolux-reader",
                                   "../../app/echolux-reader"};

std::filesystem::path findReader() {
    if (const char* given = std::getenv("ECHOLUX_READER")) return given;
    std::error_code none;
    std::vector<std::filesystem::path> folders;
    Dl_info here{};
    static const char kInThisObject = 0;
    if (::dladdr(&kInThisObject, &here) != 0 && here.dli_fname != nullptr)
        folders.push_back(std::filesystem::canonical(here.dli_fname, none).parent_path());
    folders.push_back(std::filesystem::read_symlink("/proc/self/exe", none).parent_path());
    for (const std::filesystem::path& folder : folders)
        for (const char* place : kReaderPlaces)
            if (!folder.empty() && ::access((folder / place).c_str(), X_OK) == 0)
                return folder / place;
    throw Error(fmt::format("The program echolux-reader, which opens recordings, is missing beside "
                            "'{}'; install Echolux again.",
                            folders.front().string()));
}

Error systemFailed(const char* what) {
    return Error(fmt::format("The reader of recordings cannot be started: {} failed with '{}'.",
                             what, std::strerror(errno)));
}

/// Throws what the process answered, without its first member.
[[noreturn]] void rethrow(Reply kind, wire::Reader& rest) {
    const std::string sentence = printable(rest.take<std::string>());
    switch (kind) {
    case Reply::NoMemory: throw OutOfMemory(sentence);
    case Reply::Headerless: throw HeaderlessData(sentence);
    case Reply::Undescribed: throw UndescribedData(sentence, printable(rest.take<std::string>()));
    case Reply::Refused:
    case Reply::Done: break;
    }
    throw Error(sentence);
}

} // namespace

bool readsHere() { return g_readsHere || std::getenv("ECHOLUX_READ_INSIDE") != nullptr; }

void readHere() { g_readsHere = true; }

Patience Patience::forBytes(std::uint64_t bytes) {
    constexpr double kSlowest = 2e6; // bytes per second
    const double more = static_cast<double>(bytes) / kSlowest;
    Patience patience;
    patience.processorSeconds += more;
    patience.seconds += more;
    return patience;
}

ReaderProcess::ReaderProcess(std::filesystem::path file) : m_file(std::move(file)) {
    try {
        start();
    } catch (...) {
        end();
        throw;
    }
}

ReaderProcess::~ReaderProcess() { end(); }

void ReaderProcess::start() {
    std::string program = findReader().string();
    m_memory = ::memfd_create("echolux-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (m_memory < 0 || ::ftruncate(m_memory, AtWork::kBytes) != 0)
        throw systemFailed("shared memory");
    m_atWork = AtWork::in(m_memory, false);
    if (m_atWork == nullptr) throw systemFailed("shared memory");
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw systemFailed("socketpair");
    m_socket = ends[0];
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    constexpr int kNumberOfSocket = 3;
    constexpr int kNumberOfMemory = 4;
    // NOTE: the two may have these numbers here, so copies with other numbers are passed.
    const int socket = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kNumberOfMemory + 1);
    const int memory = ::fcntl(m_memory, F_DUPFD_CLOEXEC, kNumberOfMemory + 1);
    for (int standard = 0; standard < kNumberOfSocket; ++standard)
        ::posix_spawn_file_actions_addopen(&actions, standard, "/dev/null",
                                           standard == 0 ? O_RDONLY : O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, socket, kNumberOfSocket);
    ::posix_spawn_file_actions_adddup2(&actions, memory, kNumberOfMemory);
    // Signals that this process blocks or ignores have their usual effects there.
    sigset_t signals;
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    // In a group of its own Ctrl+C ends this program alone, which may have files to finish.
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                POSIX_SPAWN_SETPGROUP);
    std::array<char*, 2> arguments{program.data(), nullptr};
    errno = socket < 0 || memory < 0 ? errno
                                     : ::posix_spawn(&m_process, program.c_str(), &actions,
                                                     &attributes, arguments.data(), environ);
    const int reason = errno;
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    for (const int each : {ends[1], socket, memory})
        if (each >= 0) ::close(each);
    errno = reason;
    if (reason != 0) {
        m_process = -1;
        throw systemFailed("posix_spawn");
    }
}

void ReaderProcess::end() {
    for (int* each : {&m_socket, &m_memory})
        if (*each >= 0) ::close(std::exchange(*each, -1));
    if (m_shared != nullptr) ::munmap(std::exchange(m_shared, nullptr), m_sharedBytes);
    // NOTE: munmap() takes the address of what is only read here.
    if (const AtWork* note = std::exchange(m_atWork, nullptr))
        ::munmap(const_cast<AtWork*>(note), AtWork::kBytes);
    if (m_process > 0) {
        ::kill(m_process, SIGKILL);
        while (::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
        }
        m_process = -1;
    }
}

void ReaderProcess::failWith(std::string_view what, std::string_view why) {
    m_failed = fmt::format("{}; {}", what, why);
    end();
    throw fileError(m_file, m_failed);
}

void ReaderProcess::failAsItEnded() {
    // The socket closes a moment before the process has ended.
    siginfo_t facts{};
    constexpr double kMoment = 5.0;
    const double until = steadySeconds() + kMoment;
    while (facts.si_pid == 0 && steadySeconds() < until) {
        if (::waitid(P_PID, static_cast<id_t>(m_process), &facts, WEXITED | WNOHANG | WNOWAIT) != 0)
            break;
        ::poll(nullptr, 0, 1);
    }
    const std::string doing = doingOf(*m_atWork);
    if (facts.si_pid == 0 || facts.si_code == CLD_EXITED)
        failWith(fmt::format("{} ended too early while {}", whoWorks(*m_atWork), doing));
    if (facts.si_status == SIGKILL)
        failWith(fmt::format("its reader was killed while {}", doing),
                 "Linux does that where the memory is exhausted, so close other programs");
    failWith(fmt::format("{} crashed ({}) while {}", whoWorks(*m_atWork),
                         ::strsignal(facts.si_status), doing));
}

std::uint64_t ReaderProcess::send(const std::string& question) {
    if (!m_failed.empty()) throw fileError(m_file, m_failed);
    const std::uint64_t bytes = question.size();
    std::string message(sizeof bytes, '\0');
    std::memcpy(message.data(), &bytes, sizeof bytes);
    message += question;
    std::string_view left = message;
    while (!left.empty()) {
        const ssize_t sent = ::send(m_socket, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) failAsItEnded();
        left.remove_prefix(static_cast<std::size_t>(sent));
    }
    return m_sent++;
}

void ReaderProcess::receive(void* to, std::size_t bytes, const Patience& patience, double began) {
    auto* at = static_cast<char*>(to);
    const double usedBefore = usedBy(m_process);
    while (bytes > 0) {
        pollfd ready{.fd = m_socket, .events = POLLIN, .revents = 0};
        constexpr int kBetweenLooksMs = 200;
        const int found = ::poll(&ready, 1, kBetweenLooksMs);
        if (found == 0 || (found < 0 && errno == EINTR)) {
            const bool busy = usedBy(m_process) - usedBefore > patience.processorSeconds;
            if (busy || steadySeconds() - began > patience.seconds)
                failWith(fmt::format("{} took more than {:.0f} s{} while {}", whoWorks(*m_atWork),
                                     busy ? patience.processorSeconds : patience.seconds,
                                     busy ? " of processor time" : "", doingOf(*m_atWork)));
            continue;
        }
        const ssize_t got = ::recv(m_socket, at, bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) failAsItEnded();
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
}

std::string ReaderProcess::receiveAnswer(const Patience& patience) {
    const double began = steadySeconds();
    std::uint64_t bytes = 0;
    receive(&bytes, sizeof bytes, patience, began);
    if (bytes > kMaxLoadBytes) failWith(kNonsense);
    // Memory grows with what comes, not with what is announced.
    constexpr std::uint64_t kAtOnce = std::uint64_t{64} << 20U;
    std::string answer;
    while (answer.size() < bytes) {
        const std::size_t had = answer.size();
        answer.resize(std::min(bytes, had + kAtOnce));
        receive(answer.data() + had, answer.size() - had, patience, began);
    }
    return answer;
}

std::string ReaderProcess::answer(std::uint64_t ticket, const Patience& patience) {
    if (!m_failed.empty()) throw fileError(m_file, m_failed);
    while (m_received <= ticket) {
        std::string next = receiveAnswer(patience);
        m_answers.emplace(m_received++, std::move(next));
    }
    auto found = m_answers.extract(ticket);
    std::string bytes = found ? std::move(found.mapped()) : std::string();
    try {
        wire::Reader reader(bytes);
        if (const auto kind = reader.take<Reply>(); kind != Reply::Done) rethrow(kind, reader);
    } catch (const wire::Garbled&) {
        failWith(kNonsense);
    }
    bytes.erase(0, wire::encoded(Reply::Done).size());
    return bytes;
}

std::byte* ReaderProcess::share(std::size_t bytes) {
    // NOTE: without the seals the other process could take memory away that is being read here.
    if (::ftruncate(m_memory, static_cast<off_t>(AtWork::kBytes + bytes)) != 0 ||
        ::fcntl(m_memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw systemFailed("shared memory");
    void* at = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, m_memory, AtWork::kBytes);
    if (at == MAP_FAILED) throw systemFailed("shared memory");
    m_sharedBytes = bytes;
    m_shared = static_cast<std::byte*>(at);
    return m_shared;
}

} // namespace echolux
