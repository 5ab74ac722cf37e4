// SPDX-License-Identifier: GPL-3.0-or-later
// What a tool sees of the program.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <string>

namespace echolux {

class Background;
class Session;

/// State of the open recording, edits of its pipeline, and signals of what has changed. A tool
/// reaches neither the window nor the engine. All on the window's thread.
class Workbench : public QObject {
    Q_OBJECT
public:
    using Edit = std::function<void(const QString& stage, const QString& key, const ParamValue&)>;
    /// `edit` does what edit() promises. Whoever makes a workbench emits its signals.
    Workbench(Session& session, Background& background, Edit edit);

    bool isOpen() const; ///< is there a recording?
    // Precondition of these: a recording is open.
    SnapshotPtr snapshot() const;     ///< the pipeline in force
    std::int64_t shownFrame() const;  ///< in the recording; -1: none yet
    std::int64_t chosenBscan() const; ///< of a volume, the plane that is imaged
    bool isPlaying() const;
    /// Names of stages and parameters in a sentence become their labels.
    QString inLabels(const std::string& sentence) const;

    /// One step of the list of edits. A refused one is told, and nothing changes. Nothing happens
    /// where no recording is open.
    void edit(const std::string& stage, const char* key, const ParamValue& value);

signals:
    void recordingChanged(); ///< another one is open
    void pipelineChanged();  ///< or the same has been shown anew, after a refused edit too
    void framePresented();   ///< a picture of a frame is on the screen

private:
    friend class ProbeRunner;
    Session& m_session;
    Background& m_background;
    Edit m_edit;
};

} // namespace echolux
