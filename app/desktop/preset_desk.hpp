// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of presets: named settings per kind of recording, and the settings used last.
#pragma once

#include "app/desktop/preset_store.hpp"

#include <QObject>

#include <functional>

namespace echolux {

class EditDesk;
class PresetMenu;
class Session;

class PresetDesk : public QObject {
    Q_OBJECT
public:
    /// `folder`: see PresetStore. `remember`: keep the settings used last.
    PresetDesk(PresetMenu& menu, Session& session, EditDesk& edits, const QString& folder,
               bool remember);

    /// Lists the presets that suit the open recording.
    void offer();
    void choose(const QString& name);
    void chooseLastUsed();
    void save(const QString& name);
    void remove(const QString& name);
    /// Keeps the open recording's settings as those used last, where a user edited them. Returns
    /// true where they were kept.
    bool keepLastUsed();
    /// Call before another recording is adopted.
    void leaving();
    void recordingOpened();
    const PresetStore& store() const { return m_store; }

signals:
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    RecordingKind kind() const;
    void apply(const QString& what, const PipelineConfig& pipeline);
    void attempt(const std::function<void()>& work);

    PresetMenu& m_menu;
    Session& m_session;
    EditDesk& m_edits;
    PresetStore m_store;
    bool m_remember;
    QString m_keptFor; ///< name of the former recording, where its settings were kept; empty: none
};

} // namespace echolux
