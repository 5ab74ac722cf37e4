// SPDX-License-Identifier: GPL-3.0-or-later
// Every edit passes through this desk. It is carried out or refused with a sentence, and becomes a
// step of the undo list.
#pragma once

#include "app/desktop/recording_state.hpp"
#include "app/desktop/workbench/step_name.hpp"
#include "app/session/document/document.hpp"
#include "app/session/session.hpp"

#include <QObject>
#include <QStringList>

#include <functional>

namespace echolux {

class DisplayGroup;
class EditMenu;
class ParameterPanel;

class EditDesk : public QObject {
    Q_OBJECT
public:
    using Name = StepName;
    EditDesk(EditMenu& menu, ParameterPanel& panel, DisplayGroup& display, Session& session);

    /// Changes the session, without a step. Returns why it was refused, or nothing. Precondition: a
    /// recording is open.
    QString attempt(const std::function<void()>& change);
    /// Makes one step. Returns why it was refused, or nothing. `origin`: the calibration file that
    /// is in force after the change.
    QString edit(const Name& name, const std::function<void()>& change,
                 const std::optional<QString>& origin = std::nullopt);
    /// Records a change that has been made since the document's states were `before`, as one step.
    void done(const Name& name, const Document::States& before);

    /// The display settings shown last. displayFollowed() updates them after a change that no user
    /// made.
    const DisplayChoice& display() const { return m_display; }
    void displayFollowed();
    void displayEdited(const DisplayChoice& before);
    void displayEdited(const Name& name, const DisplayChoice& before);

    /// Call leaving() before and opened() after another recording is adopted.
    void leaving();
    void opened(const OpenRequest& asked);
    /// Call in place of opened() where a pipeline moved the same recording to another backend or
    /// GPU.
    void moved(const Name& name);
    RecordingState recordingState() const; ///< precondition: a recording is open
    /// Call after the display of a newly opened recording was restored.
    void displayRestored();
    /// Call after the engine has returned to an earlier pipeline.
    void engineRefused();

    void undo();
    void redo();
    void goTo(int position); ///< undoes or redoes until `position` edits of the list are in force

    QString newest() const; ///< name of the step that undo() takes back; empty: none
    Document& document() { return m_document; }
    QStringList details() const; ///< of all edits of the list, see Edit
    /// The file whose calibration is in force; empty: the calibration is not from a file.
    const QString& origin() const { return m_origin; }
    void setOrigin(const QString& origin) { m_origin = origin; }
    /// The pipeline in force with each value at its default. Switches are as in the shipped
    /// pipeline that suits the recording.
    PipelineConfig atDefaults() const;
    /// The pipeline in force. Empty where it equals the one that the recording opened with.
    std::optional<PipelineConfig> edited() const;

signals:
    void changed(); ///< the list, or the position in it
    void steppedOver();
    /// The session has changed; `before`: the pipeline that was in force.
    void applied(const echolux::SnapshotPtr& before);
    void displayWanted(const echolux::DisplayChoice& display);
    /// The receiver reopens a recording in its saved state. Then it calls `adopted` instead of
    /// opened().
    void reopenWanted(const echolux::RecordingState& left, const std::function<void()>& adopted);
    void failed(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Way = Document::Way;
    /// Values, switches, graph and facts of the pipeline.
    struct Pipeline {
        SnapshotPtr snapshot;
        QString origin; ///< the file whose calibration is in force
        /// The facts of the recording itself. Where this edit is undone or repeated after the
        /// recording was reopened, the facts of the new opening replace them.
        std::shared_ptr<const Spectrometer> own;
    };
    void addParts();
    std::string go(const Pipeline& from, const Pipeline& to);
    std::string go(const DisplayChoice& from, DisplayChoice to);
    void step(Way way);
    void goOn();
    void stepped(Way way);
    void reopen(Way way, const Edit::Opening& opening);
    void record(const Name& name, const std::shared_ptr<const RecordingState>& left);
    void tell();

    EditMenu& m_menu;
    ParameterPanel& m_panel;
    DisplayGroup& m_group;
    Session& m_session;
    Document m_document;
    std::size_t m_pipelinePart = 0; ///< numbers in the document
    std::size_t m_displayPart = 0;
    QString m_origin;
    DisplayChoice m_display;
    OpenRequest m_asked;
    SnapshotPtr m_opened;      ///< pipeline that the recording opened with
    PipelineConfig m_standard; ///< pipeline whose switches are the defaults
    std::shared_ptr<const RecordingState> m_left;
    std::optional<int> m_target;
    bool m_stepping = false;
};

} // namespace echolux
