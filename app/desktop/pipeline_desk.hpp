// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines at work: files opened, saved, dropped; branches, stages and links that people change.
#pragma once

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/workbench/pipeline_move.hpp"

#include <QObject>
#include <QStringList>

#include <functional>

namespace echolux {

class MainWindow;

/// A file that begins like a pipeline, in either language; whether it is a good one is another
/// question.
bool isPipelineFile(const QString& path);

class PipelineDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: keep the list of recent files in the user's settings.
    PipelineDesk(MainWindow& window, Session& session, EditDesk& edits, bool remember);

    void open(const QString& path);
    void openShipped(const QString& name);
    void save(const QString& path);
    /// A step of the undo list; `make` gives the pipeline as it is to be. False where it is
    /// refused; `refused` then begins the sentence of one that does not suit the recording.
    bool edit(const QString& what, const std::function<PipelineConfig()>& make,
              const QString& refused = {});
    /// The file that was opened or saved last; empty for others.
    const QString& file() const { return m_file; }
    void recordingOpened(); ///< with the pipeline that suits it
    void moved(const PipelineMove& move);

signals:
    /// It suits the recording, and asks to run elsewhere.
    void moveWanted(const echolux::PipelineMove& move);
    void warned(const QString& sentence);
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    void offer();
    void choose();
    void saveAs();
    void remember(const QString& path);
    /// As edit(), but where the pipeline asks to run elsewhere, somebody else is to see to it.
    void load(const QString& what, const std::function<PipelineConfig()>& make,
              const QString& refused, const QString& file);
    void opened(const QString& file);
    void fail(const QString& sentence);

    MainWindow& m_window;
    Session& m_session;
    EditDesk& m_edits;
    bool m_remember;
    QString m_file;
    QStringList m_recent; ///< newest first
};

} // namespace echolux
