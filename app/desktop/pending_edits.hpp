// SPDX-License-Identifier: GPL-3.0-or-later
// Edits whose image is not on screen yet, and since when each waits.
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
    /// So old may the image on screen be without a sign that another is computed.
    static constexpr auto kUnseen = std::chrono::milliseconds(300);

    void posted(std::uint64_t edit, Clock::time_point now);
    void shown(std::uint64_t edit); ///< the image on screen has this edit and all before it
    void clear() { m_edits.clear(); }
    /// When the oldest edit has waited for kUnseen; empty: none waits.
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
