// SPDX-License-Identifier: GPL-3.0-or-later
// What Ctrl-C and SIGTERM do.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>

namespace echolux {

/// From now on SIGINT, SIGTERM and SIGHUP end the process in order: programs that it started end
/// first, then its partial files are removed, then the signal acts. A second signal acts at once.
void endInOrderOnSignals();

/// Runs `start`, which returns the process that it started or 0, and remembers this process until
/// forgetChild(). Where the program is ending already, it does not return.
pid_t startChild(const std::function<pid_t()>& start);
void forgetChild(pid_t child);

/// While it lives, SIGINT and SIGTERM only make isRequested() true: work ends after the present
/// step. One at a time.
class StopOnInterrupt {
public:
    StopOnInterrupt() {
        s_requested = 0;
        const auto request = [](int) { s_requested = 1; };
        m_interrupt = std::signal(SIGINT, request);
        m_terminate = std::signal(SIGTERM, request);
    }
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
    ~StopOnInterrupt() {
        std::signal(SIGINT, m_interrupt);
        std::signal(SIGTERM, m_terminate);
    }
    static bool isRequested() { return s_requested != 0; }

private:
    static inline volatile std::sig_atomic_t s_requested = 0;
    void (*m_interrupt)(int) = SIG_DFL;
    void (*m_terminate)(int) = SIG_DFL;
};

} // namespace echolux
