// SPDX-License-Identifier: GPL-3.0-or-later
// posix_spawn with a pipe for stderr.
#include "app/commands/run_program.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace echolux {
namespace {

std::string readAll(int from) {
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t got = ::read(from, part.data(), part.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(part.data(), static_cast<std::size_t>(got));
    }
}

} // namespace

ProgramEnd runProgram(const std::filesystem::path& program,
                      const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int ends[2] = {};
    // Other threads start programs, too; theirs must not hold this pipe open.
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error("No pipe to a program could be made.");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t child = 0;
    const int failed =
        ::posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), ::environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) {
        ::close(ends[0]);
        throw Error(
            fmt::format("'{}' could not be started: {}.", program.string(), std::strerror(failed)));
    }
    ProgramEnd end;
    end.err = readAll(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    end.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    end.ending = WIFEXITED(status) ? fmt::format("exited with {}", WEXITSTATUS(status))
                                   : fmt::format("was ended by signal {}", WTERMSIG(status));
    return end;
}

std::filesystem::path thisProgram() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::string shellText(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
            return std::isalnum(c) != 0 || std::strchr("_-./=:,+@%", c) != nullptr;
        });
        if (plain) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

} // namespace echolux
