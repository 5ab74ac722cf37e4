// SPDX-License-Identifier: GPL-3.0-or-later
// What a tool sees of the program.
#pragma once

#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/pipeline_move.hpp"
#include "app/desktop/workbench/step_name.hpp"
#include "app/lab/beam_geometry.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/column/column.hpp"
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/statistics.hpp"
#include "gpu/exec/exec.hpp"
#include "render/view/view_transform.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace echolux {

class Session;
class ViewArea;
struct RecordingInfo;

/// State of the open recording, edits of its pipeline, and signals of what has changed. A tool
/// reaches neither the window nor the engine. All on the window's thread.
class Workbench : public QObject {
    Q_OBJECT
public:
    /// What other parts of the window do for it.
    struct Means {
        std::function<void(const QString& stage, const QString& key, const ParamValue&)> edit;
        std::function<QString(const StepName&, const std::function<void()>& change)> step;
        std::function<QString(const std::function<void()>& change)> attempt;
        std::function<bool(const QString& what, const std::function<PipelineConfig()>& make)>
            editPipeline;
        std::function<void(const QString& name)> openShipped;
        std::function<void(const QString& stage, bool bypass)> bypass;
        std::function<void(const QString& stage)> reveal;
        std::function<void(const QString&sentence)> inform, warn, fail;
        std::function<const lab::BeamGeometry*()> beams;
        std::function<std::optional<lab::PlanePoint>()> selectedPixel;
    };
    static constexpr int kMeasuringPeriodMs = 250;
    /// The value of one parameter.
    struct Value {
        std::string stage;
        std::string key;
        ParamValue value;
    };
    /// Whoever makes a workbench emits its signals, but for `framePresented` and `regionDragged`.
    Workbench(Session& session, Background& background, ViewArea& views, Means means);

    bool isOpen() const; ///< is there a recording?
    const BackendChoice& backend() const;
    // Precondition of these: a recording is open.
    const RecordingInfo& recording() const;
    SnapshotPtr snapshot() const;     ///< the pipeline in force
    std::int64_t shownFrame() const;  ///< in the recording; -1: none yet
    std::int64_t chosenBscan() const; ///< of a volume, the plane that is imaged
    bool isPlaying() const;
    bool showsVolume() const;
    std::optional<ColumnData> column() const; ///< the picked one; null: none
    /// Recorded channels of the transmit that wantChannels() named; null: none yet.
    std::shared_ptr<const ChannelMatrix> channels() const;
    std::vector<FrameTrace> traces() const; ///< while traceFrames() is on
    /// Names of stages and parameters in a sentence become their labels.
    QString inLabels(const std::string& sentence) const;

    /// The beamformer in force, until the pipeline changes; null where none runs.
    const lab::BeamGeometry* beams() const { return m_means.beams(); }
    /// The pixel under the mouse, else the one that was clicked; null: none, or the image does not
    /// lie in the plane of the array.
    std::optional<lab::PlanePoint> selectedPixel() const { return m_means.selectedPixel(); }

    // Requests to the engine; nothing happens where no recording is open.
    void wantChannels(std::optional<std::int64_t> transmit); ///< null: none
    void timeSeparately(bool separately);                    ///< Engine::timeSeparately()
    void traceFrames(bool on);

    // Each edit is one step of the list of edits. A refused one changes nothing. Nothing happens
    // where no recording is open.
    /// A refused one is told beside the parameter.
    void edit(const std::string& stage, const std::string& key, const ParamValue& value);
    /// All together; returns why that was refused, or nothing.
    QString edit(const StepName& step, const std::vector<Value>& values);
    /// No step of the list, for what nobody decides; returns the same.
    QString show(const std::vector<Value>& values);
    /// Returns why it was refused, or nothing.
    QString edit(const StepName& step, const PipelineConfig& pipeline);
    /// False where it was refused, which is told.
    bool editPipeline(const QString& what,
                      const std::function<PipelineConfig(const Snapshot& now)>& make);
    void openShipped(const QString& name); ///< a shipped pipeline
    void move(const PipelineMove& move);   ///< to another backend or GPU
    void bypass(const QString& stage, bool bypass);
    void reveal(const QString& stage); ///< its rows in the dock of parameters

    // In the message bar.
    void inform(const QString& sentence) const { m_means.inform(sentence); }
    void warn(const QString& sentence) const { m_means.warn(sentence); }
    void fail(const QString& sentence) const { m_means.fail(sentence); }

    /// On a thread of its own; what it returns runs on the window's thread.
    void compute(Background::Work work);
    /// A rectangle on the image that people drag, lateral and depth in m; null: none.
    void showRegion(const std::optional<Rect>& region);

signals:
    void recordingChanged(); ///< another one is open
    void pipelineChanged();  ///< or the same has been shown anew, after a refused edit too
    void framePresented();   ///< a picture of a frame is on the screen
    void columnChanged();    ///< column() or channels() have news
    void columnForgotten();  ///< no column is picked
    void selectionChanged(); ///< selectedPixel(), or what it stands on
    void regionDragged(const echolux::Rect& region); ///< by the mouse, while it is held
    /// Every kMeasuringPeriodMs while a recording is open: the figures, or that they stay.
    void measured(const echolux::Statistics& now);
    void measuredTheSame();
    void moveWanted(const echolux::PipelineMove& move);
    void moved(const echolux::PipelineMove& move); ///< whosever it was
    void habitsRestored(const QSettings& store);   ///< when the window is made
    void habitsKept(QSettings& store);             ///< when it closes

private:
    friend class ProbeRunner;
    void set(const std::vector<Value>& values);

    Session& m_session;
    Background& m_background;
    ViewArea& m_views;
    Means m_means;
};

} // namespace echolux
