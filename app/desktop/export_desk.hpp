// SPDX-License-Identifier: GPL-3.0-or-later
// Exports what is shown to files of other programs: the dialog, and the work in the background.
#pragma once

#include "app/export/export.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <cstdint>

class QWidget;

namespace echolux {

class Background;
class EditDesk;
class ExportDialog;
class RecordingDesk;
class Session;
struct ExportChoice;
struct ExportOffer;
struct ImagePixels;

class ExportDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: keep the folder of the last export in the user's settings.
    ExportDesk(QWidget& window, Session& session, Background& background, EditDesk& edits,
               RecordingDesk& recordings, bool remember);

    void ask(); ///< opens the dialog; does nothing without a recording
    /// Precondition: a recording is open.
    ExportOffer offer();
    /// The request for `choice`, with the recording, pipeline and look that are shown.
    ExportRequest requestFor(const ExportChoice& choice);
    void followPreview(); ///< to be called again and again; PixelsLook tells nobody of a copy
    /// Runs on a thread of its own. The window shows progress and a Cancel button at its bottom.
    void start(ExportRequest request);

signals:
    void exported(const QString& path);
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    /// Checks the request in the background while the dialog stays open. The dialog closes when the
    /// export begins.
    void exportAs(const ExportChoice& choice);
    QString folder() const;
    void askPreview();
    void drawPreview(const std::shared_ptr<const ImagePixels>& copied);

    QWidget& m_window;
    Session& m_session;
    Background& m_background;
    EditDesk& m_edits;
    RecordingDesk& m_recordings;
    QPointer<ExportDialog> m_dialog;
    bool m_remember;
    QString m_folder;                               ///< folder of the last file written
    bool m_previewWaits = false;                    ///< for a copy of the shown image
    std::shared_ptr<const ImagePixels> m_previewed; ///< drawn last
    bool m_drawing = false;                         ///< a preview is being drawn
    bool m_drawAgain = false;                       ///< the choice has changed meanwhile
    std::uint64_t m_lastCheck = 0; ///< number of the check that the dialog waits for
};

} // namespace echolux
