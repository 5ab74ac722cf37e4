// SPDX-License-Identifier: GPL-3.0-or-later
// Work of the CPU's threads that another thread can end before it is done.
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

    /// One thread at a time: does `work` and returns true; false where giveUp() came before its
    /// end: then loops of oneTBB in it were cut short, and what they wrote is incomplete. Throws
    /// what `work` throws.
    bool run(const std::function<void()>& work);
    /// Any thread. Nothing happens where no work is under way.
    void giveUp();

private:
    bool wasGivenUp() const;

    struct State;
    class UnderWay;
    std::unique_ptr<State> m_state;
};

} // namespace echolux
