// SPDX-License-Identifier: GPL-3.0-or-later
// Edits whose image is not on screen yet, with the time of each.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace echolux {

/// Edits are numbered as Engine::edits() counts them.
class PendingEdits {
public:
    using Clock = std::chrono::steady_clock;
    /// An image may lack an edit for this long before the window says "computing".
    static constexpr auto kUnseen = std::chrono::milliseconds(300);

    void posted(std::uint64_t edit, Clock::time_point now);
    void shown(std::uint64_t edit); ///< the image on screen has this edit and all before it
    void clear() { m_edits.clear(); }
    /// Time at which the oldest edit has waited for kUnseen; empty: no edit waits.
    std::optional<Clock::time_point> lateAt() const;
    bool areLate(Clock::time_point now) const;

private:
    struct Edit {
        std::uint64_t number;
        Clock::time_point since;
    };
    std::deque<Edit> m_edits; ///< oldest first
};

} // namespace echolux
