// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what a user does as a session.
#pragma once

#include "app/desktop/still_images.hpp"
#include "app/replay/session_state.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

class QMainWindow;

namespace echolux {

class EditDesk;
class Engine;
class Session;

/// What the window has led to. Precondition: a recording is open.
SessionState sessionStateOf(EditDesk& edits);
/// The entries that lead to it in another window. Paths are written relative to `folder`.
std::vector<SessionEntry> openingEntries(const SessionState& state, Session& session,
                                         const std::filesystem::path& folder);

class SessionRecorder : public QObject {
    Q_OBJECT
public:
    SessionRecorder(QMainWindow& window, Session& session, EditDesk& edits);
    ~SessionRecorder() override;

    /// Begins with what is open. The file is written again after each change. Throws Error where it
    /// cannot be written.
    void begin(const QString& path);
    void end();
    bool isOn() const { return !m_path.isEmpty(); }
    const std::vector<SessionEntry>& entries() const { return m_entries; }

    void recordingOpened();
    void followEdits();
    void lookAround(); ///< to be called several times a second

signals:
    void failed(const QString& sentence);

private:
    void tellOpening();
    void listen();
    void add(std::vector<SessionEntry> entries);
    void write(); ///< throws Error

    QMainWindow& m_window;
    Session& m_session;
    EditDesk& m_edits;
    StillWatch m_still;
    QTimer m_untilWritten;
    QString m_path; ///< empty: nothing is recorded
    std::vector<SessionEntry> m_entries;
    std::weak_ptr<Engine> m_told;     ///< of the recording whose opening was written
    SessionState m_state;             ///< to which the entries have led
    std::size_t m_gesture = 0;        ///< number of the entries at the end that one gesture made
    std::size_t m_position = 0;       ///< of the document then
    std::vector<SessionEntry> m_seen; ///< the newest entries of images
};

} // namespace echolux
