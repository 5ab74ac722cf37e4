// SPDX-License-Identifier: GPL-3.0-or-later
// Limits by setrlimit, files by Landlock, system calls by a seccomp filter.
#include "app/dataset/guarded/confinement.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace echolux {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// NOTE: sanitizers reserve memory and make system calls of their own.
void confine(const std::vector<std::filesystem::path>& /*readable*/, std::uint64_t /*fileBytes*/) {}
void allowMemoryOfFrames() {}

#else

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

void limitMemory(std::uint64_t fileBytes) {
    // An array of the greatest size, its converted copy, and what the opening may keep.
    constexpr std::uint64_t kLeast = 4096 * kMebibyte;
    constexpr std::uint64_t kMost = 16384 * kMebibyte;
    constexpr std::uint64_t kPerByte = 32;
    const rlim_t most = std::min(kLeast + std::min(fileBytes, kMost) * kPerByte, kMost);
    // Twice what an opening may keep, see OpeningLimits, and the stacks of threads.
    constexpr std::uint64_t kOfSmall = 416 * kMebibyte;
    constexpr std::uint64_t kPerThread = 16 * kMebibyte;
    const std::uint64_t threads = std::max(std::thread::hardware_concurrency(), 1U);
    const rlim_t opening =
        kOfSmall + threads * kPerThread + 2 * std::min(fileBytes, kMost) * kPerByte;
    const rlimit memory{.rlim_cur = std::min(opening, most), .rlim_max = most};
    ::setrlimit(RLIMIT_DATA, &memory);
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_FSIZE, &none);
    ::setrlimit(RLIMIT_CORE, &none);
    constexpr rlim_t kMostFiles = 256;
    const rlimit files{.rlim_cur = kMostFiles, .rlim_max = kMostFiles};
    ::setrlimit(RLIMIT_NOFILE, &files);
}

long landlock(long call, const void* first, std::size_t second, unsigned flags) {
    return ::syscall(call, first, second, flags);
}

