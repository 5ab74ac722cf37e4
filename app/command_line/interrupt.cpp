// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that waits for signals: their handler may do next to nothing.
#include "app/command_line/interrupt.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace echolux {
namespace {

constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};
constexpr std::chrono::seconds kChildrenEndWithin{5};

struct Children {
    std::mutex mutex;
    std::condition_variable fewer;
    std::vector<pid_t> running;
    bool ending = false;
};

Children& children() {
    static auto* const all = new Children; // its thread outlives statics
    return *all;
}

int s_signalPipe[2] = {-1, -1};

extern "C" void passOn(int signal) {
    std::signal(signal, SIG_DFL);
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(s_signalPipe[1], &number, 1);
}

void endInOrder(int signal) {
    {
        Children& all = children();
        std::unique_lock lock(all.mutex);
        all.ending = true;
        for (const pid_t child : all.running) ::kill(child, SIGTERM);
        all.fewer.wait_for(lock, kChildrenEndWithin, [&] { return all.running.empty(); });
    }
    removePartialFiles();
    std::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
}

} // namespace

void endInOrderOnSignals() {
    if (::pipe2(s_signalPipe, O_CLOEXEC) != 0) throw Error("No pipe for signals could be made.");
    std::thread([] {
        unsigned char number = 0;
        while (::read(s_signalPipe[0], &number, 1) != 1) {
        }
        endInOrder(number);
    }).detach();
    for (const int signal : kEndingSignals) {
        // `nohup` and shells ignore some of them on purpose.
        if (std::signal(signal, passOn) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

pid_t startChild(const std::function<pid_t()>& start) {
    Children& all = children();
    std::unique_lock lock(all.mutex);
    all.fewer.wait(lock, [&] { return !all.ending; });
    all.running.reserve(all.running.size() + 1); // a child that runs must be known
    const pid_t child = start();
    if (child > 0) all.running.push_back(child);
    return child;
}

void forgetChild(pid_t child) {
    Children& all = children();
    {
        const std::scoped_lock lock(all.mutex);
        std::erase(all.running, child);
    }
    all.fewer.notify_all();
}

} // namespace echolux
