// SPDX-License-Identifier: GPL-3.0-or-later
// A session in a window: creates the desks and connects them.
#pragma once

#include "app/desktop/batch_desk.hpp"
#include "app/desktop/beam_desk.hpp"
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/closing_desk.hpp"
#include "app/desktop/column_desk.hpp"
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/display_desk.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/engine_news.hpp"
#include "app/desktop/export_desk.hpp"
#include "app/desktop/facts_desk.hpp"
#include "app/desktop/file_desk.hpp"
#include "app/desktop/gate_desk.hpp"
#include "app/desktop/habit_desk.hpp"
#include "app/desktop/help_desk.hpp"
#include "app/desktop/live_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/parameter_desk.hpp"
#include "app/desktop/pipeline_desk.hpp"
#include "app/desktop/playback_desk.hpp"
#include "app/desktop/plugin_desk.hpp"
#include "app/desktop/preset_desk.hpp"
#include "app/desktop/publish_desk.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/desktop/screenshot_desk.hpp"
#include "app/desktop/sidecar_desk.hpp"
#include "app/desktop/start_desk.hpp"
#include "app/desktop/statistics_desk.hpp"
#include "app/desktop/view_desk.hpp"
#include "app/desktop/volume_desk.hpp"
#include "app/desktop/work_desk.hpp"
#include "app/desktop/workbench/background.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/session.hpp"

#include <QObject>

#include <algorithm>
#include <memory>
#include <vector>

namespace echolux {

class ImageView;
class MainWindow;
class ViewArea;
struct DockEntry;

class Desktop : public QObject {
    Q_OBJECT
public:
    /// `remember`: read and keep layout, recent files and display choices in the user's settings.
    /// `inFlight`: number of frames in flight on CUDA.
    Desktop(BackendChoice backend, bool remember, int inFlight = EnginePlace::kUsualInFlight);
    ~Desktop() override;

    MainWindow& window() { return *m_window; }
    ImageView& view();
    ViewArea& views() { return *m_views; }
    Session& session() { return m_session; }
    Background& background() { return m_background; }
    BatchDesk& batches() { return m_batches; }
    ClosingDesk& closing() { return m_closing; }
    CalibrationDesk& calibration() { return m_calibration; }
    EditDesk& edits() { return m_edits; }
    ExportDesk& exports() { return m_exports; }
    FileDesk& files() { return m_files; }
    HelpDesk& help() { return m_help; }
    LiveDesk& live() { return m_live; }
    PipelineDesk& pipelines() { return m_pipelines; }
    PlaybackDesk& playback() { return m_playback; }
    PluginDesk& plugins() { return m_plugins; }
    PresetDesk& presets() { return m_presets; }
    PublishDesk& publishing() { return m_publish; }
    DescribeDesk& importer() { return m_importer; }
    RecordingDesk& recordings() { return m_recordings; }
    ScreenshotDesk& screenshots() { return m_screenshots; }
    SidecarDesk& sidecars() { return m_sidecars; }
    StatisticsDesk& statistics() { return m_statistics; }
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
    EditDesk::Means editMeans();
    Workbench::Means benchMeans();
    void connectEngine();
    void connectRecordings();
    void connectPipeline();
    void connectBench();
    void connectFiles();
    void connectMessages();
    void connectHabits();
    void recordingOpened();
    void showRestored(const ScreenshotRecord& record);

    std::vector<QWidget*>
        m_toolPanels; ///< in the order of tools.def; owned by the window; null: none
    std::unique_ptr<MainWindow> m_window;
    ViewArea* m_views; ///< owned by the window
    Background m_background;
    DescribeDesk m_importer;
    SidecarDesk m_sidecars;
    EngineNews m_news;
    Session m_session; ///< its threads call the members above
    MessageDesk m_messages;
    EditDesk m_edits;
    RecordingDesk m_recordings;
    ViewDesk m_viewDesk;
    WorkDesk m_work;
    VolumeDesk m_volume;
    DisplayDesk m_display;
    ColumnDesk m_column;
    PlaybackDesk m_playback;
    ParameterDesk m_parameters;
    Workbench m_bench;
    PipelineDesk m_pipelines;
    PluginDesk m_plugins;
    PresetDesk m_presets;
    FileDesk m_files;
    LiveDesk m_live;
    PublishDesk m_publish;
    ScreenshotDesk m_screenshots;
    ExportDesk m_exports;
    BatchDesk m_batches;
    FactsDesk m_facts;
    StartDesk m_start;
    HelpDesk m_help;
    StatisticsDesk m_statistics;
    BeamDesk m_beams;
    GateDesk m_gate;
    std::vector<std::unique_ptr<QObject>> m_tools;
    HabitDesk m_habits;
    ClosingDesk m_closing;
    CalibrationDesk m_calibration; ///< must stay the last member: its threads call the others
};

} // namespace echolux