/// Does nothing where the kernel has no Landlock.
void limitFiles(const std::vector<std::filesystem::path>& readable) {
    const long version =
        landlock(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return;
    // All rights over files of each version. NOTE: a kernel refuses rights that it does not know.
    constexpr unsigned kOfFirst = 13;
    constexpr unsigned kOfSecond = 14;
    constexpr unsigned kOfThird = 15;
    const unsigned rights = version == 1 ? kOfFirst : version == 2 ? kOfSecond : kOfThird;
    // NOTE: kernels accept the first member alone.
    const std::uint64_t all = (std::uint64_t{1} << rights) - 1;
    const long rules = landlock(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return;
    for (const std::filesystem::path& each : readable) {
        const int at = ::open(each.c_str(), O_PATH | O_CLOEXEC);
        if (at < 0) continue;
        std::error_code none;
        landlock_path_beneath_attr beneath{.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
                                           .parent_fd = at};
        if (std::filesystem::is_directory(each, none))
            beneath.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
        ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
        ::close(at);
    }
    ::syscall(SYS_landlock_restrict_self, rules, 0);
    ::close(static_cast<int>(rules));
}

/// A program for the kernel that looks at each system call.
class CallFilter {
public:
    CallFilter() {
#if defined(__x86_64__)
        constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
        constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
#else
#error "the filter of system calls knows x86-64 and aarch64"
#endif
        load(offsetof(seccomp_data, arch));
        test(BPF_JEQ, kMachine, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }

    void allow(unsigned call) { // or the value of an argument
        test(BPF_JEQ, call, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    /// Where one of `bits` is set in an argument, or, with Bits::Unset, none.
    enum class Bits : std::uint8_t { Unset, Set };
    void allowWith(unsigned call, unsigned argument, Bits wanted, unsigned bits) {
        test(BPF_JEQ, call, 0, 4);
        loadArgument(argument);
        const bool set = wanted == Bits::Set;
        test(BPF_JSET, bits, set ? 0 : 1, set ? 1 : 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    }
    /// Where an argument has one of these values.
    void allowWhere(unsigned call, unsigned argument, std::initializer_list<unsigned> values) {
        test(BPF_JEQ, call, 0, static_cast<unsigned char>(2 * values.size() + 2));
        loadArgument(argument);
        for (const unsigned value : values) allow(value);
        add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    void refuse(unsigned call, unsigned reason) {
        test(BPF_JEQ, call, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | reason);
    }

    void install() {
        add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
        const sock_fprog program{.len = static_cast<unsigned short>(m_steps.size()),
                                 .filter = m_steps.data()};
        if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) !=
            0)
            throw Error(fmt::format("The reader of recordings cannot give up its rights: seccomp "
                                    "failed with '{}'.",
                                    std::strerror(errno)));
    }

private:
    void add(unsigned code, unsigned value) {
        m_steps.push_back(BPF_STMT(static_cast<unsigned short>(code), value));
    }
    void test(unsigned code, unsigned value, unsigned char met, unsigned char unmet) {
        m_steps.push_back(
            BPF_JUMP(static_cast<unsigned short>(BPF_JMP | code | BPF_K), value, met, unmet));
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
    /// The lower half of an argument, on little-endian machines.
    void loadArgument(unsigned argument) {
        load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    }

    std::vector<sock_filter> m_steps;
};

void limitCalls() {
    using Bits = CallFilter::Bits;
    CallFilter filter;
    for (const unsigned call : {
             // the socket, open files and memory
             SYS_read,
             SYS_pread64,
             SYS_readv,
             SYS_preadv,
             SYS_write,
             SYS_close,
             SYS_lseek,
             SYS_flock,
             SYS_fadvise64,
             SYS_fstat,
             SYS_newfstatat,
             SYS_statx,
             SYS_fstatfs,
             SYS_statfs,
             SYS_faccessat,
             SYS_faccessat2,
             SYS_readlinkat,
             SYS_getcwd,
             SYS_getdents64,
             SYS_ppoll,
             SYS_munmap,
             SYS_mremap,
             SYS_madvise,
             SYS_brk,
             // threads and time
             SYS_futex,
             SYS_set_robust_list,
             SYS_rseq,
             SYS_set_tid_address,
             SYS_sched_yield,
             SYS_sched_getaffinity,
             SYS_getcpu,
             SYS_membarrier,
             SYS_nanosleep,
             SYS_clock_nanosleep,
             SYS_clock_gettime,
             SYS_clock_getres,
             SYS_gettimeofday,
             SYS_restart_syscall,
             // itself
             SYS_getpid,
             SYS_gettid,
             SYS_getuid,
             SYS_geteuid,
             SYS_getgid,
             SYS_getegid,
             SYS_getrandom,
             SYS_getrusage,
             SYS_sysinfo,
             SYS_uname,
             SYS_rt_sigaction,
             SYS_rt_sigprocmask,
             SYS_rt_sigreturn,
             SYS_sigaltstack,
             SYS_exit,
             SYS_exit_group,
#ifdef SYS_stat
             SYS_stat,
             SYS_lstat,
             SYS_access,
             SYS_readlink,
             SYS_getdents,
             SYS_poll,
             SYS_arch_prctl,
             SYS_time,
#endif
         })
        filter.allow(call);
    constexpr unsigned kChanges = O_ACCMODE | O_CREAT | O_TRUNC;
    constexpr unsigned kExecutable = 4; // PROT_EXEC
    filter.allowWith(SYS_openat, 2, Bits::Unset, kChanges);
#ifdef SYS_open
    filter.allowWith(SYS_open, 1, Bits::Unset, kChanges);
#endif
    filter.allowWith(SYS_mmap, 2, Bits::Unset, kExecutable);
    filter.allowWith(SYS_mprotect, 2, Bits::Unset, kExecutable);
    filter.allowWith(SYS_clone, 0, Bits::Set, CLONE_THREAD);
    filter.refuse(SYS_clone3, ENOSYS); // its flags lie in memory; clone takes its place
    filter.allowWhere(SYS_fcntl, 1,
                      {F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_DUPFD, F_DUPFD_CLOEXEC});
    filter.allowWhere(SYS_prlimit64, 0, {0}); // its own limits
    filter.allowWhere(SYS_prctl, 0, {PR_SET_NAME});
    filter.allowWhere(SYS_tgkill, 0, {static_cast<unsigned>(::getpid())});
    filter.install();
}

} // namespace

void confine(const std::vector<std::filesystem::path>& readable, std::uint64_t fileBytes) {
    limitMemory(fileBytes);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        throw Error("The reader of recordings cannot give up its rights: prctl failed.");
    limitFiles(readable);
    limitCalls();
}

void allowMemoryOfFrames() {
    rlimit memory{};
    if (::getrlimit(RLIMIT_DATA, &memory) != 0) return;
    memory.rlim_cur = memory.rlim_max;
    ::setrlimit(RLIMIT_DATA, &memory);
}

#endif

std::string memoryInWords() {
    rlimit memory{};
    if (::getrlimit(RLIMIT_DATA, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY)
        return "all memory";
    return fmt::format("{:.1f} GB", 1e-9 * static_cast<double>(memory.rlim_cur));
}

} // namespace echolux
