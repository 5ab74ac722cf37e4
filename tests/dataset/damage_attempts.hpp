// SPDX-License-Identifier: GPL-3.0-or-later
// Attempts to open damaged files: many in one process, whose memory is limited to 1 GiB more than
// it began with, and those that it does not survive once more through a reader process.
#pragma once

#include "app/dataset/guarded/reader_process.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include <linux/landlock.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux::test {

#if defined(ECHOLUX_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true; // their shadow memory forbids limits
#else
inline constexpr bool kSanitized = false;
#endif

/// False where the kernel cannot keep a process from files.
inline bool hasLandlock() {
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

/// What opening and reading the first and last frame ended in.
enum class Outcome { Opened = 0, Refused = 1, OutOfMemory = 2, OtherError = 3, Crashed = 4 };

inline Outcome attempt(const std::filesystem::path& path) {
    try {
        const auto recording = openRecording(path);
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(0, frame);
        recording->readFrame(recording->info().frameCount - 1, frame);
        return Outcome::Opened;
    } catch (const Error&) {
        return Outcome::Refused;
    } catch (const std::bad_alloc&) {
        return Outcome::OutOfMemory;
    } catch (...) {
        return Outcome::OtherError;
    }
}

/// While it lives, recordings are read through reader processes, also where sanitizers read inside.
class ReadsThroughAProcess {
public:
    ReadsThroughAProcess() { ::unsetenv("ECHOLUX_READ_INSIDE"); }
    ReadsThroughAProcess(const ReadsThroughAProcess&) = delete;
    ReadsThroughAProcess& operator=(const ReadsThroughAProcess&) = delete;
    ~ReadsThroughAProcess() {
        if (m_inside) ::setenv("ECHOLUX_READ_INSIDE", "1", 1);
    }

private:
    const bool m_inside = std::getenv("ECHOLUX_READ_INSIDE") != nullptr;
};

/// While it lives, this process parses files itself.
class ReadsInside {
public:
    ReadsInside() { ::setenv("ECHOLUX_READ_INSIDE", "1", 1); }
    ReadsInside(const ReadsInside&) = delete;
    ReadsInside& operator=(const ReadsInside&) = delete;
    ~ReadsInside() {
        if (!m_already) ::unsetenv("ECHOLUX_READ_INSIDE");
    }

private:
    const bool m_already = std::getenv("ECHOLUX_READ_INSIDE") != nullptr;
};

/// Ours, and no library's, ended its reader.
inline bool ourReaderEnded(const std::string& sentence) {
    return sentence.find("its reader crashed") != std::string::npos ||
           sentence.find("its reader ended") != std::string::npos;
}

/// To `more` than it has. [bytes]
inline void limitMemory(rlim_t more) {
    if (kSanitized) return;
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most =
        static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
}

/// Runs many attempts in one child; where it dies, the child is started again after the culprit. A
/// library may end the child. Then opening through a process must give a sentence.
class Hammer {
public:
    Hammer(std::filesystem::path path, std::vector<std::string> variants)
        : m_path(std::move(path)), m_variants(std::move(variants)) {}

    void run() {
        std::size_t next = 0;
        while (next < m_variants.size()) next = runChild(next);
    }
    std::vector<std::string> failures;
    int opened = 0;
    int refused = 0;
    int ended = 0; ///< how many of the refused ones ended the child

private:
    std::size_t runChild(std::size_t first) {
        int ends[2] = {};
        EXPECT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            readHere();
            limitMemory(rlim_t{1} << 30U);
            ::alarm(600);
            for (std::size_t i = first; i < m_variants.size(); ++i) {
                writeFile(m_path, m_variants[i]);
                const char result = static_cast<char>(attempt(m_path));
                if (::write(ends[1], &result, 1) != 1) break;
            }
            ::_exit(0);
        }
        ::close(ends[1]);
        std::size_t at = first;
        char result = 0;
        while (::read(ends[0], &result, 1) == 1) count(at++, static_cast<Outcome>(result));
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        // A sanitizer ends the process with a status of its own.
        const bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!finished) count(at++, Outcome::Crashed);
        return finished ? m_variants.size() : at;
    }
    Outcome throughAProcess(std::size_t variant) {
        const ReadsThroughAProcess apart;
        ++ended;
        writeFile(m_path, m_variants[variant]);
        // NOTE: a thread that this process would start for it is missing in the next child.
        const pid_t child = ::fork();
        if (child == 0) {
            const Outcome outcome = attempt(m_path);
            const bool ours = ourReaderEnded(refusalOf(m_path));
            ::_exit(static_cast<int>(ours ? Outcome::Crashed : outcome));
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? static_cast<Outcome>(WEXITSTATUS(status)) : Outcome::Crashed;
    }
    void count(std::size_t variant, Outcome outcome) {
        if (outcome != Outcome::Opened && outcome != Outcome::Refused)
            outcome = throughAProcess(variant);
        if (outcome == Outcome::Opened)
            ++opened;
        else if (outcome == Outcome::Refused)
            ++refused;
        else
            failures.push_back("variant " + std::to_string(variant) + " ended with outcome " +
                               std::to_string(static_cast<int>(outcome)));
    }

    std::filesystem::path m_path;
    std::vector<std::string> m_variants;
};

} // namespace echolux::test
