// SPDX-License-Identifier: GPL-3.0-or-later
// Patience with other threads and programs.
#pragma once

#include <chrono>
#include <thread>

namespace echolux::test {

/// Polls for up to two minutes; false where the condition never came true.
template <class Condition> bool waitUntil(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < end) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

} // namespace echolux::test
