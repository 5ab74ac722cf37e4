// SPDX-License-Identifier: GPL-3.0-or-later
// Exports what is shown to files of other programs: the dialog, and the work in the background.
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
    /// `remember`: keep the folder of the last export in the user's settings.
    ExportDesk(MainWindow& window, Session& session, Background& background, EditDesk& edits,
               RecordingDesk& recordings, MessageDesk& messages, bool remember);

    void ask(); ///< opens the dialog; does nothing without a recording
    /// Precondition: a recording is open.
    ExportOffer offer();
    /// The request for `choice`, with the recording, pipeline and look that are shown.
    ExportRequest requestFor(const ExportChoice& choice);
    /// Runs on a thread of its own. The window shows progress and a Cancel button at its bottom.
    void start(ExportRequest request);

signals:
    void exported(const QString& path);

private:
    /// Checks the request in the background while the dialog stays open. The dialog closes when the
    /// export begins.
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
    QString m_folder;              ///< folder of the last file written
    std::uint64_t m_lastCheck = 0; ///< number of the check that the dialog waits for
};

} // namespace echolux
