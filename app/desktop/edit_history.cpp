// SPDX-License-Identifier: GPL-3.0-or-later
// Joins edits to steps, skips steps and forgets old ones.
#include "app/desktop/edit_history.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

bool sameValues(const Snapshot& a, const Snapshot& b) {
    return a.input.spectrometer == b.input.spectrometer && a.name == b.name &&
           a.environment == b.environment && sameGraph(a, b) &&
           std::ranges::equal(a.stages, b.stages, [](const StageState& x, const StageState& y) {
               return x.hasSwitchesOf(y) && x.params == y.params;
           });
}

bool changesNothing(const Edit& edit) {
    if (edit.opening) return false;
    const bool pipeline =
        edit.pipeline && !sameValues(*edit.pipeline->before, *edit.pipeline->after);
    const bool display = edit.display && edit.display->before != edit.display->after;
    return !pipeline && !display;
}

} // namespace

bool EditHistory::joins(const Edit& edit) const {
    if (!m_inGesture || edit.gesture.isEmpty() || m_done == 0 || m_done != m_edits.size())
        return false;
    const Edit& last = m_edits.back();
    return last.gesture == edit.gesture && last.pipeline.has_value() == edit.pipeline.has_value() &&
           last.display.has_value() == edit.display.has_value();
}

void EditHistory::record(Edit edit) {
    if (joins(edit)) {
        Edit& last = m_edits.back();
        last.what = edit.what;
        last.detail = edit.detail;
        if (edit.pipeline) {
            last.pipeline->after = edit.pipeline->after;
            last.pipeline->originAfter = edit.pipeline->originAfter;
        }
        if (edit.display) last.display->after = edit.display->after;
        changed();
        return;
    }
    endGesture();
    if (changesNothing(edit)) return;
    m_edits.resize(m_done);
    m_inGesture = !edit.gesture.isEmpty();
    m_edits.push_back(std::move(edit));
    if (m_edits.size() > kMostEdits) m_edits.erase(m_edits.begin());
    m_done = m_edits.size();
    changed();
}

/// A gesture that ended where it began is dropped.
void EditHistory::endGesture() {
    if (!std::exchange(m_inGesture, false)) return;
    if (m_done != m_edits.size() || m_edits.empty() || !changesNothing(m_edits.back())) return;
    m_edits.pop_back();
    --m_done;
    changed();
}

const Edit* EditHistory::toUndo() const { return m_done > 0 ? &m_edits[m_done - 1] : nullptr; }

const Edit* EditHistory::toRedo() const {
    return m_done < m_edits.size() ? &m_edits[m_done] : nullptr;
}

void EditHistory::steppedBack() {
    m_inGesture = false;
    if (m_done > 0) --m_done;
    changed();
}

void EditHistory::steppedForward() {
    m_inGesture = false;
    if (m_done < m_edits.size()) ++m_done;
    changed();
}

void EditHistory::refused(const SnapshotPtr& inForce) {
    if (m_done == 0 || m_done != m_edits.size()) return;
    Edit& last = m_edits.back();
    if (!last.pipeline || last.pipeline->after == inForce) return;
    last.pipeline->after = inForce;
    if (changesNothing(last)) {
        m_edits.pop_back();
        --m_done;
    }
    changed();
}

void EditHistory::amendOpening(const DisplayChoice& display) {
    if (m_done == 0 || !m_edits[m_done - 1].opening) return;
    auto& state = m_edits[m_done - 1].opening->after;
    auto shown = std::make_shared<RecordingState>(*state);
    shown->display = display;
    state = std::move(shown);
}

QStringList EditHistory::details() const {
    QStringList all;
    for (const Edit& edit : m_edits) all << edit.detail;
    return all;
}

} // namespace echolux
