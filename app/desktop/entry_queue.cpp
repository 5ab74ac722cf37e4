// SPDX-License-Identifier: GPL-3.0-or-later
// One entry per turn.
#include "app/desktop/entry_queue.hpp"

#include "app/desktop/workbench/background.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace echolux {

EntryQueue::EntryQueue(Background& background, IsReady isReady)
    : m_background(background), m_isReady(std::move(isReady)) {
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &EntryQueue::turn);
    connect(&background, &Background::failed, this,
            [this](const QString& sentence, Background::Kind kind) {
                if (kind == Background::Kind::Opening) m_failure = sentence;
            });
}

void EntryQueue::add(SessionEntry entry, const SenderPtr& sender, Done done) {
    m_waiting.push_back({std::move(entry), sender, std::move(done)});
    if (m_waiting.size() == 1) m_sinceFirst.start();
    if (!m_next.isActive()) m_next.start(0);
}

void EntryQueue::drop(const SenderPtr& sender) {
    std::erase_if(m_waiting, [&](const Waiting& each) { return each.sender == sender; });
}

void EntryQueue::recordingOpened() { m_isOpened = true; }

void EntryQueue::turn() {
    constexpr int kPaceMs = 20;
    if (m_isBusy) return; // the event loop of a dialog
    if (m_background.isOpening() || !endOpening() || !mayBegin()) {
        m_next.start(kPaceMs);
        return;
    }
    if (m_waiting.empty()) return;
    Waiting next = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_sinceFirst.start();
    m_isOpened = false;
    m_failure.clear();
    m_isBusy = true;
    const QString problem = perform(next);
    m_isBusy = false;
    if (problem.isEmpty() && next.entry.id == session_words::kOpen)
        m_opening = std::move(next);
    else
        next.done(problem);
    m_next.start(0);
}

/// Answers an opening that has ended. True where none is on its way.
bool EntryQueue::endOpening() {
    if (!m_opening) return true;
    const Waiting ended = *std::exchange(m_opening, std::nullopt);
    ended.sender->isLost = !m_isOpened;
    const QString why = m_failure.isEmpty() ? "The recording was not opened." : m_failure;
    ended.done(m_isOpened ? QString() : why);
    return true;
}

bool EntryQueue::mayBegin() {
    return m_waiting.empty() || m_waiting.front().sender->isLost ||
           m_isReady(m_waiting.front().entry) || m_sinceFirst.elapsed() > kPatienceMs;
}

QString EntryQueue::perform(const Waiting& next) {
    // What another recording is for must not reach the one that is open.
    if (next.sender->isLost && next.entry.id != session_words::kOpen)
        return "It was not done, because the recording before it was not opened.";
    try {
        next.sender->performer.perform(next.entry);
    } catch (const std::exception& error) {
        QString problem = sentenceOf(error);
        if (!problem.endsWith('.')) problem += '.';
        return problem;
    }
    return {};
}

} // namespace echolux
