// SPDX-License-Identifier: GPL-3.0-or-later
// The session and the desks behind the workbench.
#include "app/desktop/workbench/workbench.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/session/session.hpp"

#include <utility>

namespace echolux {

Workbench::Workbench(Session& session, Background& background, Edit edit)
    : m_session(session), m_background(background), m_edit(std::move(edit)) {}

bool Workbench::isOpen() const { return m_session.isOpen(); }

SnapshotPtr Workbench::snapshot() const { return m_session.snapshot(); }

std::int64_t Workbench::shownFrame() const { return m_session.engine().mailbox().shownFrame(); }

std::int64_t Workbench::chosenBscan() const { return m_session.engine().mailbox().chosenBscan(); }

bool Workbench::isPlaying() const { return m_session.engine().player().state().playing; }

QString Workbench::inLabels(const std::string& sentence) const {
    return echolux::inLabels(sentence, *m_session.snapshot());
}

void Workbench::edit(const std::string& stage, const char* key, const ParamValue& value) {
    m_edit(QString::fromStdString(stage), key, value);
}

} // namespace echolux
