// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses, saves and deletes presets.
#include "app/desktop/preset_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "app/session/session.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/parameters/preset_menu.hpp"

namespace echolux {

PresetDesk::PresetDesk(PresetMenu& menu, Session& session, EditDesk& edits, const QString& folder,
                       bool remember)
    : m_menu(menu), m_session(session), m_edits(edits), m_store(folder), m_remember(remember) {
    connect(&menu, &PresetMenu::aboutToOffer, this, &PresetDesk::offer);
    connect(&menu, &PresetMenu::chosen, this, &PresetDesk::choose);
    connect(&menu, &PresetMenu::lastUsedChosen, this, &PresetDesk::chooseLastUsed);
    connect(&menu, &PresetMenu::saveRequested, this, &PresetDesk::save);
    connect(&menu, &PresetMenu::deleteRequested, this, &PresetDesk::remove);
}

RecordingKind PresetDesk::kind() const { return recordingKind(m_session.snapshot()->input); }

void PresetDesk::offer() {
    if (!m_session.isOpen()) return;
    m_menu.setPresets(kind().label, m_store.names(kind()), m_store.hasLastUsed(kind()));
}

void PresetDesk::attempt(const std::function<void()>& work) {
    if (!m_session.isOpen()) return;
    try {
        work();
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error));
    }
    offer();
}

void PresetDesk::apply(const QString& what, const PipelineConfig& pipeline) {
    const QString refusal = m_edits.edit({"preset " + what, "Preset " + what},
                                         [&] { m_session.applyPipeline(pipeline); });
    if (!refusal.isEmpty())
        emit failed("The preset " + what + " does not suit this recording: " + refusal);
}

void PresetDesk::choose(const QString& name) {
    attempt([&] { apply('"' + name + '"', m_store.load(kind(), name)); });
}

void PresetDesk::chooseLastUsed() {
    attempt([&] { apply("\"Last used\"", m_store.loadLastUsed(kind())); });
}

void PresetDesk::save(const QString& name) {
    attempt([&] {
        const bool replaced = m_store.names(kind()).contains(name);
        m_store.save(kind(), name, toConfig(*m_session.snapshot()));
        emit informed(QString("The preset \"%1\" for %2 is %3.")
                          .arg(name, kind().label, replaced ? "replaced" : "saved"));
    });
}

void PresetDesk::remove(const QString& name) {
    attempt([&] {
        m_store.remove(kind(), name);
        emit informed(QString("The preset \"%1\" is deleted.").arg(name));
    });
}

void PresetDesk::leaving() {
    m_keptFor.clear();
    if (keepLastUsed())
        m_keptFor = QString::fromStdString(m_session.recording().path.filename().string());
}

void PresetDesk::recordingOpened() {
    offer();
    if (m_keptFor.isEmpty()) return;
    emit informed("The settings of " + m_keptFor +
                  " are kept: Edit > Undo goes back to them, or Pipeline > Presets > Last used "
                  "restores them.");
}

bool PresetDesk::keepLastUsed() {
    if (!m_remember) return false;
    const auto edited = m_edits.edited();
    if (!edited) return false;
    bool kept = false;
    attempt([&] {
        m_store.saveLastUsed(kind(), *edited);
        kept = true;
    });
    return kept;
}

} // namespace echolux
