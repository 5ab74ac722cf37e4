// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that people edit passes here: it is done, or refused in a sentence, and kept in the
// list of steps that can be taken back.
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
    /// What the desk cannot do itself.
    struct Means {
        /// Does a change of the session and shows what follows; returns why it was refused.
        std::function<QString(const std::function<void()>& change)> attempt;
        std::function<void(const DisplayChoice&)> showDisplay;
        /// Opens a recording as it was left; then calls `adopted` in place of telling the desk.
        std::function<void(const RecordingState&, const std::function<void()>& adopted)> reopen;
    };
    using Name = StepName;
    /// What an edit may change.
    struct State {
        SnapshotPtr pipeline;
        QString origin;
        DisplayChoice display;
    };

    EditDesk(MainWindow& window, Session& session, Means means);

    /// One step, or none and why it was refused. `origin`: the calibration file that is in force
    /// then.
    QString edit(const Name& name, const std::function<void()>& change,
                 const std::optional<QString>& origin = std::nullopt);
    State state() const; ///< precondition: a recording is open
    /// One step that has been done since `before` was state().
    void done(const Name& name, const State& before);

    /// The display as it was shown last; displayFollowed(): it is shown otherwise, which nobody
    /// chose.
    const DisplayChoice& display() const { return m_display; }
    void displayFollowed();
    void displayEdited(const DisplayChoice& before);

    /// Before and after another recording is adopted.
    void leaving();
    void opened(const OpenRequest& asked);
    /// In place of opened(): the same recording, on another backend or GPU for its pipeline's sake.
    void moved(const Name& name);
    RecordingState recordingState() const; ///< precondition: a recording is open
    /// Of the recording that was opened: what its display is made to show.
    void displayRestored();
    /// The engine went back to an earlier pipeline by itself.
    void engineRefused();

    void undo();
    void redo();
    void goTo(int position); ///< so many edits of the list are in force then

    QString newest() const; ///< what undo() takes back; empty: nothing
    const EditHistory& history() const { return m_history; }
    /// The file whose calibration is in force, where it is one.
    const QString& origin() const { return m_origin; }
    void setOrigin(const QString& origin) { m_origin = origin; }
    /// Every value at its default, the switches as the pipeline has them that suits the recording.
    PipelineConfig atDefaults() const;
    /// The pipeline, where it is not the one that the recording opened with.
    std::optional<PipelineConfig> edited() const;

signals:
    void changed(); ///< the list, or the place in it
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
    SnapshotPtr m_opened;      ///< as the recording opened
    PipelineConfig m_standard; ///< whose switches are the default ones
    std::shared_ptr<const RecordingState> m_left;
    std::optional<int> m_target;
    bool m_stepping = false;
};

} // namespace echolux
