// SPDX-License-Identifier: GPL-3.0-or-later
// Every edit passes through this desk. It is carried out or refused with a sentence, and becomes a
// step of the undo list.
#pragma once

#include "app/desktop/edit_history.hpp"
#include "app/desktop/workbench/step_name.hpp"
#include "app/session/session.hpp"

#include <QObject>

#include <functional>

namespace echolux {

class MainWindow;

class EditDesk : public QObject {
    Q_OBJECT
public:
    /// Work that other desks do for this one.
    struct Means {
        /// Changes the session and updates the window. Returns why it was refused, or nothing.
        std::function<QString(const std::function<void()>& change)> attempt;
        std::function<void(const DisplayChoice&)> showDisplay;
        /// Reopens a recording in its saved state. Then calls `adopted` instead of
        /// EditDesk::opened().
        std::function<void(const RecordingState&, const std::function<void()>& adopted)> reopen;
    };
    using Name = StepName;
    /// All state that an edit may change.
    struct State {
        SnapshotPtr pipeline;
        QString origin;
        DisplayChoice display;
    };

    EditDesk(MainWindow& window, Session& session, Means means);

    /// Makes one step. Returns why it was refused, or nothing. `origin`: the calibration file that
    /// is in force after the change.
    QString edit(const Name& name, const std::function<void()>& change,
                 const std::optional<QString>& origin = std::nullopt);
    State state() const; ///< precondition: a recording is open
    /// Records a change that has been made since `before` was state(), as one step.
    void done(const Name& name, const State& before);

    /// The display settings shown last. displayFollowed() updates them after a change that no user
    /// made.
    const DisplayChoice& display() const { return m_display; }
    void displayFollowed();
    void displayEdited(const DisplayChoice& before);

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
    const EditHistory& history() const { return m_history; }
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
    void failed(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Way { Back, Forth };
    void step(Way way);
    void goOn();
    void stepped(Way way);
    void reopen(Way way, const OpeningEdit& edit);
    QString apply(Way way, const PipelineEdit& edit);
    void apply(Way way, const DisplayEdit& edit);
    void tell();

    MainWindow& m_window;
    Session& m_session;
    Means m_means;
    EditHistory m_history;
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
