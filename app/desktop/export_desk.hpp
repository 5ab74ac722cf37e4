// SPDX-License-Identifier: GPL-3.0-or-later
// What is on view into files of other programs: the dialog, and the work beside the window.
#pragma once

#include "app/export/export.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <cstdint>

namespace echolux {

class Background;
class EditDesk;
class ExportDialog;
class MainWindow;
class MessageDesk;
class RecordingDesk;
class Session;
struct ExportChoice;
struct ExportOffer;

class ExportDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: the folder of the last export, in the user's settings.
    ExportDesk(MainWindow& window, Session& session, Background& background, EditDesk& edits,
               RecordingDesk& recordings, MessageDesk& messages, bool remember);

    void ask(); ///< nothing where no recording is open
    /// Precondition: a recording is open.
    ExportOffer offer();
    /// What `choice` asks for, with the recording, the pipeline and the look that are on view.
    ExportRequest requestFor(const ExportChoice& choice);
    /// On a thread of its own; progress and Cancel at the bottom of the window.
    void start(ExportRequest request);

signals:
    void exported(const QString& path);

private:
    /// Checks beside the window while the dialog stays; it closes once the work begins.
    void exportAs(const ExportChoice& choice);
    QString folder() const;

    MainWindow& m_window;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    RecordingDesk& m_recordings;
    MessageDesk& m_messages;
    QPointer<ExportDialog> m_dialog;
    bool m_remember;
    QString m_folder;              ///< of the last file that was written
    std::uint64_t m_lastCheck = 0; ///< the check that the dialog waits for
};

} // namespace echolux
