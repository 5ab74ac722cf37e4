// SPDX-License-Identifier: GPL-3.0-or-later
// Exports many files with the settings in force: the dialog, and the work in the background.
#pragma once

#include "app/export/export.hpp"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace echolux {

class Background;
class BatchDialog;
class ExportDesk;
class MainWindow;
class MessageDesk;
class RecordingDesk;
class Session;
struct BatchChoice;

class BatchDesk : public QObject {
    Q_OBJECT
public:
    struct Means {
        Background& background;
        ExportDesk& exports;
        RecordingDesk& recordings;
        MessageDesk& messages;
    };
    BatchDesk(MainWindow& window, Session& session, const Means& means);

    void ask(); ///< opens the dialog; does nothing without a recording
    /// One request per file, named after the file. Values at their default are left out, so that
    /// each recording gets its own defaults. Precondition: a recording is open.
    std::vector<ExportRequest> requestsFor(const BatchChoice& choice);
    /// Exports one file after the other. A refused file does not stop the others; it is reported at
    /// the end.
    void start(std::vector<ExportRequest> requests, const QString& folder);

signals:
    /// Number of files written, and a sentence for each file that was not.
    void finished(int written, const QStringList& refused);

private:
    void exportAll(const BatchChoice& choice);

    MainWindow& m_window;
    Session& m_session;
    Means m_means;
    QPointer<BatchDialog> m_dialog;
};

} // namespace echolux
