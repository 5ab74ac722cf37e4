// SPDX-License-Identifier: GPL-3.0-or-later
// Attempts to open damaged files, in a process of their own whose memory is limited to 1 GiB more
// than it began with.
#pragma once

#include "app/dataset/guarded/reader_process.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true; // their shadow memory forbids limits
#else
inline constexpr bool kSanitized = false;
#endif

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

/// Runs many attempts in one child; where it dies, the child is started again after the culprit.
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
    void count(std::size_t variant, Outcome outcome) {
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
