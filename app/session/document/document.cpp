// SPDX-License-Identifier: GPL-3.0-or-later
// Joins edits to steps, follows steps and forgets old ones.
#include "app/session/document/document.hpp"

#include <algorithm>

namespace echolux {

std::size_t Document::add(DocumentPart part) {
    m_parts.push_back(std::move(part));
    return m_parts.size() - 1;
}

Document::States Document::states() const {
    States states;
    for (const DocumentPart& part : m_parts) states.push_back(part.state());
    return states;
}

bool Document::changesNothing(const Edit& edit) const {
    return !edit.opening && std::ranges::all_of(edit.changes, [this](const Edit::Change& change) {
        return m_parts[change.part].same(change.before, change.after);
    });
}

bool Document::joins(const Edit& edit) const {
    return m_inGesture && !edit.gesture.empty() && m_done != 0 && m_done == m_edits.size() &&
           m_edits.back().gesture == edit.gesture &&
           std::ranges::equal(m_edits.back().changes, edit.changes, {}, &Edit::Change::part,
                              &Edit::Change::part);
}

void Document::done(const Edit& name, const States& before) {
    Edit edit = name;
    const States after = states();
    for (std::size_t part = 0; part < before.size(); ++part)
        if (!m_parts[part].same(before[part], after[part]))
            edit.changes.push_back({part, before[part], after[part]});
    if (edit.changes.empty()) return;
    if (!joins(edit)) {
        endGesture();
        return push(std::move(edit));
    }
    Edit& last = m_edits.back();
    last.what = edit.what;
    last.detail = edit.detail;
    for (std::size_t i = 0; i < edit.changes.size(); ++i)
        last.changes[i].after = edit.changes[i].after;
    changed();
}

void Document::opened(Edit edit) {
    endGesture();
    push(std::move(edit));
}

void Document::push(Edit edit) {
    m_edits.resize(m_done);
    m_inGesture = !edit.gesture.empty();
    m_edits.push_back(std::move(edit));
    if (m_edits.size() > kMostEdits) m_edits.erase(m_edits.begin());
    m_done = m_edits.size();
    changed();
}

void Document::dropEmpty() {
    if (m_done == 0 || m_done != m_edits.size() || !changesNothing(m_edits.back())) return;
    m_edits.pop_back();
    --m_done;
    changed();
}

void Document::changed() {
    ++m_revision;
    if (m_told) m_told();
}

/// A gesture that ended where it began is dropped.
void Document::endGesture() {
    if (std::exchange(m_inGesture, false)) dropEmpty();
}

void Document::amend(std::size_t part) {
    if (m_done == 0 || m_done != m_edits.size()) return;
    auto& changes = m_edits.back().changes;
    const auto change = std::ranges::find(changes, part, &Edit::Change::part);
    if (change == changes.end()) return;
    change->after = m_parts[part].state();
    changed();
    dropEmpty();
}

void Document::amendOpening(DocumentPart::State after) {
    if (m_done != 0 && m_edits[m_done - 1].opening)
        m_edits[m_done - 1].opening->after = std::move(after);
}

const Edit* Document::next(Way way) const {
    if (way == Way::Back) return m_done > 0 ? &m_edits[m_done - 1] : nullptr;
    return m_done < m_edits.size() ? &m_edits[m_done] : nullptr;
}

std::string Document::go(Way way) {
    const Edit edit = *next(way); // parts may record edits meanwhile
    for (const Edit::Change& change : edit.changes) {
        const bool back = way == Way::Back;
        std::string refusal = m_parts[change.part].go(back ? change.after : change.before,
                                                      back ? change.before : change.after);
        if (!refusal.empty()) return refusal;
    }
    return {};
}

void Document::stepped(Way way) {
    m_inGesture = false;
    if (way == Way::Back && m_done > 0) --m_done;
    if (way == Way::Forth && m_done < m_edits.size()) ++m_done;
    changed();
}

} // namespace echolux
