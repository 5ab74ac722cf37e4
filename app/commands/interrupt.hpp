// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C ends work after the present step, instead of the process.
#pragma once

#include <csignal>

namespace echolux {

/// While it lives, SIGINT and SIGTERM only make isRequested() true. One at a time.
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
