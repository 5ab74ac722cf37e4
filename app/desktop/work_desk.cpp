// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the sign of work, from edits and drawn images.
#include "app/desktop/work_desk.hpp"

#include "app/session/session.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/status_bar.hpp"

#include <chrono>

namespace echolux {
namespace {

constexpr int kEditsRestMs = 300; ///< longer than between the edits of a drag

} // namespace

WorkDesk::WorkDesk(StatusBar& status, ImageView& view, Session& session)
    : m_status(status), m_session(session) {
    m_late.setSingleShot(true);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kEditsRestMs);
    connect(&m_pause, &QTimer::timeout, this, [this] { m_session.giveUpStale(); });
    connect(&m_late, &QTimer::timeout, this, &WorkDesk::show);
    connect(&view, &ImageView::frameTaken, this, &WorkDesk::frameTaken);
}

void WorkDesk::recordingOpened() {
    m_pending.clear();
    show();
}

void WorkDesk::followPipeline() {
    if (m_session.mailbox().shownFrame() < 0) return failed(); // there is no image to update
    m_pending.posted(m_session.edits(), PendingEdits::Clock::now());
    m_pending.shown(m_session.mailbox().shownEdit());
    if (m_pending.lateAt()) m_pause.start();
    show();
}

void WorkDesk::failed() {
    m_pending.clear();
    show();
}

void WorkDesk::frameTaken() {
    if (!m_session.isOpen()) return;
    m_pending.shown(m_session.mailbox().shownEdit());
    show();
}

void WorkDesk::show() {
    const auto now = PendingEdits::Clock::now();
    const bool late = m_pending.areLate(now);
    m_status.setComputing(late);
    const auto at = m_pending.lateAt();
    if (late || !at) return m_late.stop();
    m_late.start(std::chrono::ceil<std::chrono::milliseconds>(*at - now));
}

} // namespace echolux
