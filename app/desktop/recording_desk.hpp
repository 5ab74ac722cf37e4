// SPDX-License-Identifier: GPL-3.0-or-later
// The open recording: one takes the place of another, comes back as it was left, or moves to
// another backend.
#pragma once

#include "app/desktop/edit_history.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/prepared_engine.hpp"

#include <QObject>
#include <QString>

#include <functional>

namespace echolux {

class EditDesk;
class MainWindow;
class MessageDesk;
struct PlayState;
class Session;

class RecordingDesk : public QObject {
    Q_OBJECT
public:
    RecordingDesk(MainWindow& window, Session& session, Background& background, EditDesk& edits,
                  MessageDesk& messages);

    /// Shows and plays what prepareEngine() made of `asked`; nothing where that gave up. One step
    /// of the list of edits.
    void adopt(PreparedEngine prepared, const OpenRequest& asked);
    /// Prepares it as it was left; `adopted` takes the place of a step of its own.
    void reopen(const RecordingState& left, const std::function<void()>& adopted);
    /// One step; what ran goes on where it fails. Precondition: a recording is open.
    void move(const PipelineMove& move);

    /// As it was asked for, with the pipeline that was chosen for it.
    const OpenRequest& shown() const { return m_shown; }
    QString path() const; ///< empty: none has been opened
    QString folder() const;

signals:
    void leaving(); ///< the engine is about to go, if there is one
    void adopted(); ///< everything shows the new one
    void moved(const echolux::PipelineMove& move, const echolux::PlayState& left);

private:
    void adopt(PreparedEngine prepared, const OpenRequest& asked,
               const std::function<void()>& told);
    Background::Work preparing(const RecordingState& left, const BackendChoice& choice,
                               const std::function<void(PreparedEngine)>& adopted);
    void close(PreparedEngine former); ///< away from the window's thread
    void showFacts();
    void tellWarning(const QString& sentence);

    MainWindow& m_window;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    MessageDesk& m_messages;
    OpenRequest m_shown;
};

} // namespace echolux
