// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of edits that wait for their image.
#include "app/desktop/pending_edits.hpp"

namespace echolux {

void PendingEdits::posted(std::uint64_t edit, Clock::time_point now) {
    if (m_edits.empty() || m_edits.back().number < edit) m_edits.push_back({edit, now});
}

void PendingEdits::shown(std::uint64_t edit) {
    while (!m_edits.empty() && m_edits.front().number <= edit) m_edits.pop_front();
}

std::optional<PendingEdits::Clock::time_point> PendingEdits::lateAt() const {
    if (m_edits.empty()) return std::nullopt;
    return m_edits.front().since + kUnseen;
}

bool PendingEdits::areLate(Clock::time_point now) const {
    const auto at = lateAt();
    return at && now >= *at;
}

} // namespace echolux
