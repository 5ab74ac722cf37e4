// SPDX-License-Identifier: GPL-3.0-or-later
// A session in a window: creates the desks and connects them.
#pragma once

#include <QObject>

#include <algorithm>
#include <memory>
#include <vector>

class QWidget;

namespace echolux {

class Background;
class BatchDesk;
class BeamDesk;
class CalibrationDesk;
class ClosingDesk;
class ControlDesk;
class ColumnDesk;
class DescribeDesk;
class DisplayDesk;
class EditDesk;
class EngineNews;
class ExportDesk;
class FactsDesk;
class FileDesk;
class GateDesk;
class HabitDesk;
class HelpDesk;
class ImageView;
class LiveDesk;
class MainWindow;
class MessageDesk;
class ParameterDesk;
class PipelineDesk;
class PlaybackDesk;
class PluginDesk;
class PresetDesk;
class PublishDesk;
class RecordingDesk;
class ScreenshotDesk;
class Session;
class SessionDesk;
class SidecarDesk;
class StartDesk;
class StatisticsDesk;
class ViewArea;
class ViewDesk;
class VolumeDesk;
class WorkDesk;
class Workbench;
struct BackendChoice;
struct DockEntry;
struct ScreenshotRecord;

class Desktop : public QObject {
    Q_OBJECT
public:
    /// `remember`: read and keep layout, recent files and display choices in the user's settings.
    /// `inFlight`: number of frames in flight on CUDA.
    Desktop(BackendChoice backend, bool remember, int inFlight);
    Desktop(BackendChoice backend, bool remember); ///< with the usual number of them
    ~Desktop() override;

    MainWindow& window() { return *m_window; }
    ImageView& view();
    ViewArea& views() { return *m_views; }
    Session& session() { return *m_session; }
    Background& background() { return *m_background; }
    BatchDesk& batches() { return *m_batches; }
    ClosingDesk& closing() { return *m_closing; }
    CalibrationDesk& calibration() { return *m_calibration; }
    ControlDesk& control() { return *m_control; }
    EditDesk& edits() { return *m_edits; }
    ExportDesk& exports() { return *m_exports; }
    FileDesk& files() { return *m_files; }
    HelpDesk& help() { return *m_help; }
    LiveDesk& live() { return *m_live; }
    PipelineDesk& pipelines() { return *m_pipelines; }
    PlaybackDesk& playback() { return *m_playback; }
    PluginDesk& plugins() { return *m_plugins; }
    PresetDesk& presets() { return *m_presets; }
    PublishDesk& publishing() { return *m_publish; }
    DescribeDesk& importer() { return *m_importer; }
    RecordingDesk& recordings() { return *m_recordings; }
    ScreenshotDesk& screenshots() { return *m_screenshots; }
    SessionDesk& sessions() { return *m_sessions; }
    SidecarDesk& sidecars() { return *m_sidecars; }
    StatisticsDesk& statistics() { return *m_statistics; }
    template <class Tool> Tool& tool() { return oneOf<Tool>(m_tools); } ///< a tool of tools.def
    /// The panel of a tool.
    template <class Panel> Panel& panel() { return oneOf<Panel>(m_toolPanels); }

private:
    template <class Kind> static Kind& oneOf(const auto& objects) {
        const auto isIt = [](const auto& each) {
            return qobject_cast<Kind*>(std::to_address(each)) != nullptr;
        };
        return *qobject_cast<Kind*>(std::to_address(*std::ranges::find_if(objects, isIt)));
    }
    std::vector<DockEntry> makeToolDocks();
    std::vector<std::unique_ptr<QObject>> makeTools();
    std::unique_ptr<Workbench> makeBench();
    void connectRequests();
    void fillMenus();
    void connectEngine();
    void connectRecordings();
    void connectPipeline();
    void connectBench();
    void connectFiles();
    void connectViews();
    void connectMessages();
    void connectHabits();
    void recordingOpened();
    void showRestored(const ScreenshotRecord& record);

    std::vector<QWidget*>
        m_toolPanels; ///< in the order of tools.def; owned by the window; null: none
    std::unique_ptr<MainWindow> m_window;
    ViewArea* m_views; ///< owned by the window
    std::unique_ptr<Background> m_background;
    std::unique_ptr<DescribeDesk> m_importer;
    std::unique_ptr<SidecarDesk> m_sidecars;
    std::unique_ptr<EngineNews> m_news;
    std::unique_ptr<Session> m_session; ///< its threads call the members above
    std::unique_ptr<MessageDesk> m_messages;
    std::unique_ptr<EditDesk> m_edits;
    std::unique_ptr<RecordingDesk> m_recordings;
    std::unique_ptr<ViewDesk> m_viewDesk;
    std::unique_ptr<WorkDesk> m_work;
    std::unique_ptr<VolumeDesk> m_volume;
    std::unique_ptr<DisplayDesk> m_display;
    std::unique_ptr<ColumnDesk> m_column;
    std::unique_ptr<PlaybackDesk> m_playback;
    std::unique_ptr<ParameterDesk> m_parameters;
    std::unique_ptr<Workbench> m_bench;
    std::unique_ptr<PipelineDesk> m_pipelines;
    std::unique_ptr<PluginDesk> m_plugins;
    std::unique_ptr<PresetDesk> m_presets;
    std::unique_ptr<FileDesk> m_files;
    std::unique_ptr<LiveDesk> m_live;
    std::unique_ptr<PublishDesk> m_publish;
    std::unique_ptr<ScreenshotDesk> m_screenshots;
    std::unique_ptr<ExportDesk> m_exports;
    std::unique_ptr<BatchDesk> m_batches;
    std::unique_ptr<FactsDesk> m_facts;
    std::unique_ptr<StartDesk> m_start;
    std::unique_ptr<HelpDesk> m_help;
    std::unique_ptr<StatisticsDesk> m_statistics;
    std::unique_ptr<SessionDesk> m_sessions;
    std::unique_ptr<ControlDesk> m_control;
    std::unique_ptr<BeamDesk> m_beams;
    std::unique_ptr<GateDesk> m_gate;
    std::vector<std::unique_ptr<QObject>> m_tools;
    std::unique_ptr<HabitDesk> m_habits;
    std::unique_ptr<ClosingDesk> m_closing;
    std::unique_ptr<CalibrationDesk>
        m_calibration; ///< must stay the last member: its threads call the others
};

} // namespace echolux
