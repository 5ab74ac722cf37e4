// SPDX-License-Identifier: GPL-3.0-or-later
// The open recording: replaces it by another one, reopens it as it was left, moves it to another
// backend.
#pragma once

#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/recording_state.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/session/prepared_engine.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

namespace echolux {

class EditDesk;
class MessageDesk;
struct PlayState;
class Session;
class StatusBar;

class RecordingDesk : public QObject {
    Q_OBJECT
public:
    RecordingDesk(StatusBar& status, Session& session, Background& background, EditDesk& edits,
                  MessageDesk& messages);

    /// Shows and plays `prepared`, the result of prepareEngine() for `asked`, as one step of the
    /// undo list. Does nothing where the preparation was given up.
    void adopt(PreparedEngine prepared, const OpenRequest& asked);
    /// Prepares the recording as it was left. Calls `adopted` instead of making a step.
    void reopen(const RecordingState& left, const std::function<void()>& adopted);
    /// Makes one step of the undo list. Where the move fails, the present engine continues.
    /// Precondition: a recording is open.
    void move(const PipelineMove& move);

    /// The request for the open recording, with the pipeline that was chosen for it.
    const OpenRequest& shown() const { return m_shown; }
    QString path() const; ///< empty: no recording has been opened
    QString folder() const;

signals:
    void leaving(); ///< emitted before the engine, if any, is replaced
    void adopted(); ///< the session has the new recording; receivers update the window
    void moved(const echolux::PipelineMove& move, const echolux::PlayState& left);
    void titleChanged(const QString& title); ///< of the window
    void tracksChanged(const QStringList& names, int current);
    void parameterWanted(const QString& stage, const QString& key); ///< the user wants to set it

private:
    void adopt(PreparedEngine prepared, const OpenRequest& asked,
               const std::function<void()>& told);
    Background::Work preparing(const RecordingState& left, const BackendChoice& choice,
                               const std::function<void(PreparedEngine)>& adopted);
    void close(PreparedEngine former); ///< destroys it off the window's thread
    void showFacts();
    void tellWarning(const QString& sentence);

    StatusBar& m_status;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    MessageDesk& m_messages;
    OpenRequest m_shown;
};

} // namespace echolux
