// SPDX-License-Identifier: GPL-3.0-or-later
// The settings on view over many files: the dialog, and the work beside the window.
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

    void ask(); ///< nothing where no recording is open
    /// One per file, named after it; values that stand at their default follow each recording.
    /// Precondition: a recording is open.
    std::vector<ExportRequest> requestsFor(const BatchChoice& choice);
    /// One after the other; a file that is refused is told of at the end, and the others go on.
    void start(std::vector<ExportRequest> requests, const QString& folder);

signals:
    /// How many were written, and a sentence for each that was not.
    void finished(int written, const QStringList& refused);

private:
    void exportAll(const BatchChoice& choice);

    MainWindow& m_window;
    Session& m_session;
    Means m_means;
    QPointer<BatchDialog> m_dialog;
};

} // namespace echolux
