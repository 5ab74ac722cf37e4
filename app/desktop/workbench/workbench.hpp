// SPDX-License-Identifier: GPL-3.0-or-later
// What a tool sees of the program.
#pragma once

#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/pipeline_move.hpp"
#include "app/desktop/workbench/step_name.hpp"
#include "app/lab/beam_geometry.hpp"
#include "app/live/live_source.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/look/look.hpp"
#include "app/session/stream/frame_traces.hpp"
#include "app/session/stream/statistics.hpp"
#include "gpu/exec/exec.hpp"
#include "render/view/region.hpp"
#include "render/view/view_transform.hpp"
#include "ui/views/overlay/view_sketch.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QSettings;
class QWidget;

namespace echolux {

class Document;
class ImageView;
class Overlay;
class Session;
class ViewArea;
struct RecordingInfo;

/// State of the open recording, edits of its pipeline, and signals of changes. A tool uses neither
/// the window nor the engine directly. All on the window's thread.
class Workbench : public QObject {
    Q_OBJECT
public:
    /// Work that other parts of the window do.
    struct Means {
        std::function<QString(const StepName&, const std::function<void()>& change)> step;
        std::function<QString(const std::function<void()>& change)> attempt;
        std::function<bool(const QString& what, const std::function<PipelineConfig()>& make)>
            editPipeline;
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
    /// The values that the colours of a view span.
    struct DisplayRange {
        double min = 0.0;      ///< this value and lower ones are shown in the first colour
        double max = 1.0;      ///< this value and higher ones are shown in the last colour
        double scaleMin = 0.0; ///< see ImageView::scale()
        double scaleMax = 1.0;
        std::string unit = {};      ///< "dB", or empty
        std::string reference = {}; ///< what 0 of that unit is; may be empty
        std::string colourMap = {};
        double gamma = 1.0;
        bool inverted = false;
    };
    /// The owner of the workbench emits its signals, except `framePresented`.
    Workbench(Session& session, Background& background, ViewArea& views, Document& document,
              Means means);

    bool isOpen() const; ///< true where a recording is open
    const BackendChoice& backend() const;
    // Precondition of these: a recording is open.
    const RecordingInfo& recording() const;
    SnapshotPtr snapshot() const;     ///< the pipeline in force
    std::int64_t shownFrame() const;  ///< number in the recording; -1: none yet
    std::int64_t chosenBscan() const; ///< in a volume: the plane that is imaged
    bool isPlaying() const;
    bool showsVolume() const;
    std::vector<FrameTrace> traces() const; ///< while traceFrames() is on
    /// A tool's look at the shown frames, valid until another recording is open. The tool names it
    /// in its Looks, see toolType().
    template <class L> L& look() const { return static_cast<L&>(look(kLookType<L>)); }
    struct RawFrame {
        std::int64_t frame = 0; ///< number in the recording
        std::vector<std::byte> bytes;
    };
    /// Parameters of the open live source; empty for a file.
    std::vector<LiveParameter> liveParameters() const;
    /// What the open live source tells besides its frames, by name.
    std::vector<std::pair<std::string, std::string>> liveReadouts() const;
    void setLiveParameter(const std::string& key, double value);
    /// Copies the shown raw frame when it is called. Any thread may call it, and may wait for the
    /// frame. Precondition: a recording is open.
    std::function<RawFrame()> rawFrameReader() const;
    /// The region that the user drew on a view, in its units; null: none.
    std::optional<Region> drawnRegion(std::size_t view = 0) const;
    /// Of view number `view` of the pipeline; null: it shows no image yet.
    std::optional<DisplayRange> displayRange(std::size_t view) const;
    /// Replaces names of stages and parameters by their labels.
    QString inLabels(const std::string& sentence) const;

    /// What the user made of the recording. A tool that lets users make something adds its part,
    /// and records its edits.
    Document& document() const { return m_document; }

    /// Geometry of the beamformer in force, valid until the pipeline changes; null where none runs.
    const lab::BeamGeometry* beams() const { return m_means.beams(); }
    /// The pixel under the mouse, otherwise the clicked one. Null: none, or the image does not lie
    /// in the plane of the array.
    std::optional<lab::PlanePoint> selectedPixel() const { return m_means.selectedPixel(); }

