// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the dialog up to date with the recording.
#include "app/desktop/facts_desk.hpp"

#include "app/session/recording_facts.hpp"
#include "app/session/session.hpp"
#include "ui/dialogs/facts_dialog.hpp"

#include <QAction>

namespace echolux {

FactsDesk::FactsDesk(QWidget& window, Session& session)
    : m_window(window), m_session(session),
      m_action(new QAction("&Facts about the recording", this)) {
    m_action->setObjectName("facts");
    m_action->setToolTip("What is known of the recording, as \"echolux info\" prints it");
    m_action->setEnabled(false);
    connect(m_action, &QAction::triggered, this, &FactsDesk::open);
}

void FactsDesk::recordingOpened() {
    m_action->setEnabled(true);
    if (m_dialog) show();
}

void FactsDesk::open() {
    if (!m_session.isOpen()) return;
    if (!m_dialog) m_dialog = new FactsDialog(&m_window);
    show();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void FactsDesk::show() {
    const RecordingInfo& info = m_session.recording();
    FactsDialog::Facts facts;
    for (const RecordingFact& fact : recordingFacts(info))
        facts.emplace_back(QString::fromStdString(fact.name), QString::fromStdString(fact.text));
    m_dialog->setFacts(QString::fromStdString(info.path.filename().string()), facts);
}

} // namespace echolux
