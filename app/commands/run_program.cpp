// SPDX-License-Identifier: GPL-3.0-or-later
// posix_spawn with pipes for stdout and stderr.
#include "app/commands/run_program.hpp"

#include "app/command_line/interrupt.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>

namespace echolux {
namespace {

constexpr std::string_view kProgramMark = "echolux: ";

/// A pipe whose ends other programs do not inherit: theirs must not hold it open.
class Pipe {
public:
    Pipe() {
        if (::pipe2(m_ends, O_CLOEXEC) != 0) throw Error("No pipe to a program could be made.");
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        closeWriter();
        ::close(m_ends[0]);
    }
    int reader() const { return m_ends[0]; }
    int writer() const { return m_ends[1]; }
    void closeWriter() {
        if (m_ends[1] >= 0) ::close(m_ends[1]);
        m_ends[1] = -1;
    }

private:
    int m_ends[2] = {-1, -1};
};

/// Reads both until they end. A program that waits for one of them to be read goes on.
void readBoth(int first, std::string& firstText, int second, std::string& secondText) {
    std::array<pollfd, 2> from{pollfd{first, POLLIN, 0}, pollfd{second, POLLIN, 0}};
    const std::array<std::string*, 2> into{&firstText, &secondText};
    std::array<char, 4096> part{};
    while (from[0].fd >= 0 || from[1].fd >= 0) {
        if (::poll(from.data(), from.size(), -1) < 0 && errno != EINTR) return;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (from[i].fd < 0 || from[i].revents == 0) continue;
            const ssize_t got = ::read(from[i].fd, part.data(), part.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0)
                from[i].fd = -1;
            else
                into[i]->append(part.data(), static_cast<std::size_t>(got));
        }
    }
}

} // namespace

ProgramEnd runProgram(const std::filesystem::path& program,
                      const std::vector<std::string>& arguments, ProgramOutput out) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    Pipe errors;
    Pipe output;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (out == ProgramOutput::Kept)
        ::posix_spawn_file_actions_adddup2(&actions, output.writer(), STDOUT_FILENO);
    else
        ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, errors.writer(), STDERR_FILENO);
    int failed = 0;
    const pid_t child = startChild([&] {
        pid_t started = 0;
        failed =
            ::posix_spawn(&started, program.c_str(), &actions, nullptr, argv.data(), ::environ);
        return failed == 0 ? started : 0;
    });
    ::posix_spawn_file_actions_destroy(&actions);
    errors.closeWriter();
    output.closeWriter();
    if (failed != 0)
        throw Error(
            fmt::format("'{}' could not be started: {}.", program.string(), std::strerror(failed)));
    ProgramEnd end;
    readBoth(errors.reader(), end.err, output.reader(), end.out);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    forgetChild(child);
    end.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    end.ending = WIFEXITED(status) ? fmt::format("exited with {}", WEXITSTATUS(status))
                                   : fmt::format("was ended by signal {}", WTERMSIG(status));
    return end;
}

std::string reasonOf(const ProgramEnd& end) {
    std::string text = end.err;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::string line = text.substr(text.rfind('\n') + 1);
    if (line.starts_with(kProgramMark)) return line.substr(kProgramMark.size());
    return "The command " + end.ending + (line.empty() ? "." : ": " + line);
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