    // Requests to the engine. They do nothing without a recording.
    void timeSeparately(bool separately); ///< Engine::timeSeparately()
    void traceFrames(bool on);

    // Each edit is one step of the undo list. A refused edit changes nothing. Without a recording
    // nothing happens.
    /// Where it is refused, the row of the parameter shows why.
    void edit(const std::string& stage, const std::string& key, const ParamValue& value);
    /// Sets all values in one step. Returns why it was refused, or nothing.
    QString edit(const StepName& step, const std::vector<Value>& values);
    /// Sets values that no user chose, without a step of the undo list. Returns why it was refused,
    /// or nothing.
    QString show(const std::vector<Value>& values);
    /// Returns why it was refused, or nothing.
    QString edit(const StepName& step, const PipelineConfig& pipeline);
    /// Sets the range as a drag at the colour bar of that view does. All calls until the next press
    /// of a mouse button, Return or Tab form one step.
    void editDisplayRange(std::size_t view, double min, double max);
    /// False where it was refused; a message says why.
    bool editPipeline(const QString& what,
                      const std::function<PipelineConfig(const Snapshot& now)>& make);

    void focusImage(); ///< keys go to the first view
    /// Destroys `held` on a thread of its own, because its destructor may wait.
    void throwAway(std::shared_ptr<void> held);
    /// Runs `work` on a thread of its own. Its result runs on the window's thread.
    void compute(Background::Work work);
    /// Shows the overlay over that view alone. Views that the pipeline has no image for count, too.
    void showOver(std::size_t view, Overlay& overlay);

signals:
    // Requests of tools, carried out at once.
    void setValue(const QString& stage, const QString& key, const echolux::ParamValue& value);
    void openShipped(const QString& name);        ///< a shipped pipeline
    void move(const echolux::PipelineMove& move); ///< to another backend or GPU
    void bypass(const QString& stage, bool bypass);
    void reveal(const QString& stage); ///< shows the stage's rows in the dock of parameters
    // Messages in the message bar.
    void inform(const QString& sentence) const;
    void warn(const QString& sentence) const;
    void fail(const QString& sentence) const;
    /// A dock beside those of tools.def, with an entry in View > Plugin views. It takes ownership
    /// of the content. `name`: key in saved layouts. The dock stands where a restored layout has
    /// it; one that no layout knows is opened.
    void addDock(const QString& title, const QString& name, QWidget* content);
    void removeDock(QWidget& content); ///< destroys dock and content, later
    void openDock(QWidget& panel);     ///< in front of the others
    /// Draws contours over the first view where it lies in the plane of the array; lateral and
    /// depth in m. `text` stands in a corner. Empty contours take them away.
    void showContours(const std::vector<echolux::ViewSketch::Contour>& contours,
                      const QString& text = {});

    // News for tools.
    void recordingChanged(); ///< another recording is open
    void pipelineChanged();  ///< also where the same pipeline is shown again after a refused edit
    void framePresented();   ///< a picture of a frame has been drawn
    void looked();           ///< a look has an answer that its tool waits for, see Look::run()
    void columnForgotten();  ///< no column is picked any more
    void displayRangeChanged(); ///< the range that the colours of a view span has changed
    void liveParameterSet(const std::string& key, double value);
    void selectionChanged(); ///< selectedPixel() or beams() has changed
    /// A click on the first view, in its units.
    void placePicked(const echolux::Vec2& place);
    /// The same of any view, with its number.
    void placePickedOn(std::size_t view, const echolux::Vec2& place);
    /// Emitted every kMeasuringPeriodMs while a recording is open: the new figures, or that they
    /// are unchanged.
    void measured(const echolux::Statistics& now);
    void measuredTheSame();
    void moved(const echolux::PipelineMove& move); ///< emitted for moves of all tools and desks
    void habitsRestored(const QSettings& store);   ///< emitted when the window is created
    void habitsKept(QSettings& store);             ///< emitted when the window closes
    void closing(); ///< emitted when the window closes, also where habits are not kept

private:
    friend class ProbeRunner;
    Look& look(const LookType& type) const;
    ImageView* viewOf(std::size_t number) const; ///< null: the pipeline has no such view
    void set(const std::vector<Value>& values);

    Session& m_session;
    Background& m_background;
    ViewArea& m_views;
    Document& m_document;
    Means m_means;
};

} // namespace echolux
