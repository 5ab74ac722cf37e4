// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions in the window: records them, and does what their entries say.
#pragma once

#include "app/desktop/entry_queue.hpp"
#include "app/desktop/session_recorder.hpp"
#include "app/desktop/still_images.hpp"
#include "app/replay/session_target.hpp"

#include <QByteArray>
#include <QMenu>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QMainWindow;

namespace echolux {

class Background;
class DisplayDesk;
class EditDesk;
class FileDesk;
class PlaybackDesk;
class Session;
class ViewArea;

/// True where the file begins as a session does.
bool isSession(const QString& path);

class SessionDesk : public QObject, private SessionTarget {
    Q_OBJECT
public:
    /// Whom entries reach.
    struct Desks {
        EditDesk& edits;
        FileDesk& files;
        DisplayDesk& display;
        PlaybackDesk& playback;
        ViewArea& views;
        std::function<QByteArray()> layout; ///< places of the docks
        std::function<void(const QByteArray&)> arrange;
        bool remember; ///< sessions among the recent files of the user's settings
    };
    SessionDesk(QMainWindow& window, Session& session, Background& background, const Desks& desks);

    QAction* entry() const { return m_menu->menuAction(); } ///< for the menu of edits

    /// Throws Error where the file cannot be written.
    void record(const QString& path);
    /// Writes what is open now, how it is looked at, its measurements and the layout of the window:
    /// a session that leads here at once. Takes the checksum of the recording in the background.
    void saveScene(const QString& path);
    /// Does what the entries say, each after the one before has come to rest, up to the first that
    /// cannot be done. Throws Error where they cannot be read. A later call replaces this one.
    void run(const QString& path);
    void run(std::vector<SessionEntry> entries, const QString& name, const QString& folder);
    void runChosen(const QString& path); ///< the same; says why where it cannot be read
    bool isRunning() const { return m_runs != nullptr; }

    /// Somebody who sends entries. Their paths are relative to `folder`.
    EntryQueue::SenderPtr sender(const QString& folder);
    void add(SessionEntry entry, const EntryQueue::SenderPtr& from, EntryQueue::Done done) {
        m_queue.add(std::move(entry), from, std::move(done));
    }
    SessionRecorder& recorder() { return m_recorder; }

    void recordingOpened();
    void lookAround(); ///< to be called several times a second

signals:
    void informed(const QString& sentence);
    void warned(const QString& sentence);
    void failed(const QString& sentence);
    void ranToItsEnd(int images, int same); ///< of run(): how many images it compared

private:
    void chooseRecord(bool on);
    void chooseRun();
    void chooseScene();
    bool isReadyFor(const SessionEntry& entry);
    void ended(int line, const QString& problem);
    void refuseRecording(const QString& path) const;

    void open(const SessionRecording& recording) override;
    void usePipeline(const std::string& name) override;
    void usePipelineText(const std::string& toml) override;
    void useCalibration(const std::string& toml) override;
    void set(const std::vector<ParameterChange>& changes) override;
    void bypass(const std::string& stage, bool off) override;
    void display(const std::string& key, const std::string& value) override;
    void show(std::int64_t frame, std::int64_t bscan) override;
    void check(const std::string& view, const std::string& digest) override;
    void command(const std::string& id) override;
    void part(const std::string& name, const std::string& text) override;
    void views(const std::string& json) override;
    void layout(const std::string& base64) override;
    void requireOpen() const;
    void edit(const QString& what, const std::function<void()>& change);

    QMainWindow& m_window;
    Session& m_session;
    Background& m_background;
    Desks m_desks;
    SessionRecorder m_recorder;
    QMenu* m_menu;
    QAction *m_scene, *m_record, *m_run;
    EntryQueue m_queue;
    EntryQueue::SenderPtr m_runs; ///< of run(); null: nothing runs
    QString m_name;               ///< of the session that runs
    std::size_t m_left = 0;       ///< entries of it that were not done yet
    StillWatch m_still;
    std::optional<StillImages> m_images; ///< what stands still now
    int m_compared = 0;
    int m_same = 0;
};

} // namespace echolux
