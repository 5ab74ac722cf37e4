// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline files (open, save, drop) and edits of the graph: branches, stages and links.
#pragma once

#include "app/desktop/edit_desk.hpp"
#include "app/desktop/workbench/pipeline_move.hpp"

#include <QObject>
#include <QStringList>

#include <functional>

namespace echolux {

class PipelineMenu;

/// True where the file looks like a pipeline, in TOML or as a filter text. It may still be invalid.
bool isPipelineFile(const QString& path);

class PipelineDesk : public QObject {
    Q_OBJECT
public:
    /// `remember`: keep the list of recent files in the user's settings.
    PipelineDesk(QWidget& window, PipelineMenu& menu, Session& session, EditDesk& edits,
                 bool remember);

    void open(const QString& path);
    void openShipped(const QString& name);
    void save(const QString& path);
    /// Makes one step of the undo list; `make` returns the new pipeline. Returns false where it is
    /// refused. `refused` begins the sentence where the pipeline does not suit the recording.
    bool edit(const QString& what, const std::function<PipelineConfig()>& make,
              const QString& refused = {});
    /// The pipeline file that was opened or saved last; empty where the pipeline is not from a
    /// file.
    const QString& file() const { return m_file; }
    void recordingOpened(); ///< clears file()
    void moved(const PipelineMove& move);

signals:
    /// Emitted for a pipeline that suits the recording and asks for another backend or GPU.
    void moveWanted(const echolux::PipelineMove& move);
    void warned(const QString& sentence);
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    void offer();
    void choose();
    void saveAs();
    void remember(const QString& path);
    /// Like edit(), but emits moveWanted() where the pipeline asks for another backend or GPU.
    void load(const QString& what, const std::function<PipelineConfig()>& make,
              const QString& refused, const QString& file);
    void opened(const QString& file);
    void fail(const QString& sentence);

    QWidget& m_window;
    PipelineMenu& m_menu;
    Session& m_session;
    EditDesk& m_edits;
    bool m_remember;
    QString m_file;
    QStringList m_recent; ///< newest first
};

} // namespace echolux
