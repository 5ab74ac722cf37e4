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

class QAction;
class QWidget;

namespace echolux {

class Background;
class BatchDialog;
class ExportDesk;
class Session;
struct BatchChoice;

class BatchDesk : public QObject {
    Q_OBJECT
public:
    BatchDesk(QWidget& window, Session& session, Background& background, ExportDesk& exports);

    QAction* entry() const { return m_entry; } ///< for the menu of exports
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
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    void exportAll(const BatchChoice& choice);

    QWidget& m_window;
    Session& m_session;
    Background& m_background;
    ExportDesk& m_exports;
    QAction* m_entry;
    QPointer<BatchDialog> m_dialog;
};

} // namespace echolux
