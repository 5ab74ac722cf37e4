// SPDX-License-Identifier: GPL-3.0-or-later
// Work on the CPU's threads that another thread can cut short.
#pragma once

#include <functional>
#include <memory>

namespace echolux {

/// NOTE: oneTBB's headers use a word that is a macro of Qt's; they stay out of this one.
class HostWork {
public:
    HostWork();
    ~HostWork();
    HostWork(const HostWork&) = delete;
    HostWork& operator=(const HostWork&) = delete;

    /// One thread at a time. Does `work` and returns true. Returns false where giveUp() came before
    /// its end: loops of oneTBB in it were cut short, and what they wrote is incomplete. Throws
    /// what `work` throws.
    bool run(const std::function<void()>& work);
    /// Any thread. Does nothing where no work is under way.
    void giveUp();

private:
    bool wasGivenUp() const;

    struct State;
    class UnderWay;
    std::unique_ptr<State> m_state;
};

} // namespace echolux
